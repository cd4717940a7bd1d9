import AccessControl
import Federation
import HTTPExchange
import JSONWebTokens
import SecurityKeys
import TestSupport
import Testing

@Suite(
  "Whether a client may sign a person out without a question (OpenID Connect RP-Initiated Logout 1.0, 2)"
)
struct LogoutQuestionTests {
  private let fixture: OAuthFixture

  init() throws {
    let address = try HTTPURL("https://chat.example/logout")
    fixture = try OAuthFixture {
      $0[0].backChannelLogout = address
      $0[0].exchange.resourceClients = ["other"]
    }
  }

  /// A browser in which a person signed in at a client.
  private struct SignedIn {
    let cookies: String
    let idToken: String
    let accessToken: String
  }

  private func signIn(
    _ client: String = "chat", person: String = "0"
  ) async throws -> SignedIn {
    let answer = try await fixture.answer(client, person: person)
    let tokens = try await fixture.redeem(answer.parameters.require("code"), client).json
    return SignedIn(
      cookies: answer.cookies, idToken: try #require(tokens["id_token"]?.string),
      accessToken: try #require(tokens["access_token"]?.string))
  }

  private func isSignedIn(_ browser: SignedIn) async throws -> Bool {
    try await fixture.userInfo(browser.accessToken).status == 200
  }

  private func target(_ fields: [(String, String)] = []) -> String {
    "/v2/openid/logout?"
      + fields.map { $0 + "=" + HTTPURL.percentEncoded($1) }.joined(separator: "&")
  }

  private func isQuestion(_ response: HTTPExchange.HTTPResponse) -> Bool {
    response.status == 200 && response.text.contains("heading Sign out?")
  }

  @Test(
    "Who shows the ID token of the session signs out at once, also when it has expired",
    arguments: [("chat", 0), ("chat", 7200), ("other", 0), ("other", 7200)])
  func hint(client: String, age: Int64) async throws {
    let browser = try await signIn(client)
    fixture.site.clock.advance(bySeconds: age)
    let out = try await fixture.site.get(
      target([
        ("id_token_hint", browser.idToken), ("client_id", client), ("state", "z"),
        ("post_logout_redirect_uri", OAuthFixture.address(client)),
      ]), cookies: browser.cookies)
    #expect(out.fields["Location"] == OAuthFixture.address(client) + "?state=z", "\(out.text)")
    #expect(try await !isSignedIn(browser))
  }

  @Test("By a posted form it is the same")
  func posted() async throws {
    let browser = try await signIn()
    let asked = try await fixture.site.post(
      "/v2/openid/logout", [("client_id", "chat")], cookies: browser.cookies)
    #expect(isQuestion(asked))
    #expect(try await isSignedIn(browser))
    let out = try await fixture.site.post(
      "/v2/openid/logout", [("id_token_hint", browser.idToken)], cookies: browser.cookies)
    #expect(out.text.contains("heading You are signed out"), "\(out.text)")
    #expect(try await !isSignedIn(browser))
  }

  @Test("Without it the person is asked, and nothing ends until they say so")
  func question() async throws {
    let browser = try await signIn()
    let target = target([
      ("client_id", "chat"), ("post_logout_redirect_uri", OAuthFixture.address("chat")),
      ("state", "z"),
    ])
    let page = try await fixture.site.get(target, cookies: browser.cookies)
    #expect(isQuestion(page) && page.text.contains("note chat asks to sign you out here."))
    #expect(page.text.contains("button Sign out") && page.text.contains("button Stay signed in"))
    #expect(try await isSignedIn(browser))
    let stayed = try await fixture.site.signOut(browser.cookies, at: target, answer: "stay")
    #expect(stayed.text.contains("heading You are still signed in"), "\(stayed.text)")
    #expect(stayed.fields["Location"] == nil)
    #expect(try await isSignedIn(browser))
    let out = try await fixture.site.signOut(browser.cookies, at: target)
    #expect(out.fields["Location"] == OAuthFixture.address("chat") + "?state=z")
    #expect(try await !isSignedIn(browser))
    // Who is signed in to nothing is asked nothing.
    let again = try await fixture.site.get(target, cookies: browser.cookies)
    #expect(again.fields["Location"] == OAuthFixture.address("chat") + "?state=z")
  }

  @Test(
    "An ID token of another session, person or client, or one that is none, is no hint, whether or not its client has a back channel",
    arguments: [("chat", "other"), ("other", "chat")])
  func otherHints(client: String, another: String) async throws {
    let browser = try await signIn(client)
    let parts = browser.idToken.split(separator: ".").map(String.init)
    for (what, hint) in [
      ("another browser", try await signIn(client).idToken),
      ("another person", try await signIn(client, person: "1").idToken),
      ("another client", try await signIn(another).idToken),
      ("an access token", browser.accessToken), ("no signature", parts[0] + "." + parts[1] + "."),
      (
        "another signature",
        parts[0] + "." + parts[1] + "." + String(repeating: "A", count: parts[2].utf8.count)
      ),
      ("nothing", ""), ("no token", "a.b.c"),
    ] {
      let page = try await fixture.site.get(
        target([("id_token_hint", hint)]), cookies: browser.cookies)
      #expect(isQuestion(page), "\(what)")
      #expect(try await isSignedIn(browser), "\(what)")
    }
    let page = try await fixture.site.get(
      target([("id_token_hint", browser.idToken)]), cookies: browser.cookies)
    #expect(!isQuestion(page))
    #expect(try await !isSignedIn(browser))
  }

  @Test("RFC 9068: Another client's access token for the party, about the same person, is no hint")
  func accessToken() async throws {
    let browser = try await signIn()
    let tokens = try await fixture.tokens("other", ["scope": "openid", "resource": "chat"])
    let token = try #require(tokens["access_token"]?.string)
    #expect(token.split(separator: ".").count == 3)
    let page = try await fixture.site.get(
      target([("id_token_hint", token)]), cookies: browser.cookies)
    #expect(isQuestion(page), "\(page.text)")
    #expect(try await isSignedIn(browser))
  }

  @Test(
    "A client_id beside the ID token of another client, and an address of another client, are refused"
  )
  func contradiction() async throws {
    let browser = try await signIn()
    for (code, fields) in [
      ("issuing.missing-field", [("id_token_hint", browser.idToken), ("client_id", "other")]),
      (
        "issuing.reply-address",
        [
          ("id_token_hint", browser.idToken),
          ("post_logout_redirect_uri", OAuthFixture.address("other")),
        ]
      ),
      ("issuing.unknown-realm", [("client_id", "stranger")]),
    ] {
      let refused = try await fixture.site.get(target(fields), cookies: browser.cookies)
      #expect(refused.status == 400 && refused.text.contains("code \(code)"), "\(refused.text)")
    }
    #expect(try await isSignedIn(browser))
  }

  @Test("The form counts in the browser that was asked, with its token, once")
  func forms() async throws {
    let browser = try await signIn()
    let other = try await signIn(person: "1")
    let (page, cookies) = try await fixture.site.providerPage(target(), cookies: browser.cookies)
    let (_, theirs) = try await fixture.site.providerPage(target(), cookies: other.cookies)
    let token = PlainPages.field("token", in: page)
    func answer(
      _ fields: [(String, String)], _ cookies: String?, _ code: String
    ) async throws {
      let refused = try await fixture.site.post("/v2/sign-out", fields, cookies: cookies)
      #expect(refused.status == 400 && refused.text.contains("code \(code)"), "\(refused.text)")
    }
    let out = [("token", token), ("answer", "out")]
    try await answer(out, theirs, "logout.unsolicited")
    try await answer(out, browser.cookies, "logout.unsolicited")
    try await answer(out, nil, "logout.unsolicited")
    try await answer([("token", "x"), ("answer", "out")], cookies, "logout.unsolicited")
    try await answer([("answer", "out")], cookies, "client.parameter")
    try await answer([("token", token), ("answer", "x")], cookies, "issuing.missing-field")
    // The way on of a sign-out is none of a question.
    let onward = try await fixture.site.get("/v2/sign-out", cookies: cookies)
    #expect(onward.status == 400 && onward.text.contains("code logout.unsolicited"))
    #expect(try await isSignedIn(browser))
    #expect(try await isSignedIn(other))
    let ended = try await fixture.site.post("/v2/sign-out", out, cookies: cookies)
    #expect(ended.text.contains("heading You are signed out"), "\(ended.text)")
    #expect(try await !isSignedIn(browser))
    try await answer(out, cookies, "logout.unsolicited")
    #expect(try await isSignedIn(other))
  }
}
