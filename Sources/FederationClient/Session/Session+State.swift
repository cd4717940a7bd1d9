public import Instants
import Octets

extension Session {
  /// What can be done with a session.
  public enum State: Hashable, Sendable {
    /// Its credential can be used.
    case usable
    /// Its credential has ended; a renewal may bring another.
    case credentialExpired
    /// It was unused or old for too long: only a person can begin another.
    case ended
  }

  /// The state at `now`: over by its lifetime, in need of renewal, or usable.
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

  /// Whether both are one person's with the same tokens: the way to see that another process replaced
  /// the session. A use changes nothing.
  func isSame(as other: Session) -> Bool {
    principal == other.principal && credential.scheme == other.credential.scheme
      && credential.secret.revealed.hasSameBytes(as: other.credential.secret.revealed)
      && (refreshToken?.revealed ?? "").hasSameBytes(as: other.refreshToken?.revealed ?? "")
      && expires == other.expires
  }
}
