@testable import IssuerRegistry
import Testing

@Suite("Times of metadata refreshes")
struct RefreshScheduleTests {
  let now = Instant(secondsSinceEpoch: 1_893_499_200)

  func delay(_ cache: Int64?, validFor: Int64 = 1 << 40, jitter: Double = 0) -> Int64 {
    RefreshSchedule().next(
      after: now, cacheSeconds: cache, end: now.advanced(bySeconds: validFor), jitter: jitter
    ).seconds - now.seconds
  }

  @Test(
    "The publisher's cacheDuration applies within bounds (META-4)",
    arguments: [
      (nil, 3600), (7200, 7200), (1, 300), (0, 300), (-86_400, 300), (1 << 40, 86_400),
    ] as [(Int64?, Int64)])
  func bounds(cache: Int64?, expected: Int64) { #expect(delay(cache) == expected) }

  @Test(
    "Near its expiry metadata is fetched before it, but not arbitrarily often",
    arguments: [(10_000, 3600), (4000, 3000), (400, 300), (100, 75), (4, 30), (0, 30), (-5, 30)]
      as [(Int64, Int64)])
  func end(remaining: Int64, expected: Int64) {
    #expect(delay(nil, validFor: remaining) == expected)
  }

  @Test("Jitter takes up to a tenth away, whatever its source returns")
  func jitter() {
    #expect(delay(nil, jitter: 1) == 3240)
    #expect(delay(nil, jitter: 0.5) == 3420)
    #expect(delay(nil, jitter: 1e300) == 3240)
    #expect(delay(nil, jitter: -7) == 3600)
    #expect(delay(nil, jitter: .nan) >= 3240)
  }

  @Test("Failures in a row back off to the shortest interval, and no number of them overflows")
  func backOff() {
    let delays = [1, 2, 3, 4, 7, 8, 9, 100, .max].map {
      RefreshSchedule().next(after: now, failures: $0, jitter: 0).seconds - now.seconds
    }
    #expect(delays == [2, 4, 8, 16, 128, 256, 300, 300, 300])
    #expect(
      RefreshSchedule().next(after: now, failures: 9, jitter: 1).seconds - now.seconds == 150)
  }
}
