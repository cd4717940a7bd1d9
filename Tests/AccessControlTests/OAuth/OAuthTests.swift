import AccessControl
import HTTPExchange
import IdentityProviderTesting
import SecurityKeys
import TestSupport
import Testing
import TokenBasics

@Suite("Access tokens, refresh tokens and what is said of them at the local Access Control Service")
struct OAuthTests {
  private let fixture: OAuthFixture

  init() throws { fixture = try OAuthFixture() }

  private func text(_ json: JSONValue, _ name: String) throws -> String {
    try #require(json[name]?.string)
  }

  // MARK: UserInfo

  @Test("UserInfo gives the subject of the ID token and the claims of the scopes, by GET and POST")
  func userInfo() async throws {
    for (scope, names, others) in [
      ("openid", ["sub", "urn:team"], ["name", "email"]),
      ("openid profile", ["sub", "name"], ["email", "email_verified"]),
      ("openid email", ["email", "email_verified"], ["name"]),
    ] {
      let tokens = try await fixture.tokens("chat", ["scope": scope])
      let token = try text(tokens, "access_token")
      let idToken = try ExchangeFixture.parts(text(tokens, "id_token")).payload
      for method in ["GET", "POST"] {
        let response = try await fixture.userInfo(token, method: method)
        #expect(response.status == 200 && response.fields["Content-Type"] == "application/json")
        let json = try JSONParser.parse(response.body)
        #expect(json["sub"]?.string == idToken["sub"]?.string && json["sub"]?.string != nil)
        #expect(names.allSatisfy { json[$0] != nil }, "\(scope): \(response.text)")
        #expect(others.allSatisfy { json[$0] == nil && idToken[$0] == nil }, "\(response.text)")
        #expect(json["urn:team"]?.array?.compactMap(\.string) == ["red", "blue"])
      }
    }
    let posted = try await fixture.post(
      "/v2/openid/userinfo",
      [("access_token", try text(fixture.tokens(), "access_token"))], as: nil)
    #expect(posted.status == 200 && posted.json["email_verified"]?.bool == true)
  }

  @Test("UserInfo says what is wrong with a token in its header (RFC 6750, 3)")
  func userInfoRefusals() async throws {
    let none = try await fixture.userInfo(nil)
    #expect(none.status == 401 && none.fields["WWW-Authenticate"] == "Bearer realm=\"acs\"")
    let tokens = try await fixture.tokens()
    for token in [
      "x", String(repeating: "A", count: 43), try text(tokens, "id_token"),
      try text(tokens, "refresh_token"),
    ] {
      let response = try await fixture.userInfo(token)
      #expect(response.status == 401, "\(response.text)")
      #expect(response.text.contains("(\(TokenError.Code.oauthAccessToken))"))
      #expect(response.fields["WWW-Authenticate"]?.contains("error=\"invalid_token\"") == true)
    }
    let resource = try await fixture.tokens(
      "chat", ["scope": "openid read", "resource": OAuthFixture.api])
    #expect(try await fixture.userInfo(text(resource, "access_token")).status == 401)
    let narrow = try await fixture.refresh(
      text(fixture.tokens("chat", ["scope": "openid email"]), "refresh_token"), "chat",
      ["scope": "email"])
    let lacking = try await fixture.userInfo(text(narrow.json, "access_token"))
    #expect(lacking.status == 403, "\(lacking.text)")
    #expect(lacking.text.contains("(\(TokenError.Code.oauthInsufficientScope))"), "\(lacking.text)")
    fixture.site.clock.advance(bySeconds: 601)
    #expect(try await fixture.userInfo(text(tokens, "access_token")).status == 401)
  }

  private func userInfo(
    _ headers: [String], posting token: String? = nil
  ) async throws -> HTTPExchange.HTTPResponse {
    var request = WebRequest(
      method: token == nil ? "GET" : "POST", path: "/v2/openid/userinfo",
      body: Array((token.map { "access_token=" + $0 } ?? "").utf8))
    for header in headers { try request.fields.append("Authorization", header) }
    if token != nil {
      try request.fields.append("Content-Type", "application/x-www-form-urlencoded")
    }
    return await fixture.site.site.respond(to: request)
  }

