#if Client
  import Federation
  import TestSupport

  /// A clock that advances by each wait instead of waiting.
  struct LeapingTime: TimeSource {
    let clock: ManualTime

    var now: Instant { clock.now }

    func wait(_ duration: Duration) async {
      clock.advance(bySeconds: duration.components.seconds)
    }
  }
#endif
