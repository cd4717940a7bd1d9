import AccessControl
import HTTPExchange
import SecurityKeys
import TestSupport
import Testing
import TokenBasics

@Suite("Token exchange (RFC 8693) at the local Access Control Service")
struct TokenExchangeTests {
  private let fixture: ExchangeFixture

  init() throws { fixture = try ExchangeFixture() }

  private static let types =
    [
      "saml2", "saml1", "jwt", "id_token", "access_token",
    ].map { ExchangeFixture.type + $0 } + [ExchangeFixture.swt]

  /// A token of Ada in each form that clients have: by providers for the agent, by this service for the client.
  private func subjects() async throws -> [(token: String, type: String, client: String)] {
    var subjects = [
      (try fixture.assertion(), ExchangeFixture.type + "saml2", "agent"),
      (try fixture.oldAssertion(), ExchangeFixture.type + "saml1", "agent"),
      (try fixture.token(), ExchangeFixture.type + "jwt", "agent"),
      (try fixture.token(), ExchangeFixture.type + "id_token", "agent"),
    ]
    for type in Self.types {
      let (_, json, response) = try await fixture.exchange(
        try fixture.assertion(), ExchangeFixture.type + "saml2",
        ["audience": "client", "requested_token_type": type])
      let token = try #require(json["access_token"]?.string, "\(type): \(response.text)")
      subjects.append((token, type, "client"))
    }
    return subjects
  }

  @Test(
    "SAML Core 2.5.1.5: An assertion that its provider made for one use is exchanged once, and another one until its end",
    arguments: [true, false])
  func oneUse(isForOneUse: Bool) async throws {
    for (assertion, type) in [
      (try fixture.assertion(isForOneUse: isForOneUse), ExchangeFixture.type + "saml2"),
      (try fixture.oldAssertion(isForOneUse: isForOneUse), ExchangeFixture.type + "saml1"),
    ] {
      // A refusal uses nothing up.
      let refused = try await fixture.exchange(assertion, type, ["scope": "unknown"])
      #expect(refused.status == 400)
      let first = try await fixture.exchange(assertion, type)
      #expect(first.status == 200, "\(first.response.text)")
      let second = try await fixture.exchange(assertion, type)
      #expect(second.status == (isForOneUse ? 400 : 200), "\(second.response.text)")
      if isForOneUse { #expect(second.response.text.contains("replay.used")) }
    }
  }

  @Test(
    "Each kind of token is exchanged for each other one, by the rules, with the provider as the issuer of claims"
  )
  func matrix() async throws {
    for subject in try await subjects() {
      for type in Self.types {
        let (status, json, response) = try await fixture.exchange(
          subject.token, subject.type, ["requested_token_type": type], as: subject.client)
        #expect(status == 200, "\(subject.type) to \(type): \(response.text)")
        #expect(json["issued_token_type"]?.string == type)
        let isAccess = type.hasSuffix("access_token")
        #expect(json["token_type"]?.string == (isAccess ? "Bearer" : "N_A"))
        #expect(json["refresh_token"] == nil)
        let (claims, facts) = try fixture.verified(json["access_token"]?.string ?? "", type)
        let email = claims.single(.emailAddress) ?? claims.single("email")
        #expect(email == "ada@idp.example", "\(subject.type) to \(type)")
        let provider = claims.single(.identityProvider) ?? claims.single("identityprovider")
        #expect(["campus", "adfs", "op"].contains(provider))
        // No later than the subject token.
        let end = try #require(facts.expires)
        #expect(end <= fixture.clock.now.advanced(bySeconds: 300))
      }
    }
  }

  @Test("A person has one identifier at a relying party, whatever the path by which the token came")
  func identifiers() async throws {
    let saml = ExchangeFixture.type + "saml2"
    let access = ["requested_token_type": ExchangeFixture.type + "access_token"]
    func subject(_ token: String, _ type: String, _ client: String) async throws -> String? {
      let json = try await fixture.exchange(token, type, access, as: client).json
      return try ExchangeFixture.parts(json["access_token"]?.string ?? "").payload["sub"]?.string
    }
    let direct = try await subject(fixture.assertion(), saml, "agent")
    let middle = try await fixture.exchange(
      fixture.assertion(), saml, ["audience": "client"]
    ).json["access_token"]?.string
    let behind = try await subject(middle ?? "", ExchangeFixture.type + "jwt", "client")
    #expect(direct != nil && direct == behind)
    // The same name at another provider is another person.
    let other = try await subject(fixture.token(), ExchangeFixture.type + "jwt", "agent")
    #expect(other != nil && other != direct)
  }

  @Test("An access token is one of RFC 9068: typ, client, scope and the instant of the provider")
  func accessToken() async throws {
    let (_, json, response) = try await fixture.exchange(
      try fixture.assertion(), ExchangeFixture.type + "saml2",
      ["requested_token_type": ExchangeFixture.type + "access_token", "scope": "read"])
    #expect(json["scope"]?.string == "read", "\(response.text)")
    let (header, payload) = try ExchangeFixture.parts(json["access_token"]?.string ?? "")
    #expect(header["typ"]?.string == "at+jwt")
    #expect(payload["aud"]?.string == "urn:api" && payload["client_id"]?.string == "agent")
    #expect(payload["scope"]?.string == "read" && payload["jti"]?.string != nil)
    #expect(payload["auth_time"]?.integer == Int(fixture.clock.now.seconds) - 100)
  }

  @Test("A token ends with its subject token, and with less than a second left there is none")
  func ends() async throws {
    let saml = ExchangeFixture.type + "saml2"
    let token = try fixture.assertion(lifetime: 30)
    #expect(try await fixture.exchange(token, saml).json["expires_in"]?.integer == 30)
    fixture.clock.advance(bySeconds: 29)
    #expect(try await fixture.exchange(token, saml).json["expires_in"]?.integer == 1)
    fixture.clock.advance(bySeconds: 1)
    // Within the skew it would still verify.
    let over = try await fixture.exchange(token, saml)
    #expect(
      over.json["error"]?.string == "invalid_request" && over.response.text.contains("time.expired")
    )
  }

