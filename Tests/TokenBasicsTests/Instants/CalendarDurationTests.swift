import Testing
import TokenBasics

@Suite("Durations")
struct CalendarDurationTests {
  @Test(
    "A duration reads as months and seconds, and writes itself back",
    arguments: [
      ("PT6H", 0, 21_600, "PT6H"), ("P7D", 0, 604_800, "P7D"), ("P1M", 1, 0, "P1M"),
      ("P1Y2M3DT4H5M6S", 14, 273_906, "P1Y2M3DT4H5M6S"), ("PT604800S", 0, 604_800, "P7D"),
      ("PT1393462294S", 0, 1_393_462_294, "P16128DT51M34S"),
      ("PT1.5S", 0, 1, "PT1S"), ("P0D", 0, 0, "PT0S"),
      ("P999999999Y", 11_999_999_988, 0, "P999999999Y"),
    ])
  func reads(text: String, months: Int, seconds: Int, written: String) throws {
    let duration = try CalendarDuration(text)
    #expect(duration.months == Int64(months))
    #expect(duration.seconds == Int64(seconds))
    #expect(duration.description == written)
  }

  @Test("META-4: zero, negative and enormous durations have a length and never trap")
  func extremes() throws {
    #expect(try CalendarDuration("P0D").approximateSeconds == 0)
    #expect(try CalendarDuration("-P1D").approximateSeconds == -86_400)
    #expect(
      try CalendarDuration("P9999999999Y9999999999M9999999999DT9999999999H9999999999M9999999999S")
        .approximateSeconds > 0)
  }

  @Test(
    "META-4: what is no duration is refused",
    arguments: [
      "", "P", "PT", "6H", "P6H", "PT6D", "P1S", "P1D2M", "P-1D", "P1.5D", "PT1.S", "P1DT", "P 1D",
      "P10000000000Y", "p1d", "P1D ", "--P1D",
    ])
  func refuses(text: String) {
    #expect(throws: TokenError(.malformedDuration)) { try CalendarDuration(text) }
  }
}
