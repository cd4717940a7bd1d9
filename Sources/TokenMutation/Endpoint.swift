public import Claims
public import Instants

/// What the endpoint under test expects: some variants are bad only for an endpoint that asks.
public struct Endpoint: Sendable {
  /// When the variants are judged.
  public var now: Instant
  /// Seconds by which clocks may differ.
  public var skew: Int
  /// Where tokens must have been sent and what they must answer; variants that are wrong in this
  /// respect are made only when it is named.
  public var expectations: Expectations
  /// Whether the endpoint accepts only issuers that it knows by name.
  public var namesIssuers: Bool
  /// Whether the endpoint knows who it is and asks for its audience.
  public var checksAudience: Bool

  /// An endpoint that judges at `now`.
  public init(
    now: Instant, skew: Int = Trust.defaultSkew, expectations: Expectations = Expectations(),
    namesIssuers: Bool = false, checksAudience: Bool = true
  ) {
    self.now = now
    self.skew = skew
    self.expectations = expectations
    self.namesIssuers = namesIssuers
    self.checksAudience = checksAudience
  }
}
