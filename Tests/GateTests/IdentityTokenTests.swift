import Foundation
import GateService
import IdentityProviderTesting
import JSONWebTokens
import SecurityKeys
import TestSupport
import Testing

/// What the gate signs for the application.
@Suite("Signed identity for the application")
struct IdentityTokenTests {
  private let clock = ManualTime()
  private let idp: IdentityProviderSimulator

  init() throws { idp = try IdentityProviderSimulator() }

  private func key(_ name: String) throws -> SigningKey {
    try SigningKey(PrivateKey(pemOrDER: TestVector.bytes("keys/\(name).key")))
  }

  private func identity(
    _ keys: [String] = ["rp-ec256"], lifetime: Int = 60
  ) throws -> IdentityToken {
    try IdentityToken(
      header: "X-Identity-Token", keys: keys.map(key), settings: settings(),
      audience: HTTPURL("https://app.example/").origin, lifetime: lifetime,
      members: [
        .init("email", ["email", .emailAddress]), .init("groups", ["group"]), .init("none", ["x"]),
      ])
  }

  private func settings() throws -> SiteSettings {
    try SiteSettings(origin: HTTPURL("https://app.example/").origin, prefix: "/.gate/")
  }

  private func gate(
    _ identity: IdentityToken?, people: GatePeople = .shared,
    sessions: any SessionStore = MemorySessionStore()
  ) throws -> Gate {
    let site = try idp.site(sessions: sessions, clock: clock)
    var open = GateRule(path: try RequestTarget("/static"))
    open.isPublic = true
    return Gate(
      site: site, proxy: .nginx, peers: [try PeerNetwork("127.0.0.1")],
      rules: GateRules([
        open, GateRule(path: try RequestTarget("/admin"), claims: ["role"], values: ["admin"]),
      ]), headers: IdentityHeaders([]), identity: identity, people: people)
  }

  /// A session of a person with these claims, and its cookie.
  private func session(
    _ sessions: MemorySessionStore, subject: String = "ada", _ claims: [Claim] = []
  ) async throws -> String {
    let (id, cookie) = SessionID.make()
    try await sessions.insert(
      SignedInSession(
        principal: FederatedPrincipal(
          issuer: idp.entityID, subject: subject, claims: ClaimSet(claims), format: .saml20,
          issuerSession: IssuerSession(), warnings: []),
        provider: "idp", begun: clock.now, end: clock.now.advanced(bySeconds: 3_600),
        lastUse: clock.now), id)
    return "__Host-session=\(cookie.revealed)"
  }

  private func check(
    _ gate: Gate, _ target: String, _ cookie: String? = nil
  ) async throws -> HTTPResponse {
    let fields = [("X-Original-URI", target), ("X-Original-Method", "GET")]
    return await gate.respond(
      to: WebRequest(
        method: "GET", path: "/.gate/check",
        fields: try HTTPFields(fields + (cookie.map { [("Cookie", $0)] } ?? []))),
      from: "127.0.0.1")
  }

  private func keySet(_ gate: Gate) async -> HTTPResponse {
    await gate.respond(
      to: WebRequest(method: "GET", path: "/.gate/keys"), from: "192.0.2.1")
  }

  /// Verifies as an application does: by the published keys, issuer and audience.
  private func verified(
    _ token: String, _ keys: HTTPResponse, audience: String = "https://app.example"
  ) throws -> Verified<JSONWebToken> {
    let issuer = TrustedIssuer(
      "https://app.example/.gate/", keys: try JSONWebKeySet(parsing: keys.body).keys,
      formats: [.jwt])
    return try TokenValidator(Trust(issuers: [issuer], audiences: .oneOf([audience])))
      .validate(JSONWebToken(parsing: Array(token.utf8)), at: clock.now)
  }

