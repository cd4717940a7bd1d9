import Federation
import Instants

/// The clock that tokens are judged by.
enum RunClock: Sendable {
  case fixed(Instant)
  case ofTheMachine

  /// The instant now: that of the machine moves on.
  var now: Instant {
    switch self {
    case .fixed(let instant): instant
    case .ofTheMachine: SystemTime().now
    }
  }
}
