import Testing
import TokenBasics

@Suite("Distances in the units of people")
struct DistanceTests {
  @Test(
    "The two largest units are named, years by the calendar",
    arguments: [
      ("2016-09-20T00:00:00Z", "2025-11-23T15:13:31.935Z", "9 years 64 days"),
      ("2029-01-01T00:00:00Z", "2030-01-01T00:00:00Z", "1 year"),
      ("2029-01-01T00:00:01Z", "2030-01-01T00:00:00Z", "364 days 23 hours"),
      ("2028-02-29T00:00:00Z", "2029-02-28T23:59:59Z", "365 days 23 hours"),
      ("2028-02-29T00:00:00Z", "2029-03-01T00:00:00Z", "1 year"),
      ("2030-01-01T00:00:00Z", "2030-01-03T01:00:00Z", "2 days 1 hour"),
      ("2030-01-01T00:00:00Z", "2030-01-01T05:00:59Z", "5 hours"),
      ("2030-01-01T00:00:00Z", "2030-01-01T00:09:58Z", "9 minutes 58 seconds"),
      ("2030-01-01T00:00:00Z", "2030-01-01T00:00:01.9Z", "1 second"),
      ("2030-01-01T00:00:00Z", "2030-01-01T00:00:00.25Z", "0.250 seconds"),
      ("2030-01-01T00:00:00Z", "2030-01-01T00:00:00Z", "0 seconds"),
      ("2030-01-02T00:00:00Z", "2030-01-01T00:00:00Z", "0 seconds"),
      ("0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "9998 years 364 days"),
    ])
  func words(from: String, to: String, text: String) throws {
    #expect(try Instant(dateTime: to).distance(after: Instant(dateTime: from)) == text)
  }
}
