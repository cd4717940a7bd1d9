import HTTPExchange
import IdentityProviderTesting
import SignIn
import TestSupport
import Testing

@Suite("OpenID Connect: logout")
struct OpenIDLogoutTests {
  private let fixture: OpenIDFixture
  private let party: OpenIDRelyingParty
  private let event = "http://schemas.openid.net/event/backchannel-logout"

  init() throws {
    fixture = try OpenIDFixture()
    party = try fixture.party()
  }

  private func members(_ id: String) -> [String: String] {
    let now = fixture.time.now.seconds
    return [
      "iss": quoted(fixture.provider.issuer), "aud": quoted(ScriptedProvider.clientID),
      "iat": "\(now)", "exp": "\(now + 120)", "jti": quoted(id), "sub": "\"alice\"",
      "sid": "\"session-1\"", "events": object([event: "{}"]),
    ]
  }

  private func message(_ token: String) -> WebRequest {
    ScriptedProvider.message(["logout_token": token], mode: "form_post")
  }

  /// The refusal of a logout token with other members; nil removes one.
  private func refusal(
    _ changes: [String: String?], _ id: String = "id", type: String? = "logout+jwt",
    signer: ProviderKey? = nil
  ) async throws -> TokenError.Code? {
    var members = members(id)
    for (name, value) in changes { members[name] = value }
    let token = try (signer ?? .first).token(members, type: type, keyID: "rsa-1")
    return await refusalCode {
      _ = try await party.logoutToken(message(token), used: fixture.used, at: fixture.time.now)
    }
  }

  @Test("A logout token names what ends: a session, or all sessions of a subject")
  func names() async throws {
    let token = try ProviderKey.first.token(members("a"), type: "logout+jwt", keyID: "rsa-1")
    let logout = try await party.logoutToken(
      message(token), used: fixture.used, at: fixture.time.now)
    #expect(logout.issuer == fixture.provider.issuer)
    #expect(logout.subject == "alice" && logout.session == "session-1")
    #expect(!"\(logout)".contains("alice"))
    #expect(try await refusal(["sid": nil], "b") == nil)
    #expect(try await refusal(["sub": nil], "c") == nil)
    // The type is recommended (2.4), and many providers leave it out.
    #expect(try await refusal([:], "d", type: nil) == nil)
    #expect(try await refusal([:], "e", type: "JWT") == nil)
  }

  @Test(
    "RP-13: A logout token without what the standard demands, or with a nonce, ends nothing",
    arguments: [
      ("nonce", "\"n\""), ("iat", nil), ("jti", nil), ("events", nil), ("events", "{}"),
      ("events", "[\"http://schemas.openid.net/event/backchannel-logout\"]"),
      ("events", "{\"http://schemas.openid.net/event/backchannel-logout\":true}"),
      ("events", "{\"http://schemas.openid.net/event/other\":{}}"), ("sid", "7"), ("sid", "\"\""),
    ])
  func malformed(_ member: (name: String, value: String?)) async throws {
    #expect(try await refusal([member.name: member.value]) == .logoutToken)
    // Nothing was used up.
    #expect(try await refusal([:]) == nil)
  }

  @Test("A logout token with a session and a subject ends nothing of another subject")
  func both() async throws {
    func ends(_ changes: [String: String], _ id: String) async throws -> Bool {
      let token = try ProviderKey.first.token(
        members(id).merging(changes) { $1 }, type: "logout+jwt", keyID: "rsa-1")
      let logout = try await party.logoutToken(
        message(token), used: fixture.used, at: fixture.time.now)
      let principal = try await fixture.signIn(party, code: id).principal
      let session = SignedInSession(
        principal: principal, provider: "op", begun: fixture.time.now,
        end: fixture.time.now.advanced(bySeconds: 600), lastUse: fixture.time.now)
      return try #require(logout.ended(at: "op")).contains(session)
    }
    #expect(try await !ends(["sub": "\"mallory\""], "one"))
    #expect(try await !ends(["sid": "\"session-2\""], "two"))
    #expect(try await ends([:], "three"))
  }

  @Test("RP-13: A logout token without subject and session ends nothing")
  func namesNothing() async throws {
    #expect(try await refusal(["sub": nil, "sid": nil]) == .logoutToken)
    #expect(try await refusal(["sub": nil]) == nil)
  }