  private func refused(
    _ token: String, _ type: String, _ error: String, _ code: String,
    _ changes: [String: String?] = [:], as client: String = "agent",
    _ location: SourceLocation = #_sourceLocation
  ) async throws {
    let (status, json, response) = try await fixture.exchange(
      token, ExchangeFixture.type + type, changes, as: client)
    #expect(status == 400, "\(response.text)", sourceLocation: location)
    #expect(json["error"]?.string == error, "\(response.text)", sourceLocation: location)
    #expect(response.text.contains("(\(code))"), "\(response.text)", sourceLocation: location)
    #expect(json["access_token"] == nil)
  }

  /// What makes a logout token of a JSON Web Token (OpenID Connect Back-Channel Logout 1.0, 2.4).
  private static let logout = [
    Claim(
      "events", "{\"http://schemas.openid.net/event/backchannel-logout\":{}}",
      valueType: JSONWebToken.jsonType)
  ]

  @Test(
    "SVC-2: Subject tokens for others, by others, over, wrapped or bound are refused, each with its code"
  )
  func subjectRefusals() async throws {
    let stranger = try ExchangeFixture.pair("stranger")
    for (token, type, code) in [
      (try fixture.assertion(for: "urn:api"), "saml2", "audience.mismatch"),
      (try fixture.token(for: "client"), "jwt", "audience.mismatch"),
      (try fixture.assertion(key: stranger), "saml2", "signature.invalid"),
      (try fixture.assertion(issuer: "https://evil.example/"), "saml2", "exchange.provider"),
      (try fixture.oldAssertion(), "saml2", "signin.token-kind"),
      (try fixture.assertion(), "saml1", "signin.token-kind"),
      (
        try fixture.assertion(recipient: "https://acs.example/v2/upstream/saml/acs"), "saml2",
        "subject.recipient-mismatch"
      ),
      (try fixture.token(type: "at+jwt"), "id_token", "policy.token-purpose"),
      (try fixture.token(type: "oauth-id-jag+jwt"), "jwt", "policy.token-purpose"),
      (
        try fixture.token([Claim("cnf", "{\"jkt\":\"x\"}", valueType: JSONWebToken.jsonType)]),
        "jwt", "possession.missing"
      ),
      (
        try fixture.token([Claim("cnf", "{\"kid\":\"x\"}", valueType: JSONWebToken.jsonType)]),
        "jwt", "exchange.bound"
      ),
      (try fixture.token(Self.logout), "jwt", "policy.token-purpose"),
      (try fixture.token(Self.logout), "id_token", "policy.token-purpose"),
      (try fixture.token(subject: nil), "jwt", "signin.id-token"),
      (
        try fixture.assertion(
          nameFormat: "urn:oasis:names:tc:SAML:2.0:nameid-format:transient"), "saml2",
        "issuing.subject"
      ),
      (try fixture.token(), "access_token", "exchange.token"),
      (String(repeating: "A", count: 43), "access_token", "exchange.token"),
      ("x.y", "access_token", "input.jws-parts"),
    ] {
      try await refused(token, type, "invalid_request", code)
    }
    for recipient in ["https://agent.example/acs", "https://acs.example/v2/openid/token"] {
      let token = try fixture.assertion(recipient: recipient)
      #expect(try await fixture.exchange(token, ExchangeFixture.type + "saml2").status == 200)
    }
    try await refused(
      fixture.token(), "jwt", "invalid_request", "exchange.provider", ["audience": "urn:narrow"])
    let campus = try await fixture.exchange(
      fixture.assertion(), ExchangeFixture.type + "saml2", ["audience": "urn:narrow"])
    #expect(campus.status == 200)
    let late = try fixture.assertion(lifetime: 10)
    fixture.clock.advance(bySeconds: 71)
    try await refused(late, "saml2", "invalid_request", "time.expired")
  }

