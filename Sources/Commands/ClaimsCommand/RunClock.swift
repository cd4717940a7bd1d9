import Federation
import Instants

/// The clock of the checks.
enum RunClock: Sendable {
  case fixed(Instant)
  case ofTheMachine

  /// The instant now: the system's clock advances.
  var now: Instant {
    switch self {
    case .fixed(let instant): instant
    case .ofTheMachine: SystemTime().now
    }
  }
}
