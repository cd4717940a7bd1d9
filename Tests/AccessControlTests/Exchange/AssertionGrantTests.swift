import AccessControl
import HTTPExchange
import SecurityKeys
import TestSupport
import Testing
import TokenBasics

@Suite(
  "Assertions and grants at the local Access Control Service (RFC 7522, RFC 7523, identity assertion grants)"
)
struct AssertionGrantTests {
  private let fixture: ExchangeFixture

  init() throws { fixture = try ExchangeFixture() }

  private typealias Answer = (
    status: Int, json: JSONValue, response: HTTPExchange.HTTPResponse
  )

  private func redeem(
    _ assertion: String, _ grant: String = "jwt-bearer", _ changes: [String: String?] = [:],
    as client: String? = "agent", at fixture: ExchangeFixture? = nil
  ) async throws -> Answer {
    var fields: [String: String?] = [
      "grant_type": ExchangeFixture.grant + grant, "assertion": assertion, "resource": "urn:api",
    ]
    fields.merge(changes) { $1 }
    return try await (fixture ?? self.fixture).post(fields.map { ($0.key, $0.value) }, as: client)
  }

  private func refused(
    _ answer: Answer, _ error: String, _ code: String, _ status: Int = 400,
    _ location: SourceLocation = #_sourceLocation
  ) {
    #expect(answer.status == status, "\(answer.response.text)", sourceLocation: location)
    #expect(
      answer.json["error"]?.string == error, "\(answer.response.text)", sourceLocation: location)
    #expect(
      answer.response.text.contains("(\(code))"), "\(answer.response.text)",
      sourceLocation: location)
  }

  /// An assertion for the token endpoint.
  private func assertion(
    for audience: String = "https://acs.example/v2/openid/token",
    recipient: String? = "https://acs.example/v2/openid/token"
  ) throws -> String {
    try fixture.assertion(for: audience, recipient: recipient)
  }

  /// A token for the token endpoint.
  private func token(_ lifetime: Int = 300) throws -> String {
    try fixture.token(for: "https://acs.example/", lifetime: lifetime)
  }

  @Test("RFC 7522 and RFC 7523: an assertion about a person gives an access token, once")
  func people() async throws {
    for (assertion, grant) in [
      (try assertion(), "saml2-bearer"),
      (try assertion(for: ExchangeFixture.entity), "saml2-bearer"),
      (try token(), "jwt-bearer"),
    ] {
      let answer = try await redeem(assertion, grant, ["scope": "read"])
      #expect(answer.status == 200, "\(answer.response.text)")
      #expect(answer.json["token_type"]?.string == "Bearer")
      #expect(answer.json["refresh_token"] == nil && answer.json["scope"]?.string == "read")
      let (header, payload) = try ExchangeFixture.parts(
        answer.json["access_token"]?.string ?? "")
      #expect(header["typ"]?.string == "at+jwt" && payload["aud"]?.string == "urn:api")
      #expect(payload["email"]?.string == "ada@idp.example")
      refused(try await redeem(assertion, grant), "invalid_grant", "replay.used")
    }
  }

  @Test("A token of a grant has the relying party's lifetime, and ten minutes at most")
  func lifetimes() async throws {
    for (lifetime, expected) in [(300, 300), (600, 600), (3_600, 600)] {
      let fixture = try ExchangeFixture { parties in parties[0].lifetime = lifetime }
      let token = try fixture.token(for: "https://acs.example/", lifetime: 30)
      let answer = try await redeem(token, at: fixture)
      #expect(answer.json["expires_in"]?.integer == expected, "\(answer.response.text)")
    }
  }

  @Test(
    "Assertions for others, for a sign-in, too long, twice, or of a provider that has none are no grants"
  )
  func refusals() async throws {
    refused(
      try await redeem(fixture.token(for: "agent")), "invalid_grant", "audience.mismatch")
    // What is for the sign-in of this service at the provider.
    refused(
      try await redeem(fixture.token(for: "acs-at-op")), "invalid_grant", "audience.mismatch")
    refused(
      try await redeem(assertion(recipient: nil), "saml2-bearer"), "invalid_grant",
      "subject.recipient-missing")
    refused(
      try await redeem(
        assertion(recipient: "https://acs.example/v2/upstream/saml/acs"), "saml2-bearer"),
      "invalid_grant", "subject.recipient-mismatch")
    refused(try await redeem(token(86_500)), "invalid_grant", "exchange.grant")
    // An access token that names its type, and whose audience is this service.
    refused(
      try await redeem(fixture.token(for: "https://acs.example/", type: "at+jwt")),
      "invalid_grant", "policy.token-purpose")
    refused(try await redeem("x.y.z"), "invalid_grant", "input.base64")
    refused(
      try await redeem(token(), as: "stranger"), "unauthorized_client", "exchange.client")
    refused(
      try await redeem(token(), "jwt-bearer", ["resource": "urn:other"]), "invalid_target",
      "exchange.target")
    refused(
      try await redeem(token(), "jwt-bearer", ["scope": "admin"]), "invalid_scope",
      "exchange.scope")
    let anonymous = try await redeem(token(), as: nil)
    #expect(anonymous.status == 401 && anonymous.json["error"]?.string == "invalid_client")
    let none = try await fixture.post([("grant_type", "password")])
    refused(none, "unsupported_grant_type", "issuing.grant-type")
    #expect(try await redeem(token()).status == 200)
  }

  @Test("A used assertion is one at every endpoint and node that shares the store")
  func nodes() async throws {
    let used = MemoryReplayStore(capacity: 100)
    let first = try ExchangeFixture(used: used)
    let second = try ExchangeFixture(used: used)
    let token = try first.token(for: "https://acs.example/", id: "one")
    #expect(try await redeem(token, at: first).status == 200)
    let other = try second.token(for: "https://acs.example/", id: "one")
    refused(try await redeem(other, at: second), "invalid_grant", "replay.used")
  }

  @Test("A store that is away is no fault of the assertion, and gives no token")
  func storeAway() async throws {
    let fixture = try ExchangeFixture(used: BrokenReplayStore())
    let answer = try await redeem(
      try fixture.token(for: "https://acs.example/"), at: fixture)
    #expect(answer.status == 503 || answer.status == 500, "\(answer.response.text)")
    #expect(answer.json["error"]?.string != "invalid_grant" && answer.json["access_token"] == nil)
  }

  private struct BrokenReplayStore: ReplayStore {
    func remember(
      _ identity: TokenIdentity, until end: Instant, at now: Instant
    ) async throws(TokenError) -> Bool {
      throw TokenError(.signInSessionStore, found: "away")
    }
  }

  @Test("A service identity gets an access token for its secret or an assertion about itself")
  func programs() async throws {
    let secret = try await fixture.post([
      ("grant_type", "client_credentials"), ("resource", "urn:api"), ("scope", "write"),
    ])
    #expect(secret.status == 200, "\(secret.response.text)")
    let payload = try ExchangeFixture.parts(secret.json["access_token"]?.string ?? "").payload
    #expect(payload["sub"]?.string == "agent" && payload["client_id"]?.string == "agent")
    func mint() throws -> String {
      let draft = TokenDraft(
        issuer: "stranger", audiences: ["https://acs.example/"], subject: "stranger",
        issuedAt: fixture.clock.now)
      let key = try SymmetricKey(bytes: [UInt8](repeating: 8, count: 32))
      return String(decoding: try JSONWebToken.mint(draft, key: key), as: UTF8.self)
    }
    let assertion = try mint()
    let asserted = try await redeem(assertion, as: nil)
    #expect(asserted.status == 200, "\(asserted.response.text)")
    refused(try await redeem(assertion, as: nil), "invalid_grant", "replay.used")
    // RFC 7521, 4.1: credentials beside it are right.
    let second = try mint()
    let wrong = ["client_id": "client", "client_secret": "wrong"]
    refused(
      try await redeem(second, "jwt-bearer", wrong, as: nil), "invalid_client",
      "issuing.client-secret", 401)
    #expect(try await redeem(second, as: "client").status == 200)
    let party = try await fixture.post(
      [("grant_type", "client_credentials"), ("resource", "urn:api")], as: "client")
    refused(party, "unauthorized_client", "issuing.unknown-client")
    refused(
      try await fixture.post([("grant_type", "client_credentials")]), "invalid_target",
      "exchange.target")
  }

  @Test("A resource is compared as it is written: a path below a realm is another resource")
  func exactResources() async throws {
    let fixture = try ExchangeFixture { parties in
      var api = RelyingParty(
        realm: "https://api.example/", format: .jwt, ruleGroups: parties[0].ruleGroups)
      api.exchange.clients = ["agent"]
      parties.append(api)
    }
    for (resource, isTaken) in [("https://api.example/", true), ("https://api.example/x", false)] {
      for name in ["resource", "audience"] {
        let answer = try await fixture.post([
          ("grant_type", "client_credentials"), (name, resource),
        ])
        #expect(answer.status == (isTaken ? 200 : 400), "\(answer.response.text)")
        #expect((answer.json["error"]?.string == "invalid_target") != isTaken)
      }
    }
  }

  @Test("Who may act by the assertion's may_act is the client, which the token names, or no one")
  func mayAct() async throws {
    func token(_ actor: String) throws -> String {
      try fixture.token(
        for: "https://acs.example/",
        [Claim("may_act", "{\"sub\":\"\(actor)\"}", valueType: Claim.jsonType)])
    }
    refused(try await redeem(try token("else")), "invalid_grant", "exchange.actor")
    let answer = try await redeem(try token("agent"))
    #expect(answer.status == 200, "\(answer.response.text)")
    let payload = try ExchangeFixture.parts(answer.json["access_token"]?.string ?? "").payload
    #expect(payload["act"]?["sub"]?.string == "agent")
    // The exchange says the same.
    let exchanged = try await fixture.exchange(
      try fixture.token(
        for: "agent", [Claim("may_act", "{\"sub\":\"agent\"}", valueType: Claim.jsonType)]),
      ExchangeFixture.type + "jwt",
      ["requested_token_type": ExchangeFixture.type + "access_token"])
    let other = try ExchangeFixture.parts(exchanged.json["access_token"]?.string ?? "").payload
    #expect(other["act"]?["sub"]?.string == "agent")
  }

  @Test("A service identity gets scopes where the relying party names it, and claims elsewhere")
  func programScopes() async throws {
    for isNamed in [true, false] {
      let fixture = try ExchangeFixture { parties in
        if !isNamed { parties[0].exchange.clients = [] }
      }
      let fields = [("grant_type", "client_credentials"), ("resource", "urn:api")]
      #expect(try await fixture.post(fields).status == 200)
      let scoped = try await fixture.post(fields + [("scope", "write")])
      if isNamed {
        #expect(scoped.status == 200, "\(scoped.response.text)")
      } else {
        refused(scoped, "invalid_scope", "exchange.scope")
      }
    }
  }

  // MARK: Identity assertion grants

  private func askForGrant(
    _ changes: [String: String?] = [:], as client: String = "agent"
  ) async throws -> Answer {
    try await fixture.exchange(
      try fixture.assertion(), ExchangeFixture.type + "saml2",
      [
        "requested_token_type": ExchangeFixture.type + "id-jag", "audience": "https://as.example",
      ].merging(changes) { $1 }, as: client)
  }

  @Test(
    "An identity assertion grant names the server, the client there, the scope and the resource, for five minutes"
  )
  func issuesGrants() async throws {
    let answer = try await askForGrant([
      "scope": "orders", "resource": "https://api.as.example/mcp",
    ])
    #expect(answer.status == 200, "\(answer.response.text)")
    #expect(answer.json["issued_token_type"]?.string == ExchangeFixture.type + "id-jag")
    #expect(answer.json["token_type"]?.string == "N_A" && answer.json["refresh_token"] == nil)
    let (header, payload) = try ExchangeFixture.parts(answer.json["access_token"]?.string ?? "")
    #expect(header["typ"]?.string == "oauth-id-jag+jwt")
    #expect(payload["iss"]?.string == ExchangeFixture.issuer)
    #expect(payload["aud"]?.string == "https://as.example")
    #expect(payload["client_id"]?.string == "agent-there")
    #expect(payload["scope"]?.string == "orders" && payload["jti"]?.string != nil)
    #expect(payload["resource"]?.string == "https://api.as.example/mcp")
    let lifetime = try #require(payload["exp"]?.integer) - (payload["iat"]?.integer ?? 0)
    #expect(lifetime == 300)
    // A name of ours, not the provider's.
    #expect(payload["sub"]?.string != nil && payload["sub"]?.string != "ada")
  }

  @Test("Grants for servers, clients, scopes and resources that are not in the file are refused")
  func grantRefusals() async throws {
    #expect(try await askForGrant().status == 200)
    for (changes, client, error, code) in [
      (["audience": "https://x.example"], "agent", "invalid_target", "exchange.target"),
      ([:], "client", "invalid_target", "exchange.target"),
      (["resource": "https://x.example/"], "agent", "invalid_target", "exchange.target"),
      (["scope": "admin"], "agent", "invalid_scope", "exchange.scope"),
      (
        [
          "subject_token": try fixture.token(), "subject_token_type": ExchangeFixture.type + "jwt",
          "actor_token": try fixture.token(), "actor_token_type": ExchangeFixture.type + "jwt",
        ], "agent", "invalid_request", "exchange.token-type"
      ),
    ] as [([String: String?], String, String, String)] {
      refused(try await askForGrant(changes, as: client), error, code)
    }
  }

  /// A grant of op for the agent at this service.
  private func grant(
    client: String? = "agent", audiences: [String] = ["https://acs.example/"],
    _ more: [Claim] = [], type: String = "oauth-id-jag+jwt",
    id: String = TokenDraft.unpredictableID(), at fixture: ExchangeFixture? = nil
  ) throws -> String {
    let fixture = fixture ?? self.fixture
    var draft = fixture.draft(
      "https://op.example", for: audiences[0],
      (client.map { [Claim("client_id", $0)] } ?? []) + more, id: id)
    draft.audiences = audiences
    return String(
      decoding: try JSONWebToken.mint(draft, key: fixture.upstream, keyID: "k1", type: type),
      as: UTF8.self)
  }

  @Test(
    "A grant of a provider is redeemed once, by its client, for its resource and at most its scope")
  func redeemsGrants() async throws {
    let first = try grant([Claim("scope", "read admin"), Claim("resource", "urn:api")])
    let answer = try await redeem(first, "jwt-bearer", ["resource": nil])
    #expect(answer.status == 200, "\(answer.response.text)")
    // Of what was granted as much as the relying party has.
    #expect(answer.json["scope"]?.string == "read")
    refused(try await redeem(first), "invalid_grant", "replay.used")
    let scoped = [Claim("scope", "read"), Claim("resource", "urn:api")]
    refused(
      try await redeem(grant(scoped), "jwt-bearer", ["scope": "write"]), "invalid_scope",
      "exchange.scope")
    refused(
      try await redeem(grant(scoped), "jwt-bearer", ["resource": "urn:narrow"]),
      "invalid_target", "exchange.target")
    refused(try await redeem(grant(client: "other")), "invalid_grant", "exchange.grant")
    refused(try await redeem(grant(client: nil)), "invalid_grant", "exchange.grant")
    refused(
      try await redeem(grant(audiences: ["https://acs.example/", "https://x.example"])),
      "invalid_grant", "audience.mismatch")
    refused(
      try await redeem(grant(audiences: ["https://acs.example/v2/openid/token"])),
      "invalid_grant", "audience.mismatch")
    refused(
      try await redeem(grant(scoped), as: "client"), "invalid_grant", "exchange.grant")
    refused(
      try await redeem(
        grant([Claim("cnf", "{\"jkt\":\"x\"}", valueType: JSONWebToken.jsonType)])),
      "invalid_grant", "possession.missing")
    // A token of another type is none, whatever it says.
    let answerOfPlain = try await redeem(grant(scoped, type: "JWT"))
    #expect(answerOfPlain.status == 200 || answerOfPlain.json["error"]?.string == "invalid_grant")
  }

  @Test("Where the file says so the client may use a grant until its end, and others never may")
  func reuse() async throws {
    let fixture = try ExchangeFixture(grants: .reuse)
    let grant = try grant(at: fixture)
    for _ in 0..<2 {
      #expect(try await redeem(grant, at: fixture).status == 200)
    }
    refused(
      try await redeem(grant, as: "client", at: fixture), "invalid_grant", "exchange.grant")
    // Other assertions are good for once all the same.
    let token = try fixture.token(for: "https://acs.example/")
    #expect(try await redeem(token, at: fixture).status == 200)
    refused(try await redeem(token, at: fixture), "invalid_grant", "replay.used")
    fixture.clock.advance(bySeconds: 400)
    refused(try await redeem(grant, at: fixture), "invalid_grant", "time.expired")
  }

  @Test("Assertions are for authenticated clients, of providers whose assertions are grants")
  func grantors() async throws {
    let open = try await redeem(token(), "jwt-bearer", ["client_id": "open"], as: nil)
    refused(open, "unauthorized_client", "exchange.client")
    let none = try ExchangeFixture(grants: nil)
    for (assertion, name) in [
      (try none.token(for: "https://acs.example/"), "jwt-bearer"),
      (try grant(at: none), "jwt-bearer"),
    ] {
      refused(try await redeem(assertion, name, at: none), "invalid_grant", "exchange.grant")
    }
    let once = try ExchangeFixture()
    #expect(try await redeem(grant(at: once), at: once).status == 200)
  }

  @Test("A grant has an identifier, by which its one use is known")
  func identified() async throws {
    let whole = try grant([Claim("resource", "urn:api")])
    var (header, payload) = try ExchangeFixture.parts(whole)
    #expect(header["typ"]?.string == "oauth-id-jag+jwt" && payload["jti"] != nil)
    let id = try #require(payload["jti"]?.string)
    let parts = whole.split(separator: ".")
    let text = String(decoding: try Base64.decode(Array(parts[1].utf8), .url), as: UTF8.self)
    for (changed, isGood) in [
      (text, true), (text.replacing("\"jti\":\"\(id)\",", with: ""), false),
    ] {
      (header, payload) = (header, try JSONParser.parse(Array(changed.utf8)))
      #expect((payload["jti"] != nil) == isGood)
      let signed = parts[0] + "." + Base64.encode(Array(changed.utf8), .url)
      let signature = try fixture.upstream.sign(Array(signed.utf8))
      let answer = try await redeem(signed + "." + Base64.encode(signature, .url))
      if isGood {
        #expect(answer.status == 200, "\(answer.response.text)")
      } else {
        refused(answer, "invalid_grant", "exchange.grant")
      }
    }
  }

  @Test("The access token of an assertion is exchanged by the client that it is for")
  func exchanged() async throws {
    let answer = try await redeem(
      token(), "jwt-bearer", ["resource": nil, "audience": "client"])
    let own = try #require(answer.json["access_token"]?.string, "\(answer.response.text)")
    let access = ExchangeFixture.type + "access_token"
    let there = try await fixture.exchange(own, access, as: "client")
    #expect(there.status == 200, "\(there.response.text)")
    refused(try await fixture.exchange(own, access), "invalid_request", "audience.mismatch")
  }

  @Test("A grant names its scopes one space apart")
  func grantedScopes() async throws {
    for (scope, isRead) in [("read admin", true), ("read  admin", false), (" read", false)] {
      let answer = try await redeem(
        grant([Claim("scope", scope), Claim("resource", "urn:api")]))
      if isRead {
        #expect(answer.json["scope"]?.string == "read", "\(answer.response.text)")
      } else {
        refused(answer, "invalid_scope", "exchange.scope")
      }
    }
  }

  @Test("No other endpoint takes a grant")
  func elsewhere() async throws {
    let grant = try grant()
    let exchanged = try await fixture.exchange(grant, ExchangeFixture.type + "jwt")
    refused(exchanged, "invalid_request", "policy.token-purpose")
    let old = await fixture.site.respond(
      to: WebRequest(
        method: "POST", path: "/v2/OAuth2-13",
        contentType: "application/x-www-form-urlencoded",
        body: Array(
          ("grant_type=" + FormEncoding.encode(ExchangeFixture.grant + "jwt-bearer")
            + "&scope=urn%3aapi&assertion=" + grant).utf8)))
    #expect(old.status == 401 || old.status == 400)
  }
}
