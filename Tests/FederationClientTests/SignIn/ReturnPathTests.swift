import ClientScript
import Federation
import FederationClient
import SecrecyTesting
import TestSupport
import Testing

@Suite("Places to return to")
struct ReturnPathTests {
  @Test(
    "RP-5 BIND-11 A target that could leave this site is refused",
    arguments: [
      "https://evil.example", "//evil.example", "///evil.example", "/\\evil.example", "\\\\evil",
      "/%09/evil", "/%2F%2Fevil", "/%5Cevil", "https:evil.example", "http:///evil.example",
      "javascript:alert(1)", "data:text/html,x", "https://rp.example@evil.example",
      "https://rp.example.evil.example", "https://rp.example\\@evil.example",
      "https://rp.example%2f@evil.example", "/\tevil", "/a\nb", "/a\r\nSet-Cookie: b", "/%0d%0aX",
      "/exam\u{AD}ple", "/ä", "", " /a", "a", "/%zz", "/a\u{0}", "/%00", "/a b", "/%7F", "/a<b",
      "/a\"b",
    ])
  func refused(text: String) {
    expect(throws: TokenError(.clientReturnTarget)) { try ReturnPath(text) }
  }

  @Test("A path of this site is accepted as is", arguments: ["/", "/talks?id=7&x=%C3%A4", "/a//b"])
  func taken(text: String) throws {
    #expect(try ReturnPath(text).text == text)
  }
}