  @Test("A request that lacks a part, or has one that is none, is invalid")
  func requests() async throws {
    let token = try fixture.token()
    for (changes, error, code) in [
      (["subject_token": nil], "invalid_request", "client.parameter"),
      (["subject_token_type": nil], "invalid_request", "client.parameter"),
      (["subject_token_type": "urn:x"], "invalid_request", "exchange.token-type"),
      (
        ["subject_token_type": ExchangeFixture.type + "id-jag"], "invalid_request",
        "exchange.token-type"
      ),
      (["requested_token_type": "urn:x"], "invalid_request", "exchange.token-type"),
      (["actor_token": token], "invalid_request", "client.parameter"),
      (["audience": nil], "invalid_target", "exchange.target"),
      (["audience": "urn:none"], "invalid_target", "exchange.target"),
      (["audience": "urn:other"], "invalid_target", "exchange.target"),
      (["resource": "urn:narrow"], "invalid_target", "exchange.target"),
      (["resource": "not absolute"], "invalid_target", "exchange.target"),
      (["scope": "admin"], "invalid_scope", "exchange.scope"),
      (["scope": "read  write"], "invalid_scope", "exchange.scope"),
    ] as [([String: String?], String, String)] {
      let (status, json, response) = try await fixture.exchange(
        token, ExchangeFixture.type + "jwt", changes)
      #expect(status == 400 && json["error"]?.string == error, "\(changes): \(response.text)")
      #expect(response.text.contains("(\(code))"), "\(changes): \(response.text)")
    }
    let both = try await fixture.exchange(
      token, ExchangeFixture.type + "jwt", ["resource": "urn:api", "scope": "write read"])
    #expect(both.status == 200, "\(both.response.text)")
  }

  @Test("Exchange is for authenticated clients that a relying party names")
  func clients() async throws {
    let token = try fixture.token(for: "stranger")
    try await refused(
      token, "jwt", "unauthorized_client", "exchange.client", as: "stranger")
    let wrong = try await fixture.post(
      [
        ("grant_type", ExchangeFixture.grant + "token-exchange"), ("client_id", "agent"),
        ("client_secret", "wrong"),
      ], as: nil)
    #expect(wrong.status == 401 && wrong.json["error"]?.string == "invalid_client")
    #expect(wrong.response.fields["WWW-Authenticate"]?.hasPrefix("Basic") == true)
    // A public client can be anybody.
    let open = try await fixture.post(
      [
        ("grant_type", ExchangeFixture.grant + "token-exchange"), ("client_id", "open"),
        ("subject_token", try fixture.token(for: "open")),
        ("subject_token_type", ExchangeFixture.type + "jwt"), ("audience", "open"),
      ], as: nil)
    #expect(open.status == 400 && open.json["error"]?.string == "unauthorized_client")
    // One whose tokens the API gives to others alone.
    try await refused(
      fixture.token(for: "client"), "jwt", "invalid_target", "exchange.target",
      ["audience": "urn:narrow"], as: "client")
  }

  @Test(
    "A token that only looks like one of ours is refused: who has its key knows nothing that we kept"
  )
  func forged() async throws {
    let pairs =
      "emailaddress=admin%40idp.example&Audience=client&ExpiresOn=\(fixture.clock.now.seconds + 300)"
      + "&Issuer=https%3a%2f%2facs.example%2f"
    let mac = try SymmetricKey(bytes: fixture.secret).authenticate(pairs.utf8.span, with: .sha256)
    let token = pairs + "&HMACSHA256=" + FormEncoding.encode(Base64.encode(mac ?? []))
    let (status, json, response) = try await fixture.exchange(
      token, ExchangeFixture.swt, as: "client")
    #expect(status == 400 && json["error"]?.string == "invalid_request")
    #expect(response.text.contains("exchange.token"), "\(response.text)")
  }

