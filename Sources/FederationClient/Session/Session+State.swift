public import Instants
import Octets

extension Session {
  /// Whether a session can be used, renewed or neither.
  public enum State: Hashable, Sendable {
    /// The credential can be used.
    case usable
    /// The credential has expired; a renewal may replace it.
    case credentialExpired
    /// The session exceeds ``SessionLifetime``: only a new sign-in helps.
    case ended
  }

  /// The state at that time: ``SessionLifetime`` first, then ``Session/expires``.
  public func state(at now: Instant) -> State {
    if let idle = lifetime.idle, now >= lastUsedAt.advanced(bySeconds: Int64(idle)) {
      return .ended
    }
    if let absolute = lifetime.absolute, now >= signedInAt.advanced(bySeconds: Int64(absolute)) {
      return .ended
    }
    if let expires, now >= expires { return .credentialExpired }
    return .usable
  }

  /// Whether both have the same principal, tokens and expiry; if not, another process replaced the session.
  /// Ignores the last use.
  func isSame(as other: Session) -> Bool {
    principal == other.principal && credential.scheme == other.credential.scheme
      && credential.secret.revealed.hasSameBytes(as: other.credential.secret.revealed)
      && (refreshToken?.revealed ?? "").hasSameBytes(as: other.refreshToken?.revealed ?? "")
      && expires == other.expires
  }
}
