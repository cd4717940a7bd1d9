import Testing
import TokenBasics

@Suite("Dates of HTTP")
struct HTTPDateTests {
  private static let now = Instant(secondsSinceEpoch: 1_893_499_200)

  @Test(
    "Each of the three forms of RFC 9110, 5.6.7, is read",
    arguments: [
      "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
      "Sun Nov  6 08:49:37 1994",
    ])
  func forms(text: String) {
    let expected = Instant(secondsSinceEpoch: 784_111_777)
    #expect(Instant(httpDate: text, now: Self.now) == expected)
  }

  @Test("A year of two digits is one of the last fifty or the next fifty")
  func century() throws {
    #expect(
      Instant(httpDate: "Tuesday, 01-Jan-30 12:00:00 GMT", now: Self.now) == Self.now)
  }

  @Test(
    "Anything else is none",
    arguments: [
      "", "120", "Sun", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC",
      "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:49:37 GMT",
      "Sun, 06 nov 1994 08:49:37 GMT",
      "Son, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT GMT",
      "Sun, -6 Nov 1994 08:49:37 GMT",
      "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06-Nov-94", "1994-11-06T08:49:37Z",
    ])
  func others(text: String) { #expect(Instant(httpDate: text, now: Self.now) == nil) }
}