  @Test("GATE-29: A forged, foreign or late logout token ends nothing; a genuine one does")
  func forged() async throws {
    let now = fixture.time.now.seconds
    #expect(try await refusal([:], signer: .second) == .signatureInvalid)
    #expect(try await refusal(["iss": "\"https://evil.example/\""]) == .issuerUntrusted)
    #expect(try await refusal(["aud": "\"another\""]) == .audienceMismatch)
    #expect(try await refusal(["exp": nil, "iat": nil]) == .noExpiry)
    #expect(try await refusal(["exp": "\(now - 60)"]) == .expired)
    #expect(try await refusal(["iat": "\(now + 61)"]) == .issuedInFuture)
    #expect(try await refusal([:], type: "at+jwt") == .tokenPurpose)
    #expect(try await refusal([:]) == nil)
  }

  @Test("A logout token without an end is good for 300 s and the skew from its issue, and once")
  func withoutEnd() async throws {
    let now = fixture.time.now.seconds
    #expect(try await refusal(["exp": nil], "a") == nil)
    #expect(try await refusal(["exp": nil], "a") == .replayUsed)
    #expect(try await refusal(["exp": nil, "iat": "\(now - 359)"], "b") == nil)
    #expect(try await refusal(["exp": nil, "iat": "\(now - 359)"], "b") == .replayUsed)
    #expect(try await refusal(["exp": nil, "iat": "\(now - 360)"], "c") == .expired)
    #expect(try await refusal(["exp": nil, "iat": "\(now + 61)"], "d") == .issuedInFuture)
    // An ID token has to end.
    #expect(try await fixture.refusal(party) { $0.payload = { $0["exp"] = nil } } == .noExpiry)
  }

  @Test("GATE-29: A logout token ends something once")
  func replayed() async throws {
    #expect(try await refusal([:], "once") == nil)
    #expect(try await refusal([:], "once") == .replayUsed)
    #expect(try await refusal([:], "twice") == nil)
  }

  @Test("RP-13: An ID token is no logout token, and a logout token no ID token")
  func confusion() async throws {
    let signIn = try await fixture.signIn(party)
    #expect(
      await refusalCode {
        _ = try await party.logoutToken(
          message(signIn.idToken.revealed), used: fixture.used, at: fixture.time.now)
      } == .logoutToken)
    let event = event
    let code = try await fixture.refusal(party) { state in
      state.type = nil
      state.payload = {
        $0["nonce"] = nil
        $0["jti"] = "\"x\""
        $0["events"] = object([event: "{}"])
      }
    }
    #expect(code == .responseUnsolicited)
  }

  @Test("RP-13: A logout token comes in a form that is posted, once")
  func form() async throws {
    let token = try ProviderKey.first.token(members("f"), type: "logout+jwt", keyID: "rsa-1")
    func code(_ message: WebRequest) async -> TokenError.Code? {
      await refusalCode {
        _ = try await party.logoutToken(message, used: fixture.used, at: fixture.time.now)
      }
    }
    #expect(await code(ScriptedProvider.message(["logout_token": token])) == .clientContentType)
    let form = message(token)
    for (method, type) in [("PUT", form.contentType), ("POST", "text/plain"), ("POST", nil)] {
      let other = WebRequest(
        method: method, path: form.path, contentType: type, body: form.body)
      #expect(await code(other) == .clientContentType)
    }
    var twice = message(token)
    twice.body += Array("&logout_token=x".utf8)
    #expect(await code(twice) == .clientDuplicateParameter)
    #expect(await code(ScriptedProvider.message([:], mode: "form_post")) == .clientParameter)
    #expect(await code(message(token)) == nil)
  }

  @Test("The browser is sent to the provider's endpoint with the ID token, unless that is too long")
  func endSession() async throws {
    let home = try HTTPURL("https://app.example/bye")
    let now = fixture.time.now
    let action = await party.endSession(
      idToken: Secret("ey.a.b"), returningTo: home, state: "s 1", at: now)
    let request = HTTPRequest(.get, try #require(action?.address))
    #expect(request.url.path == "/tenant/logout")
    #expect(request.parameter("client_id") == ScriptedProvider.clientID)
    #expect(request.parameter("id_token_hint") == "ey.a.b")
    #expect(request.parameter("post_logout_redirect_uri") == home.text)
    #expect(request.parameter("state") == "s 1")
    let long = await party.endSession(
      idToken: Secret(String(repeating: "a", count: 4097)), returningTo: nil, state: "s", at: now)
    #expect(long?.address.query == "client_id=client%201")
    fixture.provider.change { $0.discovery["end_session_endpoint"] = nil }
    await fixture.registry.refresh()
    #expect(await party.endSession(idToken: nil, returningTo: nil, state: nil, at: now) == nil)
  }
}
