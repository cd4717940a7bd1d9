import Octets
public import TokenBasics

/// Receives the activities of the network code. The telemetry module logs, counts and traces them; the
/// default is ``NoObserver``.
public protocol ActivityObserver: Sendable {
  /// Runs `body` as an activity with a duration and returns its result.
  /// - Throws: Errors of `body`.
  func during<Value: Sendable>(
    _ activity: Activity, _ body: @Sendable () async throws(TokenError) -> Value
  ) async throws(TokenError) -> Value
  /// Records an event without a duration.
  func happened(_ activity: Activity)
  /// Records the current value of a quantity (a gauge).
  func measured(_ activity: Activity, value: Double)
}

/// An observer that ignores all activities.
public struct NoObserver: ActivityObserver {
  /// An observer without state.
  public init() {}

  /// Runs `body` only.
  /// - Throws: Errors of `body`.
  public func during<Value: Sendable>(
    _ activity: Activity, _ body: @Sendable () async throws(TokenError) -> Value
  ) async throws(TokenError) -> Value { try await body() }

  /// Does nothing.
  public func happened(_ activity: Activity) {}

  /// Does nothing.
  public func measured(_ activity: Activity, value: Double) {}
}

/// An operation or event of the network code, named for logs, metrics and traces.
///
/// Names and attributes contain no secret: hosts, codes, counts; never a query, a token or a claim.
public struct Activity: Sendable {
  /// Which side of an exchange an activity is.
  public enum Side: Hashable, Sendable {
    /// It asks another program.
    case client
    /// It answers a request.
    case server
  }

  /// The name in dotted form, such as `registry.refresh` or `session.renew`.
  public let name: StaticString
  /// Which side of an exchange it is.
  public let side: Side
  /// Names and values, such as `server`, `source` and `code`.
  public let attributes: [(name: StaticString, value: String)]

  /// An activity with that name and these attributes.
  public init(
    _ name: StaticString, _ attributes: [(name: StaticString, value: String)] = [],
    side: Side = .client
  ) {
    self.name = name
    self.side = side
    self.attributes = attributes
  }

  /// The value of the first attribute of that name; nil for none.
  public subscript(name: StaticString) -> String? {
    attributes.first { $0.name.hasSameBytes(as: name) }?.value
  }

  /// Whether it has one of these names.
  package func isNamed(_ names: StaticString...) -> Bool {
    names.contains { name.hasSameBytes(as: $0) }
  }
}
