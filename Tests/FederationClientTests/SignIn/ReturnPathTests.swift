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
      "/exam\u{AD}ple", "/ä", "", " /a", "a", "/%zz", "/a\u{0}", "/%00", "/a<b", "/a\"b",
    ])
  func refused(text: String) {
    expect(throws: TokenError(.clientReturnTarget)) { try ReturnPath(text) }
  }

  @Test("A path of this site is taken as it is", arguments: ["/", "/talks?id=7&x=%C3%A4", "/a//b"])
  func taken(text: String) throws {
    #expect(try ReturnPath(text).text == text)
  }
}

@Suite("Sign-ins that were begun")
struct PendingSignInTests {
  @Test("RP-4 No more are kept than the limit, and none longer than its time")
  func bounded() async throws {
    let time = ManualTime(ACS.now)
    let pending = PendingSignIns(time: time, lifetime: 600, limit: 2)
    let flow = PassiveSignIn(
      try ACS.service(), trust: try ACS.trust(), pending: pending, time: time)
    var begun: [(state: String, browser: Secret)] = []
    for _ in 0..<3 {
      begun.append(try await PassiveSignInTests.begin(flow))
      time.advance(bySeconds: 1)
    }
    let wresult = try ACS.wresult(.swt)
    await expect(throws: TokenError(.clientState)) {
      try await flow.receive(
        PassiveSignInTests.answer(wresult, begun[0].state), browser: begun[0].browser)
    }
    _ = try await flow.receive(
      PassiveSignInTests.answer(wresult, begun[1].state), browser: begun[1].browser)
    #expect(Set(begun.map(\.state)).count == 3)
    #expect(begun.allSatisfy { $0.state.utf8.count == 40 && $0.browser.revealed != $0.state })
  }
}
