#if Client
  import Federation
  import TestSupport

  /// A clock that moves when somebody waits on it, so that nobody does.
  struct LeapingTime: TimeSource {
    let clock: ManualTime

    var now: Instant { clock.now }

    func wait(_ duration: Duration) async {
      clock.advance(bySeconds: duration.components.seconds)
    }
  }
#endif
