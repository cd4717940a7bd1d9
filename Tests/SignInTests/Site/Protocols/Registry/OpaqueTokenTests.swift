import TokenBasics
@testable import SignIn
import TestSupport
import Testing

/// A token is a secret of its issuer's: no other server may learn it by being asked (RFC 7662, 4).
@Suite("Which bearer tokens an issuer is asked about")
struct OpaqueTokenTests {
  private func isFor(_ text: String) -> Bool {
    let octets = Array(text.utf8)
    return OpaqueToken.isFor(
      "https://as.example", octets, try? AnyToken(reading: octets), Limits())
  }

  private func jwt(_ payload: String, header: String = "{\"alg\":\"RS256\"}") -> String {
    [header, payload, "x"].map { Base64.encode(Array($0.utf8), .url) }.joined(separator: ".")
  }

  @Test("Its own JSON Web Tokens, and texts that are nothing else")
  func own() {
    for text in [
      jwt("{\"iss\":\"https://as.example\"}"),
      jwt("{\"iss\":\"https://as.example\",\"exp\":\"later\"}"), "opaque-1", "a.b", "a.b.c",
      "~+/=_-", "W10.a.b", "a\"", "00D58!AQ4.x", "abc:def@ghi",
    ] { #expect(isFor(text), "\(text)") }
  }

  @Test("Not another issuer's token, one in another form, or what is no token")
  func foreign() {
    let assertion = TestVector.bytes("saml11/assertion-alone.xml")
    for text in [
      "", jwt("{\"iss\":\"https://other.example\"}"), jwt("{\"sub\":\"a\"}"), jwt("[]"),
      jwt("{\"iss\":[\"https://as.example\"]}"),
      Base64.encode(Array("{\"alg\":\"a\"}".utf8), .url)
        + ".a", "a b", "\u{e4}", Base64.encode(assertion), "a\n",
    ] { #expect(!isFor(text), "\(text.prefix(40))") }
  }
}
