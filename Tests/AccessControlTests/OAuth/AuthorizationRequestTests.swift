import AccessControl
import HTTPExchange
import TestSupport
import Testing
import TokenBasics

@Suite("What an authorization request asks, and the word of each refusal")
struct AuthorizationRequestTests {
  private let fixture: OAuthFixture

  init() throws { fixture = try OAuthFixture() }

  /// Mia's ID token for a client.
  private func idToken(_ client: String = "chat") async throws -> String {
    try #require(try await fixture.tokens(client)["id_token"]?.string)
  }

  private func push(
    _ changes: [String: String?]
  ) async throws -> (status: Int, json: JSONValue, response: HTTPExchange.HTTPResponse) {
    try await fixture.post(
      "/v2/openid/par", OAuthFixture.parameters("chat", changes).map { ($0.0, $0.1) })
  }

  // MARK: Whom the client expects

  @Test("OpenID Connect Core 1.0, 3.1.2.2: a client that names Mia by a hint gets no code of Tom")
  func hint() async throws {
    let hint = try await idToken()
    for age: Int64 in [0, 7_200] {
      fixture.site.clock.advance(bySeconds: age)
      let mia = try await fixture.answer("chat", ["id_token_hint": hint])
      #expect(mia.parameters["code"] != nil && mia.parameters["error"] == nil)
      let tom = try await fixture.answer("chat", ["id_token_hint": hint], person: "1")
      #expect(tom.parameters["error"] == "login_required" && tom.parameters["code"] == nil)
    }
    #expect(try await fixture.answer(person: "1").parameters["code"] != nil)
  }

  @Test("A pushed request keeps the person whom its hint names")
  func pushedHint() async throws {
    let hint = try await idToken()
    for (person, isGiven) in [("0", true), ("1", false)] {
      let pushed = try await push(["id_token_hint": hint])
      #expect(pushed.status == 201, "\(pushed.response.text)")
      let answer = try await fixture.answer(
        "chat", ["request_uri": pushed.json["request_uri"]?.string], person: person)
      #expect((answer.parameters["code"] != nil) == isGiven)
    }
  }

  @Test("A hint is an ID token of this service for that client")
  func otherHints() async throws {
    let own = try await idToken()
    let forged = String(own.dropLast(4)) + "AAAA"
    for hint in [try await idToken("other"), forged, "x"] {
      let answer = try await fixture.answer("chat", ["id_token_hint": hint])
      #expect(answer.parameters["error"] == "invalid_request", "\(hint)")
      let pushed = try await push(["id_token_hint": hint])
      #expect(pushed.status == 400 && pushed.json["error"]?.string == "invalid_request")
    }
    #expect(try await fixture.answer("chat", ["id_token_hint": own]).parameters["code"] != nil)
  }

  @Test("What is too large is told to the person, and not sent on to the client")
  func large() async throws {
    for (length, isSentOn) in [(4_096, true), (20_000, false)] {
      for changes in [
        ["state": String(repeating: "s", count: length)],
        ["login_hint": String(repeating: "h", count: length)],
      ] {
        let answer = try await fixture.site.get(OAuthFixture.target("chat", changes))
        #expect((answer.status == 303) == isSentOn, "\(answer.status)")
        if !isSentOn { #expect(answer.status == 413 && answer.fields["Location"] == nil) }
      }
    }
  }

  // MARK: Words

  @Test("RFC 6749, 4.1.2.1: other response types and scopes have their words, pushed too")
  func words() async throws {
    for (changes, word) in [
      (["response_type": "token"], "unsupported_response_type"),
      (["response_type": "code id_token"], "unsupported_response_type"),
      (["response_type": nil], "invalid_request"),
      (["scope": "admin", "resource": OAuthFixture.api], "invalid_scope"),
      (["scope": "a\u{22}b", "resource": OAuthFixture.api], "invalid_scope"),
      (["resource": "urn:none"], "invalid_target"), (["max_age": "-1"], "invalid_request"),
    ] as [([String: String?], String)] {
      let answer = try await fixture.answer("chat", changes)
      #expect(answer.parameters["error"] == word, "\(changes)")
      let pushed = try await push(changes)
      #expect(pushed.status == 400 && pushed.json["error"]?.string == word, "\(changes)")
    }
    let some = try await fixture.tokens(
      "chat", ["scope": "admin read", "resource": OAuthFixture.api])
    #expect(some["scope"]?.string == "read")
  }

  // MARK: Parameters without a value

  @Test(
    "RFC 6749, 3.1: a parameter without a value is none",
    arguments: [
      "response_mode", "resource", "request", "request_uri", "registration", "max_age", "prompt",
      "acr_values", "login_hint", "id_token_hint", "nonce", "state",
    ])
  func emptyParameters(name: String) async throws {
    let answer = try await fixture.answer("chat", [name: ""])
    let code = try answer.parameters.require("code")
    #expect(try await fixture.redeem(code).status == 200)
    #expect(try await push([name: ""]).status == 201)
  }

  @Test("A challenge without a value is none: fine for a client with a secret, and for no other")
  func emptyChallenge() async throws {
    let changes = ["code_challenge": "", "code_challenge_method": ""]
    let code = try await fixture.answer("chat", changes).parameters.require("code")
    #expect(try await fixture.redeem(code, "chat", ["code_verifier": ""]).status == 200)
    let open = try await fixture.answer("app", changes)
    #expect(open.parameters["error"] == "invalid_request")
  }

  @Test("RFC 6749, 3.2: at the token endpoint, too")
  func emptyFields() async throws {
    let code = try await fixture.answer().parameters.require("code")
    let tokens = try await fixture.redeem(
      code, "chat", ["client_secret": "", "resource": "", "scope": ""])
    #expect(tokens.status == 200, "\(tokens.response.text)")
    let refreshed = try await fixture.refresh(
      #require(tokens.json["refresh_token"]?.string), "chat", ["scope": "", "resource": ""])
    #expect(refreshed.status == 200, "\(refreshed.response.text)")
    let missing = try await fixture.post("/v2/openid/token", [("grant_type", "")])
    #expect(missing.json["error"]?.string == "invalid_request")
  }
}