  @Test("RFC 6750, 2: UserInfo takes one token, and a header of another scheme has none")
  func oneToken() async throws {
    let token = try text(await fixture.tokens(), "access_token")
    for scheme in ["Bearer ", "bEARER "] {
      #expect(try await userInfo([scheme + token]).status == 200)
    }
    #expect(try await userInfo([], posting: token).status == 200)
    for header in ["Basic " + token, token, "Bearer", "Bearerx " + token] {
      let refused = try await userInfo([header])
      #expect(refused.status == 401, "\(header)")
      #expect(refused.fields["WWW-Authenticate"] == "Bearer realm=\"acs\"", "\(header)")
    }
    let twice = [
      try await userInfo(["Bearer " + token, "Bearer " + token]),
      try await userInfo(["Bearer " + token], posting: token),
    ]
    for refused in twice {
      #expect(refused.status == 400, "\(refused.text)")
      #expect(refused.text.contains("(\(TokenError.Code.clientDuplicateParameter))"))
    }
  }

  @Test("A store that is away is no fault of the token: no challenge goes with it")
  func userInfoWithoutStore() async throws {
    for (values, isAway) in [(nil, false), (AwayValueStore(), true)] as [((any ValueStore)?, Bool)]
    {
      let fixture = try ExchangeFixture(values: values)
      var request = WebRequest(method: "GET", path: "/v2/openid/userinfo")
      try request.fields.append("Authorization", "Bearer " + String(repeating: "A", count: 43))
      let response = await fixture.site.respond(to: request)
      #expect(isAway ? response.status >= 500 : response.status == 401, "\(response.text)")
      #expect((response.fields["WWW-Authenticate"] == nil) == isAway)
    }
  }

  // MARK: Resources

  @Test(
    "A request that names as many scopes as a form holds is answered", .timeLimit(.minutes(1)))
  func manyScopes() async throws {
    let scopes = (0..<100_000).map { String($0, radix: 36) }.joined(separator: " ")
    let fields = OAuthFixture.parameters("chat", ["scope": "openid " + scopes])
    let begun = try await fixture.site.post("/v2/openid/authorize", fields)
    #expect(begun.status == 303, "\(begun.text.prefix(200))")
    let twice = OAuthFixture.parameters("chat", ["scope": "openid email openid"])
    #expect(try await fixture.site.post("/v2/openid/authorize", twice).status == 303)
  }

  @Test(
    "RFC 8707 and RFC 9068: a resource gets an access token of its own, with the scopes that it knows"
  )
  func resource() async throws {
    for client in ["chat", "app"] {
      let tokens = try await fixture.tokens(
        client, ["scope": "openid read admin", "resource": OAuthFixture.api])
      let (header, payload) = try ExchangeFixture.parts(text(tokens, "access_token"))
      #expect(header["typ"]?.string == "at+jwt")
      #expect(payload["aud"]?.string == OAuthFixture.api && payload["client_id"]?.string == client)
      #expect(payload["scope"]?.string == "read")
      #expect(tokens["scope"]?.string == "openid read" && tokens["id_token"] != nil)
      #expect((tokens["expires_in"]?.integer ?? 0) <= 600)
    }
    let plain = try await fixture.tokens(
      "chat", ["scope": "read", "resource": OAuthFixture.api])
    #expect(plain["id_token"] == nil && plain["scope"]?.string == "read")
  }

  @Test("That the rules give no token for the resource is told at the sign-in")
  func resourceRules() async throws {
    for (groups, isGiven) in [(["all"], true), ([], false)] {
      let fixture = try OAuthFixture { $0[3].ruleGroups = groups }
      let answer = try await fixture.answer("chat", ["resource": OAuthFixture.api])
      #expect((answer.parameters["code"] != nil) == isGiven)
      #expect((answer.parameters["error"] != nil) == !isGiven)
      #expect(try await fixture.answer("chat").parameters["code"] != nil)
    }
  }

  @Test("A resource that names another client, or that there is not, is an invalid target")
  func resourceRefusals() async throws {
    for (client, resource) in [
      ("other", OAuthFixture.api), ("chat", "other"), ("chat", "https://none.example/"),
    ] {
      let answer = try await fixture.answer(client, ["resource": resource])
      #expect(answer.parameters["error"] == "invalid_target")
    }
    let code = try await fixture.answer("chat", ["resource": OAuthFixture.api]).parameters
      .require("code")
    let other = try await fixture.redeem(code, "chat", ["resource": "other"])
    #expect(other.json["error"]?.string == "invalid_target")
  }

  // MARK: Refresh

