import Synchronization
package import TokenBasics

/// A clock that moves only when somebody waits on it.
package final class StillTime: TimeSource {
  private let state: Mutex<(now: Instant, waits: [Duration])>

  /// Noon of the first day of 2030 unless said otherwise.
  package init(_ now: Instant = Instant(secondsSinceEpoch: 1_893_499_200)) {
    state = Mutex((now, []))
  }

  package var now: Instant { state.withLock { $0.now } }
  package var waits: [Duration] { state.withLock { $0.waits } }

  package func wait(_ duration: Duration) async {
    state.withLock { state in
      state.waits.append(duration)
      state.now = state.now.advanced(bySeconds: duration.components.seconds)
    }
  }

  package func advance(seconds: Int64) {
    state.withLock { $0.now = $0.now.advanced(bySeconds: seconds) }
  }
}
