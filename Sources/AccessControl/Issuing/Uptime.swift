import Synchronization
import TokenErrors

/// Time since some moment, by a clock that nobody sets: what waits and limits are measured with.
package struct Uptime: Sendable {
  private let read: @Sendable () -> Duration

  /// - Parameter read: The time since any moment; it never goes back.
  package init(_ read: @escaping @Sendable () -> Duration) { self.read = read }

  /// The clock of the system, which goes on when the time of day is set.
  package static var system: Self {
    let start = ContinuousClock.now
    return Self { ContinuousClock.now - start }
  }

  var now: Duration { read() }
}

/// Says when something is due that is done now and then.
final class Occasion: Sendable {
  private let uptime: Uptime
  private let pause: Duration
  private let last: Mutex<Duration>

  init(_ uptime: Uptime, every pause: Duration) {
    self.uptime = uptime
    self.pause = pause
    last = Mutex(uptime.now)
  }

  /// True once a pause.
  var isDue: Bool {
    let now = uptime.now
    return last.withLock { last in
      guard now - last >= pause else { return false }
      last = now
      return true
    }
  }
}
