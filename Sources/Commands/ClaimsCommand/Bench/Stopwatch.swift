/// Measures the time of a repeated piece of work on one core.
enum Stopwatch {
  struct Measurement {
    let microseconds: Double
    let count: Int
    var perSecond: Int { microseconds > 0 ? Int((1e6 / microseconds).rounded()) : 0 }
  }

  /// Repeats `work` for about `seconds`, after a tenth of that to warm up.
  static func measure(seconds: Double, _ work: () -> Void) -> Measurement {
    let clock = ContinuousClock()
    run(clock, for: .seconds(seconds / 10), work)
    let start = clock.now
    let count = run(clock, for: .seconds(seconds), work)
    let elapsed = clock.now - start
    let microseconds =
      Double(elapsed.components.seconds) * 1e6 + Double(elapsed.components.attoseconds) / 1e12
    return Measurement(microseconds: microseconds / Double(max(count, 1)), count: count)
  }

  /// Reads the clock after every batch; a batch doubles until it takes a millisecond.
  @discardableResult
  private static func run(
    _ clock: ContinuousClock, for duration: Duration, _ work: () -> Void
  ) -> Int {
    let end = clock.now + duration
    var count = 0
    var batch = 1
    while clock.now < end {
      let start = clock.now
      for _ in 0..<batch { work() }
      count += batch
      if clock.now - start < .milliseconds(1) { batch *= 2 }
    }
    return count
  }
}
