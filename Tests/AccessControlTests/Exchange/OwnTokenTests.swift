import AccessControl
import HTTPExchange
import TestSupport
import Testing
import TokenBasics

/// What a client gets for tokens that this service itself issued.
@Suite("Token exchange for tokens of the local Access Control Service")
struct OwnTokenTests {
  private static let access = ExchangeFixture.type + "access_token"
  private static let saml = ExchangeFixture.type + "saml2"
  private static let jwt = ExchangeFixture.type + "jwt"

  private func refused(
    _ answer: (status: Int, json: JSONValue, response: HTTPExchange.HTTPResponse),
    _ error: String, _ code: String, _ location: SourceLocation = #_sourceLocation
  ) {
    #expect(answer.status == 400, "\(answer.response.text)", sourceLocation: location)
    #expect(
      answer.json["error"]?.string == error, "\(answer.response.text)", sourceLocation: location)
    #expect(
      answer.response.text.contains("(\(code))"), "\(answer.response.text)",
      sourceLocation: location)
  }

  /// A token for the client, of Ada.
  private func token(
    _ fixture: ExchangeFixture, _ changes: [String: String?] = [:], subject: String? = nil,
    _ type: String = saml
  ) async throws -> String {
    let (_, json, response) = try await fixture.exchange(
      try subject ?? fixture.assertion(), type,
      ["audience": "client", "requested_token_type": Self.access].merging(changes) { $1 })
    return try #require(json["access_token"]?.string, "\(response.text)")
  }

  @Test("At its own relying party an access token gives what it has, and no more")
  func narrows() async throws {
    let fixture = try ExchangeFixture { parties in
      parties[2].exchange.clients.append("client")
      parties[2].exchange.scopes = ["read", "write"]
    }
    let own = try await token(fixture, ["scope": "read"])
    let changes: [String: String?] = [
      "audience": "client", "requested_token_type": Self.access,
    ]
    func exchange(_ scope: String?) async throws -> (
      status: Int, json: JSONValue, response: HTTPExchange.HTTPResponse
    ) {
      try await fixture.exchange(
        own, Self.access, changes.merging(["scope": scope]) { $1 }, as: "client")
    }
    for scope in [nil, "read"] {
      let answer = try await exchange(scope)
      #expect(answer.status == 200 && answer.json["scope"]?.string == "read")
    }
    refused(try await exchange("write"), "invalid_scope", "exchange.scope")
    refused(try await exchange("read write"), "invalid_scope", "exchange.scope")
  }

  @Test(
    "What an access token was exchanged for gives no more than that, whatever form it took between",
    arguments: ["saml2", "saml1", "jwt", "id_token"])
  func launders(form: String) async throws {
    let fixture = try ExchangeFixture(
      { parties in
        parties[2].exchange.clients.append("client")
        parties[2].exchange.scopes = ["read", "write"]
      }, serverClients: ["agent", "client"])
    let form = ExchangeFixture.type + form
    func exchange(
      _ token: String, _ type: String, for wanted: String, _ scope: String?
    ) async throws -> (status: Int, json: JSONValue, response: HTTPExchange.HTTPResponse) {
      try await fixture.exchange(
        token, type,
        ["audience": "client", "requested_token_type": wanted, "scope": scope], as: "client")
    }
    func between(_ token: String, _ type: String) async throws -> String {
      let answer = try await exchange(token, type, for: form, nil)
      return try #require(answer.json["access_token"]?.string, "\(answer.response.text)")
    }
    let grant: [String: String?] = [
      "requested_token_type": ExchangeFixture.type + "id-jag", "audience": "https://as.example",
    ]
    let read = try await token(fixture, ["scope": "read"])
    // Once, and once more by itself.
    let once = try await between(read, Self.access)
    for washed in [once, try await between(once, form)] {
      refused(
        try await exchange(washed, form, for: Self.access, "read write"), "invalid_scope",
        "exchange.scope")
      let same = try await exchange(washed, form, for: Self.access, nil)
      #expect(same.json["scope"]?.string == "read", "\(same.response.text)")
      refused(
        try await fixture.exchange(washed, form, grant, as: "client"), "invalid_request",
        "exchange.token-type")
    }
    // What never was an access token is not bound.
    let person = try await token(fixture, ["requested_token_type": form])
    let wide = try await exchange(person, form, for: Self.access, "read write")
    #expect(wide.json["scope"]?.string == "read write", "\(wide.response.text)")
    #expect(try await fixture.exchange(person, form, grant, as: "client").status == 200)
  }

  @Test("A token of a person is none for a relying party that the person's provider is not for")
  func providers() async throws {
    let fixture = try ExchangeFixture { $0[1].exchange.clients.append("client") }
    for (subject, type, isOffered) in [
      (try fixture.assertion(), Self.saml, true), (try fixture.token(), Self.jwt, false),
    ] {
      let own = try await token(fixture, subject: subject, type)
      let answer = try await fixture.exchange(
        own, Self.access, ["audience": "urn:narrow"], as: "client")
      if isOffered {
        #expect(answer.status == 200, "\(answer.response.text)")
      } else {
        refused(answer, "invalid_request", "exchange.provider")
      }
    }
  }

  @Test("An identity assertion grant is for an ID token or an assertion about a person")
  func grants() async throws {
    let fixture = try ExchangeFixture(serverClients: ["agent", "client"])
    func ask(
      _ token: String, _ type: String
    ) async throws -> (status: Int, json: JSONValue, response: HTTPExchange.HTTPResponse) {
      try await fixture.exchange(
        token, type,
        [
          "requested_token_type": ExchangeFixture.type + "id-jag", "audience": "https://as.example",
        ],
        as: "client")
    }
    let idToken = ExchangeFixture.type + "id_token"
    let person = try await token(fixture, ["requested_token_type": idToken])
    #expect(try await ask(person, idToken).status == 200)
    refused(
      try await ask(try await token(fixture), Self.access), "invalid_request",
      "exchange.token-type")
    // It is none under another name either.
    refused(
      try await ask(try await token(fixture), Self.jwt), "invalid_request", "exchange.token-type")
    // What a program got with its password is about the program.
    let program = try await fixture.post(
      [
        ("grant_type", "client_credentials"), ("client_id", "agent"),
        ("client_secret", "secret of agent"), ("scope", "client"),
      ], as: nil, to: "/v2/OAuth2-13")
    let own = try #require(program.json["access_token"]?.string, "\(program.response.text)")
    #expect(try await fixture.exchange(own, Self.jwt, as: "client").status == 200)
    refused(try await ask(own, Self.jwt), "invalid_request", "exchange.token-type")
  }

  @Test("A resource may be a realm; what is no absolute URI without a fragment is none")
  func resources() async throws {
    let fixture = try ExchangeFixture {
      var party = $0[0]
      party = RelyingParty(realm: "urn:api#part", format: .jwt, ruleGroups: ["all"])
      party.exchange.clients = ["agent"]
      $0.append(party)
    }
    for (name, isResource) in [("urn:api", true), ("client", false), ("urn:api#part", false)] {
      let subject = try fixture.assertion()
      #expect(try await fixture.exchange(subject, Self.saml, ["audience": name]).status == 200)
      let answer = try await fixture.exchange(
        subject, Self.saml, ["audience": nil, "resource": name])
      if isResource {
        #expect(answer.status == 200, "\(answer.response.text)")
      } else {
        refused(answer, "invalid_target", "exchange.target")
      }
    }
  }

  @Test("No rule gives what an access token says of itself")
  func ruled() async throws {
    let names = ["client_id", "scope", "scp", "authorization_details", "urn:passed"]
    let fixture = try ExchangeFixture(
      rules: names.map {
        ClaimRule(
          ClaimCondition(.provider("campus"), type: .emailAddress), outputType: ClaimType($0),
          outputValue: "of a rule")
      })
    let own = try await token(fixture, ["audience": "urn:api", "scope": "read"])
    let payload = try ExchangeFixture.parts(own).payload
    #expect(payload["client_id"]?.string == "agent" && payload["scope"]?.string == "read")
    #expect(payload["scp"] == nil && payload["urn:passed"]?.string == "of a rule")
    #expect(payload["authorization_details"] == nil)
    let bare = try ExchangeFixture.parts(try await token(fixture, ["audience": "urn:api"])).payload
    #expect(bare["scope"] == nil)
  }

  // MARK: Tokens of a browser's sign-in

  private func signedIn() throws -> OAuthFixture {
    try OAuthFixture { parties in parties[3].exchange.clients = ["chat", "other"] }
  }

  private func exchange(
    _ fixture: OAuthFixture, _ token: String, _ type: String, as client: String = "chat"
  ) async throws -> (status: Int, json: JSONValue, response: HTTPExchange.HTTPResponse) {
    try await fixture.post(
      "/v2/openid/token",
      [
        ("grant_type", ExchangeFixture.grant + "token-exchange"), ("subject_token", token),
        ("subject_token_type", type), ("audience", OAuthFixture.api),
        ("requested_token_type", Self.access),
      ], as: client)
  }

  @Test("An opaque access token is exchanged by its client, as an access token, while it is good")
  func opaque() async throws {
    let fixture = try signedIn()
    let token = try #require(try await fixture.tokens()["access_token"]?.string)
    let answer = try await exchange(fixture, token, Self.access)
    #expect(answer.status == 200, "\(answer.response.text)")
    let payload = try ExchangeFixture.parts(answer.json["access_token"]?.string ?? "").payload
    #expect(payload["aud"]?.string == OAuthFixture.api && payload["client_id"]?.string == "chat")
    refused(
      try await exchange(fixture, token, Self.access, as: "other"), "invalid_request",
      "exchange.token")
    for type in [Self.jwt, ExchangeFixture.type + "id_token"] {
      let other = try await exchange(fixture, token, type)
      refused(other, "invalid_request", "input.jws-parts")
    }
    fixture.site.clock.advance(bySeconds: 600)
    refused(
      try await exchange(fixture, token, Self.access), "invalid_request", "exchange.token")
  }

  @Test("An ID token is exchanged as an ID token or a JWT, and never as an access token")
  func idToken() async throws {
    let fixture = try signedIn()
    let token = try #require(try await fixture.tokens()["id_token"]?.string)
    for type in [ExchangeFixture.type + "id_token", Self.jwt] {
      let answer = try await exchange(fixture, token, type)
      #expect(answer.status == 200, "\(answer.response.text)")
    }
    refused(try await exchange(fixture, token, Self.access), "invalid_request", "exchange.token")
  }

  @Test("Sign-out ends what the session's tokens could be exchanged for, but not offline_access")
  func signOut() async throws {
    for (scope, isOver) in [("openid", true), ("openid offline_access", false)] {
      let fixture = try signedIn()
      let answer = try await fixture.answer("chat", ["scope": scope])
      let tokens = try await fixture.redeem(answer.parameters.require("code")).json
      for end in [false, true] {
        if end { try await fixture.site.signOut(answer.cookies) }
        for (name, type) in [
          ("access_token", Self.access), ("id_token", ExchangeFixture.type + "id_token"),
        ] {
          let exchanged = try await exchange(
            fixture, try #require(tokens[name]?.string), type)
          if end && isOver {
            refused(exchanged, "invalid_request", "exchange.token")
          } else {
            #expect(exchanged.status == 200, "\(name): \(exchanged.response.text)")
            // What is issued is active.
            let known = try await fixture.post(
              "/v2/openid/introspect",
              [("token", exchanged.json["access_token"]?.string ?? "")], as: "chat")
            #expect(known.json["active"]?.bool == true, "\(name): \(known.response.text)")
          }
        }
      }
    }
  }
}
