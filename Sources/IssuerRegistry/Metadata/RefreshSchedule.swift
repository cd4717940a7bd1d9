/// When metadata is fetched again. All in seconds.
///
/// The publisher's `cacheDuration` and `validUntil` are wishes, heard within bounds: a publisher
/// can neither make us ask all the time nor make us never ask again.
public struct RefreshSchedule: Hashable, Sendable {
  /// The shortest time between two successful fetches: 300.
  public var shortest: Int64 = 300
  /// The time between two fetches when the publisher does not say: 3600.
  public var usual: Int64 = 3600
  /// The longest time between two fetches: 86,400.
  public var longest: Int64 = 86_400
  /// How long after a first failure the next attempt comes: 2. Each further failure doubles it, up
  /// to ``shortest``.
  public var retry: Int64 = 2
  /// How long metadata is used at most after the server last confirmed it, whatever its `validUntil`
  /// says and also when it says nothing: 2,678,400 (31 days).
  public var longestUse: Int64 = 2_678_400
  /// How long the first use waits for the server while a copy of an earlier run is at hand: 3. After
  /// that, or when the server fails before, the copy serves. 0 to serve the copy at once.
  public var firstAnswer: Int64 = 3

  /// The default schedule.
  public init() {}

  /// The next fetch after a success at `now`: by `cacheDuration`, but when three quarters of the
  /// remaining validity are over at the latest, and up to a tenth earlier, so that many services do
  /// not ask at once. A tenth of ``shortest`` lies between two fetches however short the validity.
  ///
  /// - Parameter jitter: 0 to 1.
  func next(
    after now: Instant, cacheSeconds: Int64?, end: Instant, jitter: Double
  ) -> Instant {
    let nearEnd = max(0, end.seconds - now.seconds) / 4 * 3
    let wish = min(max(cacheSeconds ?? usual, shortest), longest)
    let interval = max(min(wish, nearEnd), shortest / 10, 1)
    return now.advanced(bySeconds: interval - share(interval / 10, jitter))
  }

  /// The next attempt after a number of failures in a row, the last of them at `now`: the back-off,
  /// less up to half.
  func next(after now: Instant, failures: Int, jitter: Double) -> Instant {
    var delay = max(1, retry)
    for _ in 1..<max(1, min(failures, 40)) where delay < shortest { delay *= 2 }
    delay = max(1, min(delay, shortest))
    return now.advanced(bySeconds: delay - share(delay / 2, jitter))
  }

  private func share(_ seconds: Int64, _ jitter: Double) -> Int64 {
    jitter > 0 ? Int64(Double(seconds) * min(jitter, 1)) : 0
  }
}