  @Test("A refresh token rotates, narrows its scope, and keeps the instant of the sign-in")
  func refresh() async throws {
    for client in ["chat", "app"] {
      let first = try await fixture.tokens(client)
      fixture.site.clock.advance(bySeconds: 100)
      let narrow = try await fixture.refresh(
        text(first, "refresh_token"), client, ["scope": "openid email"])
      #expect(narrow.status == 200, "\(narrow.response.text)")
      let before = try ExchangeFixture.parts(text(first, "id_token")).payload
      let after = try ExchangeFixture.parts(text(narrow.json, "id_token")).payload
      #expect(after["auth_time"]?.integer == before["auth_time"]?.integer)
      #expect(after["sub"]?.string == before["sub"]?.string && after["nonce"] == nil)
      #expect(after["name"] == nil && after["email"] != nil)
      // The authorization itself is as wide as before.
      let wide = try await fixture.refresh(text(narrow.json, "refresh_token"), client)
      #expect(wide.json["scope"]?.string == "openid profile email")
    }
  }

  @Test("More scope, another resource or another client is refused, and the token stays good")
  func refreshRefusals() async throws {
    let tokens = try await fixture.tokens()
    let token = try text(tokens, "refresh_token")
    for (client, changes, error) in [
      ("chat", ["scope": "openid offline_access"], "invalid_scope"),
      ("chat", ["resource": OAuthFixture.api], "invalid_target"),
      ("other", [:], "invalid_grant"), ("app", [:], "invalid_grant"),
    ] as [(String, [String: String?], String)] {
      let refused = try await fixture.refresh(token, client, changes)
      #expect(refused.status == 400 && refused.json["error"]?.string == error, "\(error)")
    }
    #expect(try await fixture.refresh(token).status == 200)
  }

  @Test("Another client learns nothing of an authorization that would give no token now")
  func refreshReasons() async throws {
    let token = try text(await fixture.tokens(), "refresh_token")
    let store = fixture.site.site.store
    let now = store.current
    let parties = now.relyingParties.map { party in
      var party = party
      if party.realm == "chat" { party.providers = ["nowhere"] }
      return party
    }
    store.replace(
      with: try ServiceNamespace(
        issuer: now.issuer, relyingParties: parties, providers: now.providers,
        identities: now.identities, ruleGroups: now.ruleGroups, keys: now.keys))
    let own = try await fixture.refresh(token)
    #expect(own.status == 400 && own.response.text.contains("issuing.unknown-provider"))
    let other = try await fixture.refresh(token, "other")
    let unknown = try await fixture.refresh("x", "other")
    #expect(other.status == 400)
    let said = [other, unknown].map {
      $0.json["error_description"]?.string?.prefix { $0 != "." }
    }
    #expect(said[0] != nil && said[0] == said[1])
    // What is put back gives tokens again.
    store.replace(with: now)
    #expect(try await fixture.refresh(token).status == 200)
  }

  @Test("SVC-11: A refresh token that comes twice ends its family, access tokens with it")
  func families() async throws {
    let first = try await fixture.tokens()
    let second = try await fixture.refresh(text(first, "refresh_token")).json
    #expect(try await fixture.userInfo(text(second, "access_token")).status == 200)
    let again = try await fixture.refresh(text(first, "refresh_token"))
    #expect(again.json["error"]?.string == "invalid_grant")
    for json in [first, second] {
      #expect(try await fixture.userInfo(text(json, "access_token")).status == 401)
    }
    let successor = try await fixture.refresh(text(second, "refresh_token"))
    #expect(successor.json["error"]?.string == "invalid_grant")
    // Another sign-in is another family.
    #expect(try await fixture.userInfo(text(fixture.tokens(), "access_token")).status == 200)
  }

  @Test("SVC-11: A code that comes twice ends all that it gave")
  func codes() async throws {
    let code = try await fixture.answer().parameters.require("code")
    let tokens = try await fixture.redeem(code).json
    #expect(try await fixture.redeem(code).json["error"]?.string == "invalid_grant")
    #expect(try await fixture.userInfo(text(tokens, "access_token")).status == 401)
    let refreshed = try await fixture.refresh(text(tokens, "refresh_token"))
    #expect(refreshed.json["error"]?.string == "invalid_grant")
  }

