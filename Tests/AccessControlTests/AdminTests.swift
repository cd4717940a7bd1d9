import AccessControl
import HTTPExchange
import TestSupport
import Testing

@Suite("The admin pages of the local Access Control Service")
struct AdminTests {
  private let fixture: SiteFixture

  init() throws { fixture = try SiteFixture() }

  private func signedIn() async throws -> String {
    let response = try await fixture.post("/admin/sign-in", [("password", "admin password")])
    #expect(response.status == 303 && response.fields["Location"] == "/admin")
    return response.cookies
  }

  @Test(
    "Without the password there is a question, with it the configuration; an hour later the question again"
  )
  func password() async throws {
    let question = try await fixture.get("/admin")
    #expect(question.text.contains("button Sign in") && !question.text.contains("uri:talks"))
    let cookie = try await signedIn()
    let page = try await fixture.get("/admin", cookies: cookie).text
    #expect(page.contains("row Talks | uri:talks.example.org | SWT | 600 | default"))
    #expect(
      page.contains("row signs | ") && page.contains("Google: emailaddress | passes it on"))
    #expect(!page.contains("pass word") && !page.contains("client secret"))
    let forged = try await fixture.get("/admin", cookies: cookie + "A")
    #expect(forged.text.contains("button Sign in"))
    fixture.clock.advance(bySeconds: 3_600)
    #expect(try await fixture.get("/admin", cookies: cookie).text.contains("button Sign in"))
  }

  @Test(
    "Wrong passwords are refused, many of them held back, and the right one gets in all the same")
  func guesses() async throws {
    var statuses: [Int] = []
    for _ in 0..<12 {
      let wrong = try await fixture.post(
        "/admin/sign-in", [("password", "guess")], peer: "192.0.2.1")
      #expect(wrong.fields.values("Set-Cookie").isEmpty)
      statuses.append(wrong.status)
    }
    #expect(statuses == Array(repeating: 401, count: 10) + [429, 429])
    let right = try await fixture.post(
      "/admin/sign-in", [("password", "admin password")], peer: "192.0.2.1")
    #expect(right.status == 303)
  }

  @Test("Who signed out is out, with a copy of the cookie too")
  func signedOut() async throws {
    let cookie = try await signedIn()
    let other = try await signedIn()
    let page = try await fixture.get("/admin", cookies: cookie).text
    let csrf = PlainPages.field("csrf", in: page)
    #expect(
      try await fixture.post("/admin/sign-out", [("csrf", csrf)], cookies: cookie).status == 303)
    #expect(try await fixture.get("/admin", cookies: cookie).text.contains("button Sign in"))
    #expect(try await fixture.get("/admin", cookies: other).text.contains("uri:talks"))
  }

  @Test("Rules are tried on claims and on tokens: which rule gives which claim, and which code")
  func tries() async throws {
    let cookie = try await signedIn()
    let csrf = PlainPages.field("csrf", in: try await fixture.get("/admin", cookies: cookie).text)
    func attempt(_ fields: [(String, String)]) async throws -> String {
      try await fixture.post(
        "/admin/try", fields + [("csrf", csrf), ("realm", "uri:talks.example.org")],
        cookies: cookie
      ).text
    }
    let typed = try await attempt([
      ("provider", "Google"), ("claims", "emailaddress=mia@example.org; urn:other=x"),
    ])
    #expect(
      typed.contains(
        "row emailaddress | mia@example.org | default: Google: emailaddress, passes it on"))
    #expect(!typed.contains("urn:other"))
    let nothing = try await attempt([("provider", "Google"), ("claims", "urn:other=x")])
    #expect(nothing.contains("note ACS60001: ") && nothing.contains("code rules.no-output"))
    let token =
      "http%3a%2f%2fschemas.xmlsoap.org%2fws%2f2005%2f05%2fidentity%2fclaims%2fname=Ada"
      + "&Issuer=i&Audience=a&ExpiresOn=1&HMACSHA256=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA%3d"
    let read = try await attempt([("provider", "Google"), ("token", token)])
    #expect(read.contains("row name | Ada | default: Google: name, passes it on"))
    #expect(try await attempt([("provider", "Google"), ("claims", "x")]).contains("ACS90011"))
  }

  @Test("A form of another site does nothing, and nor does one without the cookie")
  func forgery() async throws {
    let cookie = try await signedIn()
    for csrf in ["", "AAAA"] {
      let response = try await fixture.post("/admin/try", [("csrf", csrf)], cookies: cookie)
      #expect(response.status >= 400, "\(response.text)")
    }
    let page = try await fixture.get("/admin", cookies: cookie).text
    let csrf = PlainPages.field("csrf", in: page)
    let without = try await fixture.post("/admin/try", [("csrf", csrf)])
    #expect(without.text.contains("button Sign in"))
    let out = try await fixture.post("/admin/sign-out", [("csrf", csrf)], cookies: cookie)
    #expect(out.fields.values("Set-Cookie").contains { $0.contains("Max-Age=0") })
    #expect(try await fixture.post("/admin", [], cookies: cookie).status == 405)
  }
}