  @Test(
    "An access token of ours is exchanged as one, and its scope at its own relying party only narrows"
  )
  func narrowing() async throws {
    let access = ExchangeFixture.type + "access_token"
    func token(_ scope: String) async throws -> String {
      let json = try await fixture.exchange(
        fixture.assertion(), ExchangeFixture.type + "saml2",
        ["audience": "client", "requested_token_type": access, "scope": scope]
      ).json
      return try #require(json["access_token"]?.string)
    }
    let own = try await token("read")
    // At another relying party its scopes are other ones.
    let there = try await fixture.exchange(own, access, ["scope": "write"], as: "client")
    #expect(there.status == 200, "\(there.response.text)")
    let asJWT = try await fixture.exchange(
      own, ExchangeFixture.type + "jwt", as: "client")
    #expect(asJWT.status == 200, "\(asJWT.response.text)")
    try await refused(own, "id_token", "invalid_request", "policy.token-purpose", as: "client")
    // The agent is no audience of it.
    try await refused(own, "access_token", "invalid_request", "audience.mismatch")
  }

  @Test("SVC-10: A context has our name where the file gives it one, and the provider's otherwise")
  func contexts() async throws {
    for (theirs, own) in [
      ("https://refeds.org/profile/mfa", "urn:mfa"), ("urn:other", "urn:other"),
    ] {
      let json = try await fixture.exchange(
        fixture.assertion(context: theirs), ExchangeFixture.type + "saml2",
        ["requested_token_type": ExchangeFixture.type + "access_token"]
      ).json
      let payload = try ExchangeFixture.parts(json["access_token"]?.string ?? "").payload
      #expect(payload["acr"]?.string == own)
    }
  }

  // MARK: Actors

  private static func json(_ name: String, _ text: String) -> Claim {
    Claim(ClaimType(name), text, valueType: JSONWebToken.jsonType)
  }

