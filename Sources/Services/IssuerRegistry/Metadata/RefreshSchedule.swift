/// The times of metadata refreshes, in seconds.
///
/// The publisher's `cacheDuration` and `validUntil` apply within these bounds, so that a publisher can
/// neither cause constant fetches nor prevent them.
public struct RefreshSchedule: Hashable, Sendable {
  /// The minimum time between two successful fetches; 300 by default.
  public var shortest: Int64 = 300
  /// The time between two fetches without a `cacheDuration`; 3600 by default.
  public var usual: Int64 = 3600
  /// The maximum time between two fetches; 86,400 by default.
  public var longest: Int64 = 86_400
  /// The time from a first failure to the next attempt; 2 by default. Each further failure doubles it, up
  /// to ``shortest``.
  public var retry: Int64 = 2
  /// The maximum time for which metadata is used after the server last confirmed it, whatever its
  /// `validUntil`; 2,678,400 (31 days) by default.
  public var longestUse: Int64 = 2_678_400
  /// The time that the first use waits for a fetch if there is a copy of an earlier run; 3 by default. After
  /// that, or if the fetch fails, the copy is used. 0 uses the copy immediately.
  public var firstAnswer: Int64 = 3

  /// The default times.
  public init() {}

  /// The next fetch after a success at `now`: after `cacheDuration`, but at the latest after three quarters
  /// of the remaining validity, and up to a tenth earlier, so that many services do not fetch at once. The
  /// interval is at least a tenth of ``shortest``, however short the validity.
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
  /// minus up to half of it.
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