  @Test("Sign-out ends tokens, unless offline_access was granted; a month ends them all")
  func signOut() async throws {
    for (scope, status) in [("openid", 400), ("openid offline_access", 200)] {
      let answer = try await fixture.answer("chat", ["scope": scope])
      let tokens = try await fixture.redeem(answer.parameters.require("code")).json
      try await fixture.site.signOut(answer.cookies)
      #expect(
        try await fixture.userInfo(text(tokens, "access_token")).status
          == (status == 200 ? 200 : 401))
      #expect(try await fixture.refresh(text(tokens, "refresh_token")).status == status)
    }
    let tokens = try await fixture.tokens("chat", ["scope": "openid offline_access"])
    fixture.site.clock.advance(bySeconds: 2_592_000)
    #expect(try await fixture.refresh(text(tokens, "refresh_token")).status == 400)
  }

  // MARK: Introspection and revocation

  private func introspect(_ token: String, as client: String? = "chat") async throws -> JSONValue {
    try await fixture.post("/v2/openid/introspect", [("token", token)], as: client).json
  }

  @Test(
    "RFC 7662: introspection tells a client of its own tokens, a resource of those for it, and strangers nothing"
  )
  func introspection() async throws {
    let opaque = try text(await fixture.tokens(), "access_token")
    let own = try await introspect(opaque)
    #expect(own["active"]?.bool == true && own["client_id"]?.string == "chat")
    #expect(own["scope"]?.string == "openid profile email" && own["sub"]?.string != nil)
    #expect(own["iss"]?.string == "https://acs.example/" && own["exp"]?.integer != nil)
    let resource = try text(
      await fixture.tokens("chat", ["scope": "openid read", "resource": OAuthFixture.api]),
      "access_token")
    let there = try await introspect(resource, as: OAuthFixture.api)
    #expect(there["active"]?.bool == true && there["aud"]?.string == OAuthFixture.api)
    #expect(there["scope"]?.string == "read" && there["client_id"]?.string == "chat")
    for (token, client) in [
      (opaque, "other"), (opaque, OAuthFixture.api), (resource, "other"), ("x", "chat"),
      (String(repeating: "A", count: 43), "chat"),
    ] {
      let json = try await introspect(token, as: client)
      #expect(json["active"]?.bool == false && json.members?.count == 1)
    }
    for client in [nil, "app"] {
      let refused = try await fixture.post(
        "/v2/openid/introspect", [("token", opaque), ("client_id", client)], as: nil)
      #expect(refused.status == 401 && refused.json["error"]?.string == "invalid_client")
    }
    fixture.site.clock.advance(bySeconds: 700)
    #expect(try await introspect(opaque)["active"]?.bool == false)
  }

  @Test(
    "RFC 7009: a revoked token ends its family, an unknown one is revoked, and another client's goes on"
  )
  func revocation() async throws {
    for name in ["refresh_token", "access_token"] {
      let tokens = try await fixture.tokens()
      let token = try text(tokens, name)
      let stranger = try await fixture.post("/v2/openid/revoke", [("token", token)], as: "other")
      #expect(stranger.status == 400 && stranger.json["error"]?.string == "invalid_grant")
      #expect(try await fixture.userInfo(text(tokens, "access_token")).status == 200)
      for _ in 0..<2 {
        let revoked = try await fixture.post("/v2/openid/revoke", [("token", token)])
        #expect(revoked.status == 200)
      }
      #expect(try await fixture.userInfo(text(tokens, "access_token")).status == 401)
      #expect(try await fixture.refresh(text(tokens, "refresh_token")).status == 400)
    }
    let unknown = try await fixture.post("/v2/openid/revoke", [("token", "x")])
    #expect(unknown.status == 200)
    let own = try await fixture.tokens("chat", ["scope": "read", "resource": OAuthFixture.api])
    let signed = try await fixture.post(
      "/v2/openid/revoke", [("token", try text(own, "access_token"))])
    #expect(signed.json["error"]?.string == "unsupported_token_type")
    let open = try await fixture.tokens("app")
    let revoked = try await fixture.post(
      "/v2/openid/revoke",
      [("token", try text(open, "refresh_token")), ("client_id", "app")], as: nil)
    #expect(revoked.status == 200)
    #expect(try await fixture.refresh(text(open, "refresh_token"), "app").status == 400)
  }

  // MARK: Pushed requests

  private func push(
    _ changes: [String: String?] = [:], as client: String = "chat"
  ) async throws -> (status: Int, json: JSONValue, response: HTTPExchange.HTTPResponse) {
    try await fixture.post(
      "/v2/openid/par", OAuthFixture.parameters(client, changes).map { ($0.0, $0.1) },
      as: client == "app" ? nil : client)
  }

  private func authorize(
    _ uri: String, _ client: String = "chat", _ more: String = ""
  ) async throws -> HTTPExchange.HTTPResponse {
    try await fixture.site.get(
      "/v2/openid/authorize?client_id=\(client)&request_uri=\(HTTPURL.percentEncoded(uri))" + more)
  }

  @Test("RFC 9126: a pushed request is authorized once, by its client, within a minute, and alone")
  func pushed() async throws {
    for client in ["chat", "app"] {
      let pushed = try await push(["state": "pushed"], as: client)
      #expect(pushed.status == 201 && pushed.json["expires_in"]?.integer == 60)
      let uri = try text(pushed.json, "request_uri")
      #expect(uri.hasPrefix("urn:ietf:params:oauth:request_uri:"))
      // What stands beside it is not looked at.
      let begun = try await authorize(
        uri, client, "&state=other&redirect_uri=https%3A%2F%2Fevil.example%2F&scope=x")
      let response = try await fixture.site.press("0", after: begun)
      let location = try #require(response.fields["Location"], "\(response.text)")
      #expect(location.hasPrefix(OAuthFixture.address(client)) && location.contains("state=pushed"))
      #expect(try await authorize(uri, client).status == 400)
    }
    let stranger = try text(await push().json, "request_uri")
    #expect(try await authorize(stranger, "other").status == 400)
    #expect(try await authorize(stranger).status == 303)
    let late = try text(await push().json, "request_uri")
    fixture.site.clock.advance(bySeconds: 60)
    #expect(try await authorize(late).status == 400)
  }

  @Test("A pushed request has at most 8 KiB, and a stranger pushes a hundred at once")
  func pushedMuch() async throws {
    let large = try await push(["state": String(repeating: "s", count: 9_000)])
    #expect(large.status == 413 && large.json["error"]?.string == "invalid_request")
    #expect(large.response.text.contains("(input.too-large)"), "\(large.response.text)")
    #expect(try await push(["state": String(repeating: "s", count: 1_000)]).status == 201)
    for _ in 0..<100 { #expect(try await push(as: "app").status == 201) }
    let more = try await push(as: "app")
    #expect(more.status == 429, "\(more.response.text)")
    // Who shows who it is has no such limit.
    #expect(try await push().status == 201)
  }

  @Test(
    "What a person gave a client ends with the provider at the relying party, and with the resource's consent",
    arguments: [true, false])
  func configurationChanges(offersProvider: Bool) async throws {
    let refresh = try text(try await fixture.tokens("chat", ["scope": "openid"]), "refresh_token")
    let tokens = try await fixture.tokens("chat", ["scope": "openid"])
    let forAPI = try await fixture.tokens(
      "chat", ["scope": "openid read", "resource": OAuthFixture.api])
    let changed = try OAuthFixture { parties in
      if !offersProvider { parties[0].providers = [] }
      parties[3].exchange.resourceClients = []
    }
    fixture.site.site.store.replace(with: changed.site.site.store.current)
    let again = try await fixture.refresh(refresh)
    let info = try await fixture.userInfo(text(tokens, "access_token"))
    let resource = try await fixture.refresh(text(forAPI, "refresh_token"))
    if offersProvider {
      #expect(again.status == 200 && info.status == 200, "\(again.response.text) \(info.text)")
      // The client is told why: the resource does not name it in resourceFor.
      #expect(resource.json["error"]?.string == "invalid_grant", "\(resource.response.text)")
      #expect(resource.response.text.contains("(issuing.protocol)"))
    } else {
      #expect(again.json["error"]?.string == "invalid_grant", "\(again.response.text)")
      #expect(info.status == 401, "\(info.text)")
    }
    #expect(resource.status == 400)
  }

  @Test("A pushed request is judged when it is pushed")
  func pushedRefusals() async throws {
    for changes in [
      ["request_uri": "urn:ietf:params:oauth:request_uri:x"], ["request": "x"],
      ["response_type": nil], ["scope": "email"], ["redirect_uri": "https://evil.example/"],
      ["code_challenge_method": "plain"], ["prompt": "none login"], ["resource": "other"],
    ] as [[String: String?]] {
      let refused = try await push(changes)
      #expect(refused.status == 400 && refused.json["request_uri"] == nil, "\(changes)")
      #expect(["invalid_request", "invalid_target"].contains(refused.json["error"]?.string))
    }
    let wrong = try await fixture.post(
      "/v2/openid/par",
      OAuthFixture.parameters("chat", ["client_secret": "wrong"]).map { ($0.0, $0.1) }, as: nil)
    #expect(wrong.status == 401 && wrong.json["error"]?.string == "invalid_client")
  }
}
