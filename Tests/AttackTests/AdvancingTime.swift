import Synchronization
import TokenBasics

/// A clock that goes on by what is waited for.
final class AdvancingTime: TimeSource {
  private let state: Mutex<(milliseconds: Int64, waits: [Duration])>

  init() { state = Mutex((0, [])) }

  var now: Instant {
    let passed = state.withLock { $0.milliseconds }
    return Instant(
      secondsSinceEpoch: 1_893_499_200 + passed / 1_000,
      nanoseconds: Int32(passed % 1_000) * 1_000_000)
  }

  /// What was waited for, in order.
  var waits: [Duration] { state.withLock { $0.waits } }

  func wait(_ duration: Duration) async {
    let (seconds, attoseconds) = duration.components
    state.withLock { state in
      state.milliseconds += seconds * 1_000 + attoseconds / 1_000_000_000_000_000
      state.waits.append(duration)
    }
  }
}
