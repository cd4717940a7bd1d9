import AccessControl
import HTTPExchange
import TestSupport
import Testing

@Suite("Sign-outs of WS-Federation that any page could ask for")
struct SignOutLinkTests {
  private let fixture: SiteFixture

  init() throws { fixture = try SiteFixture() }

  private func signedIn() async throws -> String {
    try await fixture.press(
      "0",
      at: fixture.link(SignInContext(.passive, realm: "uri:talks.example.org", provider: "Google"))
    ).cookies
  }

  private func send(
    _ action: String, _ cookies: String, _ fields: [(String, String)]
  ) async throws -> String {
    var request = WebRequest(method: "GET", path: "/v2/wsfederation", query: "wa=" + action)
    try request.fields.append("Cookie", cookies)
    for (name, value) in fields { try request.fields.append(name, value) }
    return await fixture.site.respond(to: request).text
  }

  private func isSignedIn(_ cookies: String) async throws -> Bool {
    try await fixture.get("/v2/openid/logout", cookies: cookies).text.contains("Sign out?")
  }

  @Test("A link asks, unless it is on a page of a relying party that is signed in to")
  func links() async throws {
    for (referrer, isAsked) in [
      (nil, true), ("https://evil.example/", true), ("https://errors.example/signin", true),
      ("https://talks.example.org.evil.example/", true), ("http://talks.example.org/", true),
      ("https://talks.example.org/any/page?x", false),
    ] as [(String?, Bool)] {
      let cookies = try await signedIn()
      let page = try await send(
        "wsignout1.0", cookies,
        [("Sec-Fetch-Mode", "navigate")] + (referrer.map { [("Referer", $0)] } ?? []))
      #expect(page.contains("Sign out?") == isAsked, "\(referrer ?? "none")")
      #expect(try await isSignedIn(cookies) == isAsked)
    }
  }

  @Test("A picture ends nothing, wherever it is")
  func pictures() async throws {
    for fields in [
      [("Sec-Fetch-Mode", "no-cors"), ("Sec-Fetch-Dest", "image")],
      [("Accept", "image/png,image/*")],
    ] {
      let cookies = try await signedIn()
      let page = try await send(
        "wsignout1.0", cookies, fields + [("Referer", "https://talks.example.org/")])
      #expect(page.contains("Nothing was ended"))
      #expect(try await isSignedIn(cookies))
    }
  }

  @Test(
    "A clean-up asks nothing, and ends nothing that came from elsewhere than WS-Federation above")
  func cleanUps() async throws {
    let cookies = try await signedIn()
    for fields in [[], [("Referer", "https://talks.example.org/")]] {
      let page = try await send("wsignoutcleanup1.0", cookies, fields)
      #expect(page.contains("Nothing was ended") && !page.contains("Sign out?"))
    }
    #expect(try await isSignedIn(cookies))
    #expect(try await send("wsignoutcleanup1.0", "a=b", []).contains("You are signed out"))
  }
}
