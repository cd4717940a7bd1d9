import Federation
import HTTPExchange
import Synchronization
import TokenBasics

/// Notes that sessions are used. A store that is full, or may only be read, still says who is signed in: noting a use fails no
/// question, and what the store refuses is in the log.
final class SessionUses: Sendable {
  /// Seconds for which no request tries again what the store refused.
  private static let pause: Int64 = 5
  private let refused = Mutex<Instant?>(nil)

  /// Notes a use in the store, unless it refused one a moment ago.
  func note(
    _ id: SessionID, in sessions: any SessionStore, at now: Instant,
    _ observer: any ActivityObserver
  ) async {
    let isPaused = refused.withLock { refused in
      refused.map { now >= $0 && now < $0.advanced(bySeconds: Self.pause) } ?? false
    }
    guard !isPaused else { return }
    do throws(TokenError) {
      try await sessions.use(id, at: now)
      refused.withLock { $0 = nil }
    } catch {
      refused.withLock { $0 = now }
      report(error, observer)
    }
  }

  /// Removes what is over. One that stays is as much over.
  func removeOver(
    _ id: SessionID, in sessions: any SessionStore, _ observer: any ActivityObserver
  ) async {
    do throws(TokenError) {
      try await sessions.remove(id)
    } catch {
      report(error, observer)
    }
  }

  private func report(_ error: TokenError, _ observer: any ActivityObserver) {
    observer.happened(
      Activity("store.failed", [("code", error.code.rawValue), ("error", error.description)]))
  }
}
