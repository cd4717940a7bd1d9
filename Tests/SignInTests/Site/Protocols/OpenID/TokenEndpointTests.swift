import HTTPExchange
import SignIn
import TestSupport
import Testing

@Suite("OpenID Connect: the answer of the token endpoint")
struct TokenEndpointTests {
  @Test(
    "RP-18: An answer that is not exactly that of the standard is refused",
    arguments: [
      ("token_type", "\"mac\""), ("token_type", nil), ("token_type", "7"), ("access_token", "7"),
      ("access_token", "\"\""), ("access_token", "\"a\\nb\""),
      ("access_token", "\"a\\u007f\""),
      ("token_type", "null"), ("id_token", nil), ("id_token", "null"), ("id_token", "{}"),
      ("refresh_token", "[]"), ("expires_in", "-1"), ("expires_in", "0"), ("expires_in", "1e9"),
      ("expires_in", "99999999999999999999"), ("expires_in", "\"\""), ("expires_in", "\"0\""),
      ("expires_in", "\"-1\""), ("expires_in", "\"+1\""), ("expires_in", "\" 1\""),
      ("expires_in", "\"1e3\""), ("expires_in", "\"999999999\""),
      ("expires_in", "\"0000000001\""), ("expires_in", "true"), ("error", "\"invalid_grant\""),
    ])
  func malformed(_ member: (name: String, value: String?)) async throws {
    let code = try await OpenIDFixture().refusal { $0.answer = { $0[member.name] = member.value } }
    #expect(code == (member.name == "error" ? .signInRefused : .transportMalformedResponse))
  }

  @Test("RP-18: A lifetime in digits, which Entra ID 1.0 writes as a string, is the number")
  func lifetimeInDigits() async throws {
    let fixture = try OpenIDFixture()
    let signIn = try await fixture.signIn(fixture.party()) {
      $0.answer = { $0["expires_in"] = "\"3599\"" }
    }
    #expect(signIn.accessTokenEnd == fixture.time.now.advanced(bySeconds: 3_599))
  }

  @Test(
    "RP-18: An access token may be missing, as at Azure AD B2C, where nothing is done with it",
    arguments: [nil, "null"])
  func noAccessToken(value: String?) async throws {
    let change: @Sendable (inout ScriptedProvider.State) -> Void = {
      $0.answer = {
        $0["access_token"] = value
        $0["token_type"] = nil
      }
    }
    let fixture = try OpenIDFixture()
    let signIn = try await fixture.signIn(fixture.party(), change)
    #expect(signIn.principal.subject == "alice" && signIn.accessToken == nil)
    let bound = try await OpenIDFixture().refusal {
      change(&$0)
      $0.payload = { $0["at_hash"] = "\"AAAAAAAAAAAAAAAAAAAAAA\"" }
    }
    #expect(bound == .transportMalformedResponse)
    let asking = try OpenIDFixture()
    let error = await #expect(throws: TokenError.self) {
      try await asking.signIn(asking.party { $0.userInfo = .always }, change)
    }
    #expect(error?.code == .transportMalformedResponse)
    #expect(error?.expected?.contains("`scopes`") == true)
  }

  @Test(
    "RP-18: What the standard leaves open is accepted",
    arguments: [
      ("token_type", "\"bearer\""), ("expires_in", nil), ("refresh_token", nil),
      ("scope", "\"openid\""), ("expires_in", "315360000"), ("expires_in", "null"),
      ("expires_in", "\"1\""), ("refresh_token", "null"), ("error", "null"),
    ])
  func open(_ member: (name: String, value: String?)) async throws {
    let code = try await OpenIDFixture().refusal { $0.answer = { $0[member.name] = member.value } }
    #expect(code == nil)
  }

  @Test(
    "RP-18: A page, a redirect, a duplicate name, an error or an outage is refused, each by its code"
  )
  func otherAnswers() async throws {
    let answers: [(HTTPResponse, TokenError.Code)] = [
      (.of(200, "text/html", "<html>"), .transportMalformedResponse),
      (.json("<html>"), .transportMalformedResponse), (.json("[]"), .transportMalformedResponse),
      (.json("{\"token_type\":\"x\",\"token_type\":\"Bearer\"}"), .duplicateJSONName),
      (.of(302), .transportRedirect), (.of(500), .transportStatus),
      (.of(400, "text/html", "no"), .transportStatus),
      (.json("{\"error\":\"invalid_client\"}", status: 401), .signInRefused),
      (.json("{\"error\":\"invalid_grant\"}"), .signInRefused),
      (.json("{\"error\":7}", status: 400), .transportStatus),
      (.json("{\"error\":\"invalid_grant\"}", status: 500), .transportStatus),
    ]
    for (answer, expected) in answers {
      let code = try await OpenIDFixture().refusal { $0.replaced["/token"] = answer }
      #expect(code == expected)
    }
  }

  @Test("RFC 6749, 5.1: The token endpoint is asked for JSON")
  func accepts() async throws {
    let fixture = try OpenIDFixture()
    _ = try await fixture.signIn(fixture.party())
    let sent = fixture.transport.requests.filter { $0.url.path.hasSuffix("/token") }
    #expect(sent.map { $0.fields["Accept"] } == ["application/json"])
  }

  @Test("RP-18: No error of an answer shows what is in it")
  func secrecy() async throws {
    let fixture = try OpenIDFixture()
    for change: @Sendable (inout [String: String]) -> Void in [
      { $0["token_type"] = "\"hidden-1\"" }, { $0["id_token"] = "\"hidden-1\"" },
      { $0["access_token"] = "\"hidden-1\\u0007\"" },
    ] {
      let error = await #expect(throws: TokenError.self) {
        try await fixture.signIn(fixture.party()) { $0.answer = change }
      }
      #expect(error.map { !"\($0)".contains("hidden-1") } == true)
    }
  }
}