  @Test("An actor token gives act, with an earlier act inside, in every format")
  func actors() async throws {
    let subject = try fixture.token([
      Self.json(
        "act", "{\"sub\":\"earlier\",\"act\":{\"sub\":\"first\",\"iss\":\"https://x.example\"}}")
    ])
    let actor = try fixture.token(for: "agent", subject: "robot")
    let changes: [String: String?] = [
      "actor_token": actor, "actor_token_type": ExchangeFixture.type + "jwt",
    ]
    for type in Self.types {
      let (status, json, response) = try await fixture.exchange(
        subject, ExchangeFixture.type + "jwt",
        changes.merging(["requested_token_type": type]) { $1 })
      #expect(status == 200, "\(response.text)")
      let (claims, _) = try fixture.verified(json["access_token"]?.string ?? "", type)
      let text =
        claims.single("act")
        ?? claims.single("http://schemas.xmlsoap.org/ws/2009/09/identity/claims/actor") ?? ""
      let act = try JSONParser.parse(Array(text.utf8))
      #expect(act["iss"]?.string == ExchangeFixture.issuer && act["sub"]?.string != "robot")
      #expect(act["act"]?["sub"]?.string == "earlier")
      #expect(act["act"]?["iss"]?.string == "https://op.example")
      #expect(act["act"]?["act"]?["iss"]?.string == "https://x.example")
      #expect(
        act["act"]?["act"]?.members?.map(\.name) == ["sub", "iss"], "the first has none before")
    }
    // Without an actor token the earlier one still acts.
    let json = try await fixture.exchange(subject, ExchangeFixture.type + "jwt").json
    let payload = try ExchangeFixture.parts(json["access_token"]?.string ?? "").payload
    #expect(payload["act"]?["sub"]?.string == "earlier")
  }

  @Test(
    "Actor tokens of strangers, of clients that may not send one, and chains without an end are refused"
  )
  func actorRefusals() async throws {
    let subject = try fixture.token()
    func actor(_ token: String, _ type: String = "jwt") -> [String: String?] {
      ["actor_token": token, "actor_token_type": ExchangeFixture.type + type]
    }
    let good = try fixture.token(subject: "robot")
    #expect(
      try await fixture.exchange(subject, ExchangeFixture.type + "jwt", actor(good)).status == 200)
    try await refused(
      fixture.token(for: "client"), "jwt", "invalid_request", "exchange.actor",
      actor(fixture.token(for: "client")), as: "client")
    try await refused(
      subject, "jwt", "invalid_request", "exchange.provider",
      actor(fixture.assertion(issuer: "https://evil.example/"), "saml2"))
    try await refused(
      subject, "jwt", "invalid_request", "audience.mismatch", actor(fixture.token(for: "other")))
    let acting = try fixture.token([Self.json("act", "{\"sub\":\"x\"}")], subject: "robot")
    try await refused(subject, "jwt", "invalid_request", "exchange.actor", actor(acting))
    var chain = "{\"sub\":\"x\"}"
    for _ in 0..<4 { chain = "{\"sub\":\"x\",\"act\":\(chain)}" }
    let long = try fixture.token([Self.json("act", chain)])
    #expect(try await fixture.exchange(long, ExchangeFixture.type + "jwt").status == 200)
    try await refused(long, "jwt", "invalid_request", "exchange.actor", actor(good))
    let longer = try fixture.token([Self.json("act", "{\"sub\":\"x\",\"act\":\(chain)}")])
    try await refused(longer, "jwt", "invalid_request", "exchange.actor")
    for bad in [
      "{}", "{\"sub\":1}", "[]", "{\"sub\":\"x\",\"act\":\"y\"}", "{\"sub\":\"\"}",
      "{\"sub\":\"x\",\"iss\":1}",
    ] {
      let token = try fixture.token([Self.json("act", bad)])
      try await refused(token, "jwt", "invalid_request", "exchange.actor")
    }
  }

  @Test("may_act of a subject token is obeyed")
  func allowedActors() async throws {
    func subject(_ json: String) throws -> String {
      try fixture.token([Self.json("may_act", json)])
    }
    let actor: [String: String?] = [
      "actor_token": try fixture.token(subject: "robot"),
      "actor_token_type": ExchangeFixture.type + "jwt",
    ]
    let named = try subject("{\"sub\":\"robot\",\"iss\":\"https://op.example\"}")
    #expect(try await fixture.exchange(named, ExchangeFixture.type + "jwt", actor).status == 200)
    try await refused(named, "jwt", "invalid_request", "exchange.actor")
    try await refused(
      subject("{\"sub\":\"robot\",\"iss\":\"https://idp.example/\"}"), "jwt", "invalid_request",
      "exchange.actor", actor)
    // Without iss it is a name of the token's issuer, and not of the one of another actor.
    let unsaid = try subject("{\"sub\":\"robot\"}")
    #expect(try await fixture.exchange(unsaid, ExchangeFixture.type + "jwt", actor).status == 200)
    let foreign: [String: String?] = [
      "actor_token": try fixture.assertion(subject: "robot"),
      "actor_token_type": ExchangeFixture.type + "saml2",
    ]
    try await refused(unsaid, "jwt", "invalid_request", "exchange.actor", foreign)
    try await refused(
      subject("{\"sub\":\"other\"}"), "jwt", "invalid_request", "exchange.actor", actor)
    for bad in ["{}", "\"agent\"", "{\"sub\":\"agent\",\"iss\":1}"] {
      try await refused(subject(bad), "jwt", "invalid_request", "exchange.actor")
    }
    // A client is one by its name here, and a subject beside it has to be the actor.
    let (ours, other) = (try subject("{\"client_id\":\"agent\"}"), "{\"client_id\":\"other\"}")
    for actor in [actor, [:]] {
      #expect(try await fixture.exchange(ours, ExchangeFixture.type + "jwt", actor).status == 200)
      try await refused(subject(other), "jwt", "invalid_request", "exchange.actor", actor)
    }
    for both in [
      "{\"client_id\":\"other\",\"sub\":\"robot\"}", "{\"client_id\":\"agent\",\"sub\":\"other\"}",
    ] {
      try await refused(subject(both), "jwt", "invalid_request", "exchange.actor", actor)
    }
    // The client itself.
    let own = try subject("{\"sub\":\"agent\"}")
    let json = try await fixture.exchange(own, ExchangeFixture.type + "jwt").json
    let payload = try ExchangeFixture.parts(json["access_token"]?.string ?? "").payload
    #expect(payload["act"]?["sub"]?.string == "agent")
  }

  @Test("A rule cannot give act, may_act or cnf, nor in any format who acts")
  func reserved() throws {
    let actor = ClaimType("http://schemas.xmlsoap.org/ws/2009/09/identity/claims/actor")
    for format in [TokenFormat.swt, .saml11, .saml20, .jwt] {
      #expect(ReservedClaims.contains(actor, in: format))
      #expect(!ReservedClaims.contains(.emailAddress, in: format))
    }
    for type in ["act", "may_act", "cnf"] {
      #expect(ReservedClaims.contains(ClaimType(type), in: .jwt))
    }
  }
}
