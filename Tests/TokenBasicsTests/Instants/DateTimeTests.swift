import Testing
import TokenBasics

@Suite("xs:dateTime")
struct DateTimeTests {
  @Test(
    "A time that issuers write is read",
    arguments: [
      ("1970-01-01T00:00:00Z", 0, 0), ("2030-01-01T12:00:00Z", 1_893_499_200, 0),
      ("2030-01-01T12:00:00.5Z", 1_893_499_200, 500_000_000),
      ("2030-01-01T12:00:00.3593475Z", 1_893_499_200, 359_347_500),
      ("2030-01-01T12:00:00.9999999999999999999Z", 1_893_499_200, 999_999_999),
      ("2030-01-01T14:00:00+02:00", 1_893_499_200, 0),
      ("2030-01-01T00:30:00-11:30", 1_893_499_200, 0),
      ("2030-01-02T02:00:00+14:00", 1_893_499_200, 0),
      ("2030-01-01T12:00:00+00:00", 1_893_499_200, 0),
      ("2028-02-29T00:00:00Z", 1_835_395_200, 0), ("2000-02-29T00:00:00Z", 951_782_400, 0),
      ("2029-12-31T24:00:00Z", 1_893_456_000, 0), ("1969-12-31T23:59:59Z", -1, 0),
      ("0001-01-01T00:00:00Z", -62_135_596_800, 0),
      ("9999-12-31T23:59:59Z", 253_402_300_799, 0),
    ] as [(String, Int64, Int32)])
  func reads(text: String, seconds: Int64, nanoseconds: Int32) throws {
    let instant = try Instant(dateTime: text)
    #expect(instant.seconds == seconds)
    #expect(instant.nanoseconds == nanoseconds)
  }

  @Test(
    "Anything else is refused, not rolled over or repaired",
    arguments: [
      "", "2030-01-01", "2030-02-30T00:00:00Z", "2029-02-29T00:00:00Z", "1900-02-29T00:00:00Z",
      "2030-13-01T00:00:00Z", "2030-00-01T00:00:00Z", "2030-01-00T00:00:00Z",
      "2030-01-01T25:00:00Z", "2030-01-01T24:00:01Z", "2030-01-01T24:00:00.1Z",
      "2030-01-01T00:60:00Z", "2030-01-01T00:00:60Z", "2030-1-1T0:0:0Z", "2030-01-01T00:00Z",
      "2030-01-01 00:00:00Z", "2030-01-01t00:00:00Z", "2030-01-01T00:00:00z",
      "2030-01-01T00:00:00,5Z", "2030-01-01T00:00:00.Z", "2030-01-01T00:00:00",
      "2030-01-01T00:00:00+99:99", "2030-01-01T00:00:00+14:01", "2030-01-01T00:00:00+2:00",
      "2030-01-01T00:00:00+0200", "2030-01-01T00:00:00Z+00:00", "2030-01-01T00:00:00Zjunk",
      "1893499200", "2030-W01-1T00:00:00Z", "٢٠٣٠-01-01T00:00:00Z", "+2030-01-01T00:00:00Z",
      "-2030-01-01T00:00:00Z", "0000-01-01T00:00:00Z", "12024-01-01T00:00:00Z",
      " 2030-01-01T00:00:00Z", "2030-01-01T00:00:00Z ", "0001-01-01T00:00:00+01:00",
      "9999-12-31T24:00:00Z",
    ])
  func refuses(text: String) {
    #expect(throws: TokenError(.malformedTime)) { try Instant(dateTime: text) }
  }

  @Test("10,000 digits of a fraction neither trap nor take long")
  func longFraction() throws {
    let text = "2030-01-01T12:00:00." + String(repeating: "9", count: 10_000) + "Z"
    #expect(try Instant(dateTime: text).nanoseconds == 999_999_999)
  }

  @Test("What is written reads back the same", arguments: [0, -1, 951_782_399, 1_893_499_200])
  func roundTrip(seconds: Int64) throws {
    let instant = Instant(secondsSinceEpoch: seconds, nanoseconds: 120_000_000)
    #expect(try Instant(dateTime: instant.rfc3339) == instant)
    #expect(instant.rfc3339.hasSuffix(".12Z"))
    #expect(instant.withMilliseconds.hasSuffix(".120Z"))
  }

  @Test("Arithmetic at the ends of time stays there")
  func saturates() {
    let last = Instant(secondsSinceEpoch: .max)
    #expect(last.advanced(bySeconds: .max) == last)
    #expect(last.advanced(bySeconds: 600) == last)
    let first = Instant(secondsSinceEpoch: .min)
    #expect(first.advanced(bySeconds: .min) == first)
    #expect(first < last)
  }
}
