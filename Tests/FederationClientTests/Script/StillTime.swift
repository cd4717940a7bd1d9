import Instants
import Synchronization

/// A clock that advances only by waits.
final class StillTime: TimeSource {
  private let state: Mutex<(now: Instant, waits: [Duration])>

  /// Noon of the first day of 2030 by default.
  init(_ now: Instant = Instant(secondsSinceEpoch: 1_893_499_200)) {
    state = Mutex((now, []))
  }

  var now: Instant { state.withLock { $0.now } }
  var waits: [Duration] { state.withLock { $0.waits } }

  func wait(_ duration: Duration) async {
    state.withLock { state in
      state.waits.append(duration)
      state.now = state.now.advanced(bySeconds: duration.components.seconds)
    }
  }

  func advance(seconds: Int64) {
    state.withLock { $0.now = $0.now.advanced(bySeconds: seconds) }
  }
}
