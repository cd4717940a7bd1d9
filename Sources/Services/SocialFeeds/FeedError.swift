public import TokenBasics

/// Why a post was not published, with the same reasons for every service.
public struct FeedError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The cases that a program can act on.
  public enum Reason: Hashable, Sendable {
    /// The token is expired, revoked or unknown: sign in again.
    case tokenExpired
    /// The token is valid but lacks a permission: request it.
    case permission
    /// Too many posts; the service accepts none before `until`, nil if it sent no time.
    case rateLimited(until: Instant?)
    /// The service has this post already.
    case duplicate
    /// The text is too long for the service.
    case tooLong
    /// The service rejects this post permanently.
    case rejected
    /// The service blocks posts of this account until the person acts on its site.
    case blocked
    /// The service is down or out of reach; nothing was posted.
    case unavailable
    /// The connection or the service failed during publication: the post may exist.
    /// Look before trying again.
    case unknownOutcome
    /// The request was not sent, or the configuration is wrong.
    case failed
  }

  /// The reason, which alone decides equality.
  public let reason: Reason
  /// The error with its code and details. Contains no secret.
  public let cause: TokenError

  /// An error with that reason and cause.
  public init(_ reason: Reason, _ cause: TokenError) {
    self.reason = reason
    self.cause = cause
  }

  /// An error whose cause has the code of the reason.
  init(_ reason: Reason, service: String, expected: String? = nil, found: String? = nil) {
    var expected = expected
    if case .rateLimited(let until?) = reason { expected = "no post before \(until.rfc3339)" }
    self.init(
      reason, TokenError(Self.code(of: reason), node: service, expected: expected, found: found))
  }

  /// The description of ``cause``.
  public var description: String { cause.description }

  /// Compares ``reason`` only.
  public static func == (left: Self, right: Self) -> Bool { left.reason == right.reason }

  /// Hashes ``reason`` only.
  public func hash(into hasher: inout Hasher) { hasher.combine(reason) }

  private static func code(of reason: Reason) -> TokenError.Code {
    switch reason {
    case .tokenExpired: .feedTokenExpired
    case .permission: .feedPermission
    case .rateLimited: .feedRateLimited
    case .duplicate: .feedDuplicate
    case .tooLong: .feedTooLong
    case .rejected, .failed: .feedRejected
    case .blocked: .feedBlocked
    case .unavailable: .feedUnavailable
    case .unknownOutcome: .feedUnknownOutcome
    }
  }
}
