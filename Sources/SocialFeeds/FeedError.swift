public import Instants
public import TokenErrors

/// Why a post does not stand in the feed, in the same words for every service.
public struct FeedError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What a program can act on.
  public enum Reason: Hashable, Sendable {
    /// The token is expired, revoked or unknown: sign in again.
    case tokenExpired
    /// The token is good but may not do this: ask for the permission.
    case permission
    /// Too many posts; the service takes none before `until`, where it says so.
    case rateLimited(until: Instant?)
    /// The service has this post already.
    case duplicate
    /// The text is too long for the service.
    case tooLong
    /// The service does not want this post, now or later.
    case rejected
    /// The service or the person's account blocks posts until a person does something on its site.
    case blocked
    /// The service is down or out of reach; nothing was posted.
    case unavailable
    /// The connection or the service broke while posting: nobody knows whether the post stands.
    /// Look before trying again.
    case unknownOutcome
    /// The request was not sent, or the configuration is wrong.
    case failed
  }

  public let reason: Reason
  /// The cause in full. Holds no secret.
  public let cause: TokenError

  /// Makes the error of one reason.
  public init(_ reason: Reason, _ cause: TokenError) {
    self.reason = reason
    self.cause = cause
  }

  /// Makes the error with the code that belongs to the reason.
  init(_ reason: Reason, service: String, expected: String? = nil, found: String? = nil) {
    var expected = expected
    if case .rateLimited(let until?) = reason { expected = "no post before \(until.rfc3339)" }
    self.init(
      reason, TokenError(Self.code(of: reason), node: service, expected: expected, found: found))
  }

  public var description: String { cause.description }

  public static func == (left: Self, right: Self) -> Bool { left.reason == right.reason }

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
