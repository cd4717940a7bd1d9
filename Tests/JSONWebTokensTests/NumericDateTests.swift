import Claims
import JSONWebTokens
import TestSupport
import Testing
import TokenBasics

@Suite("Times of a JWT")
struct NumericDateTests {
  /// The facts of a token whose `exp` is written like this.
  private func expiry(_ number: String) throws -> Instant? {
    let token = [#"{"alg":"HS256"}"#, "{\"exp\":\(number)}", "x"]
      .map { Base64.encode(Array($0.utf8), .url) }
    return try JSONWebToken(parsing: Array(token.joined(separator: ".").utf8))
      .unverifiedFacts.expires
  }

  @Test(
    "TIME-13 Every spelling that JSON has for a number is the same time, exactly",
    arguments: [
      "1683061093", "1683061093.0", "1.683061093e9", "1.683061093e+09", "1.683061093E9",
      "16830610930e-1", "1683061093000E-03", "0.1683061093e10", "1683061093.000000000000000",
      "168306109.3e1", "0.00001683061093e14", "1683061093e0", "1683061093e-0",
    ])
  func spellings(number: String) throws {
    #expect(try expiry(number) == Instant(secondsSinceEpoch: 1_683_061_093))
  }

  @Test("TIME-13 A fraction is kept to the nanosecond, before 1970 too")
  func fractions() throws {
    #expect(
      try expiry("1893499500.75")
        == Instant(secondsSinceEpoch: 1_893_499_500, nanoseconds: 750_000_000))
    #expect(
      try expiry("1893499500123456789.9e-9")
        == Instant(secondsSinceEpoch: 1_893_499_500, nanoseconds: 123_456_789))
    #expect(try expiry("123e-5") == Instant(secondsSinceEpoch: 0, nanoseconds: 1_230_000))
    #expect(try expiry("-0.25") == Instant(secondsSinceEpoch: -1, nanoseconds: 750_000_000))
    #expect(try expiry("-62135596800") == Instant(secondsSinceEpoch: -62_135_596_800))
  }

  @Test(
    "TIME-13 Zero is zero with any exponent, and what is too small is too",
    arguments: [
      "0", "-0", "0.0", "0e999999999999", "-0E-5", "1e-400", "0.0000000001", "1e-99999999999",
    ])
  func zeros(number: String) throws {
    #expect(try expiry(number) == Instant(secondsSinceEpoch: 0))
  }

  @Test(
    "TIME-13 A number outside of the years 1 to 9999 is refused, whatever its spelling",
    arguments: [
      "253402300800", "2.534023008e11", "1e300", "1e400", "1e999999999999", "9223372036854775808",
      "-62135596801", "-1e12", "-1e300", String(repeating: "9", count: 400),
    ])
  func range(number: String) throws {
    #expect(throws: TokenError(.malformedTime)) { try expiry(number) }
    #expect(try expiry("253402300799.999") != nil)
  }

  @Test("TIME-13 A text is no time, and null is none at all")
  func texts() throws {
    for value in [#""1683061093""#, "true", "[1]", "{}"] {
      #expect(throws: TokenError(.malformedTime)) { try expiry(value) }
    }
    #expect(try expiry("null") == nil)
  }

  @Test(
    "A time in a finer unit is called by its name",
    arguments: [
      ("1795611660000", "milliseconds"), ("1.79561166e12", "milliseconds"),
      ("1795611660000000", "microseconds"), ("1795611660000000000", "nanoseconds"),
    ])
  func finerUnits(number: String, unit: String) {
    let token = [#"{"alg":"HS256"}"#, "{\"exp\":\(number)}", "x"]
      .map { Base64.encode(Array($0.utf8), .url) }
    do throws(TokenError) {
      _ = try JSONWebToken(parsing: Array(token.joined(separator: ".").utf8))
      Issue.record("accepted")
    } catch {
      #expect(error.code == .malformedTime)
      #expect(error.hint.contains(unit) && error.hint.contains("2026-11-25T13:01:00Z"))
      #expect(!error.hint.contains("xs:dateTime"))
    }
  }
}
