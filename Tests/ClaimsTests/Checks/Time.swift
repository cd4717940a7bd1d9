import Claims
import Testing
import TokenBasics

@Suite("The validity window of a token, in every format")
struct TimeCheckTests {
  /// Seconds of now, start and end, and what they come to with a skew of 60.
  static let windows: [(Int64, Int64?, Int64?, TokenError.Code?)] = [
    (1_000, nil, 941, nil), (1_000, nil, 940, .expired), (1_000, 1_060, 2_000, nil),
    (1_000, 1_061, 2_000, .notYetValid), (1_000, nil, nil, .noExpiry),
    (1_000, 1_050, 1_050, .emptyWindow),
  ]

  @Test("A validity window is open at its end, give or take the skew", arguments: windows)
  func window(now: Int64, start: Int64?, end: Int64?, code: TokenError.Code?) {
    var context = SharedCheck.context(at: Instant(secondsSinceEpoch: now))
    context.checkWindow(
      notBefore: start.map { Instant(secondsSinceEpoch: $0) },
      expires: end.map { Instant(secondsSinceEpoch: $0) }, node: nil)
    #expect(context.journal.firstFailure?.code == code)
  }
}
