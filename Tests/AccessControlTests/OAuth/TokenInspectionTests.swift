import AccessControl
import HTTPExchange
import SecurityKeys
import TestSupport
import Testing
import TokenBasics

/// What the endpoints of OpenID Connect say of tokens, keep of requests, and give programs.
@Suite("Introspection, pushed requests and programs at the local Access Control Service")
struct TokenInspectionTests {
  private func introspect(
    _ fixture: OAuthFixture, _ token: JSONValue?, as client: String
  ) async throws -> Bool? {
    let token = try #require(token?.string)
    return try await fixture.post("/v2/openid/introspect", [("token", token)], as: client)
      .json["active"]?.bool
  }

  @Test("RFC 7662: An ID token is no access token, whichever client asks about it")
  func idTokens() async throws {
    let fixture = try OAuthFixture()
    let tokens = try await fixture.tokens()
    #expect(try await introspect(fixture, tokens["id_token"], as: "chat") == false)
    #expect(try await introspect(fixture, tokens["access_token"], as: "chat") == true)
  }

  @Test(
    "RFC 7662: A client asks about its own access token for a resource and its own refresh token, another client learns nothing"
  )
  func ownTokens() async throws {
    let fixture = try OAuthFixture()
    let tokens = try await fixture.tokens(
      "chat", ["scope": "openid read", "resource": OAuthFixture.api])
    for (client, name, isActive) in [
      ("chat", "access_token", true), (OAuthFixture.api, "access_token", true),
      ("other", "access_token", false), ("chat", "refresh_token", true),
      ("other", "refresh_token", false), (OAuthFixture.api, "refresh_token", false),
    ] {
      #expect(
        try await introspect(fixture, tokens[name], as: client) == isActive, "\(client) \(name)")
    }
    let used = try #require(tokens["refresh_token"]?.string)
    let next = try await fixture.refresh(used).json
    #expect(try await introspect(fixture, tokens["refresh_token"], as: "chat") == false)
    #expect(try await introspect(fixture, next["refresh_token"], as: "chat") == true)
    #expect(next["scope"]?.string == "openid read")
    // Asking used nothing up.
    let last = try #require(next["refresh_token"]?.string)
    #expect(try await fixture.refresh(last).status == 200)
  }

  @Test(
    "A relying party learns nothing of a service identity that is called as it is, and ends nothing of it"
  )
  func namesakes() async throws {
    var world = try DoorWorld()
    var namesake = RelyingParty(realm: "game", format: .jwt, ruleGroups: ["all"])
    namesake.clientSecret = Secret("secret of the party")
    world.client = namesake
    let fixture = try DoorFixture(world)
    let tokens = try #require(try await fixture.enter(.draft13).tokens)
    let refresh = try #require(tokens.refresh)
    let party = (id: "game", secret: "secret of the party")
    let known = try await fixture.post(
      "/v2/openid/introspect", [("token", refresh)], client: party)
    #expect(known.text == "{\"active\":false}")
    let revoked = try await fixture.post("/v2/openid/revoke", [("token", refresh)], client: party)
    #expect(revoked.status == 400)
    #expect(try await fixture.use(.refreshDraft13, tokens).tokens != nil)
  }

  @Test("RFC 7662, 2.2: A refresh token is not active once the session is over")
  func refreshTokenAfterSignOut() async throws {
    let fixture = try OAuthFixture()
    let answer = try await fixture.answer()
    let tokens = try await fixture.redeem(answer.parameters.require("code")).json
    #expect(try await introspect(fixture, tokens["refresh_token"], as: "chat") == true)
    try await fixture.site.signOut(answer.cookies)
    #expect(try await introspect(fixture, tokens["refresh_token"], as: "chat") == false)
  }

  @Test("RFC 7662, 2.2: A resource is told when the session of an access token is over")
  func signedOut() async throws {
    for (scope, isOver) in [("openid read", true), ("openid read offline_access", false)] {
      let fixture = try OAuthFixture { $0[3].exchange.clients = [OAuthFixture.api] }
      let answer = try await fixture.answer(
        "chat", ["scope": scope, "resource": OAuthFixture.api])
      let tokens = try await fixture.redeem(answer.parameters.require("code")).json
      let token = tokens["access_token"]
      #expect(try await introspect(fixture, token, as: OAuthFixture.api) == true)
      try await fixture.site.signOut(answer.cookies)
      #expect(try await introspect(fixture, token, as: OAuthFixture.api) == !isOver, "\(scope)")
    }
  }

  @Test("RFC 7662, 2.2: An access token whose record is gone is not active")
  func forgotten() async throws {
    let fixture = try OAuthFixture { $0[3].exchange.clients = [OAuthFixture.api] }
    let answer = try await fixture.answer(
      "chat", ["scope": "openid read", "resource": OAuthFixture.api])
    let token = try await fixture.redeem(answer.parameters.require("code")).json["access_token"]
    #expect(try await introspect(fixture, token, as: OAuthFixture.api) == true)
    try await fixture.site.values.sweep(
      at: fixture.site.clock.now.advanced(bySeconds: 1_000_000_000))
    #expect(try await introspect(fixture, token, as: OAuthFixture.api) == false)
  }

  @Test("RFC 9126: Of a pushed request the secret of the client is not kept")
  func pushed() async throws {
    let fixture = try OAuthFixture()
    let pushed = try await fixture.post(
      "/v2/openid/par",
      OAuthFixture.parameters("chat", ["client_secret": "secret of chat"]).map { ($0.0, $0.1) },
      as: nil)
    let uri = try #require(pushed.json["request_uri"]?.string, "\(pushed.response.text)")
    let name = "pushed:" + uri.dropFirst("urn:ietf:params:oauth:request_uri:".count)
    let sealed = try #require(
      try await fixture.site.values.value(under: ValueName(name), at: fixture.site.clock.now))
    let key = try #require(SealingKey([UInt8](repeating: 6, count: 32)))
    let kept = try #require(key.open(sealed, context: Array(name.utf8)))
    let fields = try FormReader(kept)
    #expect(fields["client_id"] == "chat" && fields["state"] == "s")
    #expect(fields["client_secret"] == nil && fields["client_assertion"] == nil)
  }

  @Test("RFC 8707: A refresh may name the resource of its authorization, and no other")
  func resources() async throws {
    let fixture = try OAuthFixture()
    let tokens = try await fixture.tokens(
      "chat", ["scope": "openid read", "resource": OAuthFixture.api])
    let token = try #require(tokens["refresh_token"]?.string)
    let other = try await fixture.refresh(token, "chat", ["resource": "other"])
    #expect(other.status == 400 && other.json["error"]?.string == "invalid_target")
    let same = try await fixture.refresh(token, "chat", ["resource": OAuthFixture.api])
    #expect(same.status == 200, "\(same.response.text)")
    let code = try await fixture.answer(
      "chat", ["scope": "openid read", "resource": OAuthFixture.api]
    ).parameters.require("code")
    let redeemed = try await fixture.redeem(code, "chat", ["resource": OAuthFixture.api])
    #expect(redeemed.status == 200, "\(redeemed.response.text)")
  }

  @Test("RFC 6749, 4.4: A program gets a token for one relying party, with scopes that this has")
  func programs() async throws {
    let fixture = try ExchangeFixture()
    func ask(_ fields: [(String, String?)]) async throws -> (status: Int, text: String) {
      let answer = try await fixture.post([("grant_type", "client_credentials")] + fields)
      return (answer.status, answer.response.text)
    }
    for fields in [
      [("resource", "urn:api"), ("audience", "urn:api"), ("scope", "read")],
      [("audience", "urn:api")],
    ] as [[(String, String?)]] { #expect(try await ask(fields).status == 200) }
    let two = try await ask([("resource", "urn:api"), ("audience", "urn:other")])
    #expect(two.status == 400 && two.text.contains("(exchange.target)"), "\(two.text)")
    let more = try await ask([("resource", "urn:api"), ("scope", "read admin")])
    #expect(more.status == 400 && more.text.contains("(exchange.scope)"), "\(more.text)")
  }
}