  @Test(
    "An application verifies it with the published keys: subject, provider, claims, times",
    arguments: [("rp-ec256", "ES256"), ("rp-rsa", "RS256"), ("idp-ed25519", "EdDSA")])
  func verifies(name: String, algorithm: String) async throws {
    let sessions = MemorySessionStore()
    let gate = try gate(identity([name]), people: .byProvider, sessions: sessions)
    let cookie = try await session(
      sessions, subject: "a:b",
      [Claim(.emailAddress, "a@x.example"), Claim("group", "one"), Claim("group", "two")])
    let response = try await check(gate, "/page", cookie)
    let token = try #require(response.fields["X-Identity-Token"])
    let keys = await keySet(gate)
    #expect(keys.status == 200 && keys.fields["Content-Type"] == "application/jwk-set+json")
    #expect(keys.fields["Cache-Control"] == "public, max-age=300")
    let found = try verified(token, keys)
    #expect(found.facts.subject == "idp:a%3Ab" && found.claims["provider"] == ["idp"])
    #expect(found.claims["email"] == ["a@x.example"] && found.claims["groups"] == ["one", "two"])
    #expect(found.claims["none"].isEmpty)
    #expect(found.facts.expires == clock.now.advanced(bySeconds: 60))
    #expect(found.facts.tokenID?.isEmpty == false)
    #expect(try JSONWebSignature(parsing: Array(token.utf8)).header.algorithm == algorithm)
    #expect(throws: TokenError(.audienceMismatch)) {
      try verified(token, keys, audience: "https://other.example")
    }
    clock.advance(bySeconds: 121)
    #expect(throws: TokenError(.expired)) { try verified(token, keys) }
  }

  @Test("Of one subject one token is signed a second, of two that differ in anything two")
  func once() async throws {
    let sessions = MemorySessionStore()
    let gate = try gate(identity(), sessions: sessions)
    func token(_ subject: String, _ claims: [Claim] = []) async throws -> String {
      let cookie = try await session(sessions, subject: subject, claims)
      return try #require(try await check(gate, "/page", cookie).fields["X-Identity-Token"])
    }
    let groups = [Claim("group", "a"), Claim("group", "b")]
    let first = [
      try await token("ada"), try await token("\u{e9}"), try await token("e\u{301}"),
      try await token("ada", groups), try await token("ada", groups.reversed()),
      try await token("ada", [Claim("group", "ab")]),
    ]
    #expect(Set(first).count == first.count)
    #expect(try await token("ada") == first[0])
    #expect(try await token("ada", groups) == first[3])
    clock.advance(bySeconds: 1)
    let later = try await token("ada")
    let keys = await keySet(gate)
    #expect(try verified(later, keys).facts.tokenID != verified(first[0], keys).facts.tokenID)
  }

  @Test("Groups that Entra left out are refused, as a token without them says that there are none")
  func overage() async throws {
    let mark = Claim("_claim_names", "{\"groups\":\"src1\"}")
    for (claims, isRefused) in [([mark], true), ([mark, Claim("group", "a")], false), ([], false)] {
      let sessions = MemorySessionStore()
      let gate = try gate(identity(), sessions: sessions)
      let cookie = try await session(sessions, claims)
      let response = try await check(gate, "/page", cookie)
      #expect(response.status == (isRefused ? 403 : 200))
      #expect(response.isRefusal(.gateGroupsOverage) == isRefused)
      #expect((response.fields["X-Identity-Token"] ?? "").isEmpty == isRefused)
    }
  }

  @Test("A token that is too long for a header lets no one in")
  func long() async throws {
    for (count, status) in [(5_000, 200), (7_000, 403)] {
      let sessions = MemorySessionStore()
      let gate = try gate(identity(), sessions: sessions)
      let cookie = try await session(
        sessions, [Claim(.emailAddress, String(repeating: "a", count: count))])
      let response = try await check(gate, "/page", cookie)
      #expect(response.status == status)
      #expect((response.fields["X-Identity-Token"]?.isEmpty == false) == (status == 200))
      #expect(response.isRefusal(.gateHeaderTooLarge) == (status == 403))
    }
  }

  @Test("GATE-3: The header is empty wherever nobody is let in, and for nobody on a public path")
  func empty() async throws {
    let sessions = MemorySessionStore()
    let gate = try gate(identity(), sessions: sessions)
    let cookie = try await session(sessions)
    for (target, cookie, status) in [
      ("/page", nil, 401), ("/admin", cookie, 403), ("/static/a", nil, 200), ("//", cookie, 403),
    ] as [(String, String?, Int)] {
      let response = try await check(gate, target, cookie)
      #expect(response.status == status && response.fields["X-Identity-Token"] == "", "\(target)")
    }
    let open = try await check(gate, "/static/a", cookie)
    #expect(open.fields["X-Identity-Token"]?.isEmpty == false)
    let nameless = try await session(sessions, subject: "")
    let refused = try await check(gate, "/page", nameless)
    #expect(refused.status == 403 && refused.isRefusal(.gateSubjectMissing))
  }

  @Test("A key is announced before it signs: tokens of both are verified by one set")
  func rollover() async throws {
    let sessions = MemorySessionStore()
    let cookie = try await session(sessions)
    let before = try gate(identity(["rp-ec256", "rp-rsa"]), sessions: sessions)
    let after = try gate(identity(["rp-rsa", "rp-ec256"]), sessions: sessions)
    for (gate, algorithm) in [(before, "ES256"), (after, "RS256")] {
      let token = try #require(try await check(gate, "/page", cookie).fields["X-Identity-Token"])
      #expect(try JSONWebSignature(parsing: Array(token.utf8)).header.algorithm == algorithm)
      for keys in [await keySet(before), await keySet(after)] {
        #expect(try verified(token, keys).facts.subject == "ada")
      }
    }
    let other = try gate(identity(["idp-ed25519"]), sessions: sessions)
    let token = try #require(try await check(other, "/page", cookie).fields["X-Identity-Token"])
    let keys = await keySet(before)
    #expect(throws: TokenError(.unknownKeyID)) { try verified(token, keys) }
  }

  @Test("Without identityToken there is no set of keys; it is read and never written")
  func noKeys() async throws {
    let none = await keySet(try gate(nil))
    #expect(none.status == 404)
    let posted = await (try gate(identity())).respond(
      to: WebRequest(method: "POST", path: "/.gate/keys"), from: "192.0.2.1")
    #expect(posted.status == 405)
    let elsewhere = await (try gate(identity())).respond(
      to: WebRequest(method: "GET", path: "/.gate/key"), from: "192.0.2.1")
    #expect(elsewhere.status == 404)
    #expect(
      !String(decoding: await keySet(try gate(identity())).body, as: UTF8.self).contains("\"d\""))
  }

  @Test("Keys of other algorithms, and none, are refused")
  func keys() throws {
    for keys in [[], ["rp-ec384"], ["rp-ec256", "rp-ec521"]] {
      #expect(throws: TokenError(.gateValue)) { try identity(keys) }
    }
    _ = try identity(["rp-ec256", "rp-rsa", "idp-ed25519"])
  }

  // MARK: The file

  private static func file(_ token: String) -> [UInt8] {
    Array(
      """
      {"public": "https://app.example", "listen": "127.0.0.1:4180",
       "proxy": {"kind": "nginx", "peers": ["127.0.0.1"]},
       "providers": [{"id": "idp", "saml": {"metadata": "idp.xml"}}],
       "headers": {"X-Remote-User": "subject"},
       "identityToken": \(token)}
      """.utf8)
  }

  @Test("The file says header, keys, lifetime and claims")
  func reads() throws {
    let (configuration, errors) = GateConfiguration.read(
      Self.file(
        """
        {"header": "X-Identity-Token", "keys": ["a", "b"], "lifetime": 300, "claims": {"mail": "email"}}
        """))
    #expect(errors.isEmpty)
    let token = try #require(configuration?.identityToken)
    #expect(token.keyFiles == ["a", "b"] && token.lifetime == 300)
    #expect(token.members.map(\.name) == ["mail"])
    #expect(token.members.first?.claims.prefix(2) == ["email", .emailAddress])
    #expect(configuration?.headerNames == ["X-Remote-User", "X-Identity-Token"])
    #expect(configuration?.neededClaims.map { Array($0.prefix(2)) } == [["email", .emailAddress]])
    let usual = GateConfiguration.read(Self.file("{\"header\": \"X-Id\", \"keys\": [\"a\"]}"))
    #expect(usual.configuration?.identityToken?.lifetime == 60)
  }

  @Test(
    "What cannot be is an error with its line",
    arguments: [
      "{\"keys\": [\"a\"]}", "{\"header\": \"X-Id\"}", "{\"header\": \"X-Id\", \"keys\": []}",
      "{\"header\": \"x_remote_user\", \"keys\": [\"a\"]}",
      "{\"header\": \"Authorization\", \"keys\": [\"a\"]}",
      "{\"header\": \"a b\", \"keys\": [\"a\"]}", "{\"header\": \"X-Id\", \"keys\": \"a\"}",
      "{\"header\": \"X-Id\", \"keys\": [\"a\"], \"lifetime\": 301}",
      "{\"header\": \"X-Id\", \"keys\": [\"a\"], \"lifetime\": 0}",
      "{\"header\": \"X-Id\", \"keys\": [\"a\"], \"claims\": {\"sub\": \"email\"}}",
      "{\"header\": \"X-Id\", \"keys\": [\"a\"], \"claims\": {\"nonce\": \"email\"}}",
      "{\"header\": \"X-Id\", \"keys\": [\"a\"], \"claims\": {\"m\": 7}}",
      "{\"header\": \"X-Id\", \"keys\": [\"a\"], \"claims\": [\"email\"]}",
      "{\"header\": \"X-Id\", \"keys\": [\"a\"], \"algorithm\": \"ES256\"}",
    ])
  func mistakes(token: String) throws {
    let (configuration, errors) = GateConfiguration.read(Self.file(token))
    #expect(configuration == nil)
    let error = try #require(errors.first, "\(token)")
    #expect(
      [.gateValue, .gateMember].contains(error.code) && error.node?.hasPrefix("line 5") == true)
  }

  @Test("The gate is no issuer among those of its own bearer tokens")
  func ownIssuer() throws {
    let configuration = try #require(
      GateConfiguration.read(Self.file("{\"header\": \"X-Id\", \"keys\": [\"a\"]}")).configuration)
    let issuers = TokenIssuers(configuration, beside: [])
    func trust(_ name: String) -> Trust {
      Trust(
        issuers: [TrustedIssuer(name, keys: [.certificate(idp.certificate)])],
        audiences: .oneOf(["a"]))
    }
    #expect(throws: TokenError(.gateOwnIssuer)) {
      try issuers.check(trust("https://app.example/.gate/"), named: "trust.json")
    }
    try issuers.check(trust("https://app.example/"), named: "trust.json")
  }
}
