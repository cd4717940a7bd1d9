public import Claims
public import Instants

/// What the endpoint under test expects: some variants are bad only for an endpoint that checks.
public struct Endpoint: Sendable {
  /// The time at which the variants are verified.
  public var now: Instant
  /// The tolerance between clocks, in seconds.
  public var skew: Int
  /// The expected recipient and request; variants that are wrong in these are made only when they are
  /// set.
  public var expectations: Expectations
  /// Whether the endpoint accepts only issuers that are configured by name.
  public var namesIssuers: Bool
  /// Whether the endpoint has its own names and requires one as audience.
  public var checksAudience: Bool

  /// An endpoint that verifies at `now`.
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
