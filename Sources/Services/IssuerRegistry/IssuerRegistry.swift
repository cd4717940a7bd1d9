@_exported public import Federation
@_exported public import HTTPExchange

/// A source of the current trust, whose keys may be replaced at any time.
///
///     let trust: Trust
///     if let ready = registry.readyTrust(at: now) { trust = ready }
///     else { trust = try await registry.trust(at: now) }
///     let verified = try TokenValidator(trust).validate(token, at: now)
///
/// An error never replaces valid keys: what was accepted stays in use until it expires, and
/// ``health(at:)`` shows the error in the meantime.
public protocol IssuerRegistry: Sendable {
  /// The trust at `now` if it is available without waiting; nil if only ``trust(at:)`` can return it.
  ///
  /// Starts work that is due in the background.
  func readyTrust(at now: Instant) -> Trust?

  /// The trust at `now`. Waits only while no issuer can be trusted.
  ///
  /// - Throws: `registry.unavailable`, `registry.trust-expired`; for a file also the error of reading it.
  func trust(at now: Instant) async throws(TokenError) -> Trust

  /// The state of each source of this registry.
  func health(at now: Instant) -> [RegistryHealth]
}

/// The state of one source of trust, for a health endpoint or an alert. Contains no secret.
public struct RegistryHealth: Hashable, Sendable {
  /// The state as one word.
  public enum Status: String, Hashable, Sendable {
    /// The last attempt succeeded.
    case good
    /// Valid keys are in use, but the last attempt failed.
    case failing
    /// The accepted keys have expired.
    case expired
    /// No attempt has succeeded yet.
    case empty
  }

  /// An address without its query, a path, or `static`.
  public let source: String
  /// The state as one word.
  public let status: Status
  /// The number of trusted issuers from this source.
  public let issuers: Int
  /// The time at which the source last confirmed the keys in use; nil for never.
  public let lastSuccess: Instant?
  /// The time of the last attempt; nil for never.
  public let lastAttempt: Instant?
  /// The number of failures since the last success.
  public let consecutiveFailures: Int
  /// The error of the last attempt; nil after a success.
  public let lastError: TokenError?
  /// The time of the next attempt; nil if none is planned.
  public let nextRefresh: Instant?
  /// The expiry of the keys in use; nil for never, or if none are in use.
  public let validUntil: Instant?
  /// Why keys of the source are passed over, each with its place there. The others are in use.
  public var passedOver: [TokenError] = []

  /// Seconds from the last success to `now`; nil if there was none.
  public func age(at now: Instant) -> Int64? { lastSuccess.map { now.seconds - $0.seconds } }
}

extension Activity {
  /// A key of a source that cannot be used, with its place there.
  static func passedOver(_ error: TokenError, of source: String) -> Self {
    Self(
      "registry.passed-over",
      [("source", source), ("code", error.code.rawValue), ("place", error.node ?? "")])
  }
}

/// Trust that does not change while the process runs.
public struct StaticRegistry: IssuerRegistry {
  private let trust: Trust

  /// A registry that always returns `trust`.
  public init(_ trust: Trust) { self.trust = trust }

  /// The fixed trust.
  public func readyTrust(at now: Instant) -> Trust? { trust }

  /// The fixed trust. Never throws.
  public func trust(at now: Instant) async throws(TokenError) -> Trust { trust }

  /// One entry named `static`: ``RegistryHealth/Status/expired`` once the metadata behind every key has come to its
  /// end, good otherwise.
  public func health(at now: Instant) -> [RegistryHealth] {
    let end = self.end
    let isOver = end.map { $0 <= now } ?? false
    return [
      RegistryHealth(
        source: "static", status: isOver ? .expired : .good, issuers: trust.issuers.count,
        lastSuccess: nil, lastAttempt: nil, consecutiveFailures: 0,
        lastError: isOver ? TokenError(.registryDocumentExpired) : nil, nextRefresh: nil,
        validUntil: end, passedOver: trust.passedOver)
    ]
  }

  /// When the last key ends; nil where one does not.
  private var end: Instant? {
    var end: Instant?
    for key in trust.issuers.lazy.flatMap(\.keys) {
      guard let own = key.validUntil else { return nil }
      end = max(end ?? own, own)
    }
    return end
  }
}

// `import IssuerRegistry` is enough for a service.
