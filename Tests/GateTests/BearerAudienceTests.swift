import Foundation
import IdentityProviderTesting
import JSONWebTokens
import TestSupport
import Testing

@testable import GateService
@testable import SignIn

/// A bearer token is for one application, and was made for an API.
@Suite("For whom a bearer token is")
struct BearerAudienceTests {
  private let clock = ManualTime()
  private let idp: IdentityProviderSimulator

  init() throws { idp = try IdentityProviderSimulator() }

  private func application(
    _ origin: String, audiences: [String] = []
  ) throws -> GateApplication {
    GateApplication(
      try SiteSettings(origin: HTTPURL(origin).origin, prefix: "/.gate/"), rules: GateRules([]),
      headers: IdentityHeaders([]), audiences: audiences)
  }

  private func gate(_ issuer: TrustedIssuer, _ applications: [GateApplication] = []) throws -> Gate
  {
    Gate(
      site: try idp.site(clock: clock), proxy: .nginx, peers: [try PeerNetwork("127.0.0.1")],
      rules: GateRules([]), headers: IdentityHeaders([]), people: .shared,
      tokens: TokenAuthenticator(
        StaticRegistry(Trust(issuers: [issuer], audiences: .oneOf(["urn:api"]))), clock: clock),
      audiences: ["urn:more"], applications: applications)
  }

  private func status(
    _ gate: Gate, _ token: String, at host: String = "app.example"
  ) async throws -> Int {
    let fields = [
      ("X-Original-Proto", "https"), ("X-Original-Host", host), ("X-Original-URI", "/"),
      ("X-Original-Method", "GET"), ("Authorization", "Bearer " + token),
    ]
    return await gate.respond(
      to: WebRequest(method: "GET", path: "/.gate/check", fields: try HTTPFields(fields)),
      from: "127.0.0.1"
    ).status
  }

  @Test("With several applications a token opens the one that it is for")
  func several() async throws {
    let gate = try gate(
      idp.trustedJWT,
      [
        application("https://wiki.example", audiences: ["api://wiki"]),
        application("https://talks.example"),
      ])
    for (audience, host) in [
      ("https://wiki.example", "wiki.example"), ("https://talks.example", "talks.example"),
      ("https://app.example", "app.example"), ("api://wiki", "wiki.example"),
      ("urn:more", "app.example"),
    ] {
      let token = try idp.jwt(audience: audience, at: clock.now)
      for asked in ["wiki.example", "talks.example", "app.example"] {
        #expect(
          try await status(gate, token, at: asked) == (asked == host ? 200 : 401),
          "\(audience) at \(asked)")
      }
    }
    let token = try idp.jwt(audience: "urn:api", at: clock.now)
    #expect(try await status(gate, token) == 401)
  }

  @Test("With one application the trust file's audiences count, and those of the application")
  func single() async throws {
    let gate = try gate(idp.trustedJWT)
    for (audience, expected) in [("urn:api", 200), ("urn:more", 200), ("urn:other", 401)] {
      #expect(try await status(gate, idp.jwt(audience: audience, at: clock.now)) == expected)
    }
  }

  @Test("An assertion that answers a request, or went to another recipient, is no bearer token")
  func assertions() async throws {
    func status(_ recipient: String?, _ request: String?, _ issuer: TrustedIssuer) async throws
      -> Int
    {
      var answer = IdentityProviderSimulator.Answer(
        inResponseTo: request, recipient: recipient, audience: "urn:api")
      answer.at = clock.now
      let response = Data(try idp.response(answer)).base64EncodedString()
      return try await self.status(gate(issuer), response)
    }
    let acs = "https://app.example/saml/acs"
    #expect(try await status(nil, nil, idp.trusted) == 200)
    #expect(try await status("urn:api", nil, idp.trusted) == 200)
    #expect(try await status(acs, nil, idp.trusted) == 401)
    #expect(try await status("urn:api", "_r1", idp.trusted) == 401)
    #expect(try await status(acs, "_r1", idp.trusted) == 401)
    var loose = idp.trusted
    loose.accessTokens.acceptsSignInAssertions = true
    #expect(try await status(acs, "_r1", loose) == 200)
  }

  @Test(
    "An ID token is no bearer token, by whichever mark it has",
    arguments: [
      ([("typ", "ID")], 401), ([("token_use", "id")], 401), ([("nonce", "n")], 401),
      ([("at_hash", "h")], 401), ([], 401), ([("scope", "openid")], 200), ([("scp", "read")], 200),
      ([("azpacr", "1")], 200), ([("idtyp", "app")], 200), ([("appidacr", "1")], 200),
      ([("typ", "Bearer")], 200), ([("token_use", "access")], 200),
      ([("typ", "ID"), ("scope", "openid")], 401),
    ] as [([(String, String)], Int)])
  func idTokens(members: [(String, String)], expected: Int) async throws {
    var draft = TokenDraft(issuer: idp.entityID, audiences: ["abc"], issuedAt: clock.now)
    draft.subject = "ada"
    draft.claims = ClaimSet(members.map { Claim(ClaimType($0.0), $0.1) })
    let text = String(decoding: try JSONWebToken.mint(draft, key: idp.key), as: UTF8.self)
    let fields = try HTTPFields([("Authorization", "Bearer " + text)])
    let token = try #require(try RequestToken(fields))
    func isAccepted(_ issuer: TrustedIssuer, client: String) async -> Bool {
      var expectations = BearerExpectations()
      expectations.clientIDs = { [entityID = idp.entityID] in $0 == entityID ? [client] : [] }
      let authenticator = TokenAuthenticator(
        StaticRegistry(Trust(issuers: [issuer], audiences: .oneOf(["abc"]))), clock: clock)
      return (try? await authenticator.authenticate(token, expecting: expectations)) != nil
    }
    #expect(await isAccepted(idp.trustedJWT, client: "abc") == (expected == 200))
    if members.isEmpty {
      #expect(await isAccepted(idp.trustedJWT, client: "another"), "it is no client's token")
    }
    var loose = idp.trustedJWT
    loose.accessTokens.acceptsIDTokens = true
    #expect(await isAccepted(loose, client: "abc"))
  }

  @Test("A sign-in asks for what both the provider's entry and the rule accept")
  func contexts() {
    var demands = SignInDemands()
    #expect(demands.contexts(within: ["a", "b"]) == ["a", "b"])
    demands.contexts = ["b", "c"]
    #expect(demands.contexts(within: []) == ["b", "c"])
    #expect(demands.contexts(within: ["a", "b"]) == ["b"])
    #expect(demands.contexts(within: ["a"]) == ["a"])
  }

  @Test("A resource is opened by a public rule below it alone")
  func resource() throws {
    func rule(_ path: String) throws -> GateRule {
      var rule = GateRule(path: try RequestTarget(path))
      rule.isPublic = true
      return rule
    }
    let path = try RequestTarget("/mcp")
    func isOpen(_ target: String, _ rules: [GateRule]) -> Bool {
      GateRules(rules, default: .open).protecting(path).isPublic(target, method: "GET")
    }
    #expect(!isOpen("/mcp/tools", []) && !isOpen("/mcp", []) && isOpen("/other", []))
    #expect(try !isOpen("/mcp/tools", [rule("/")]) && isOpen("/other", [rule("/")]))
    #expect(try !isOpen("/mcp/tools", [rule("/mcp")]))
    #expect(
      try isOpen("/mcp/tools/x", [rule("/mcp/tools")]) && !isOpen("/mcp", [rule("/mcp/tools")]))
    let role = GateRule(path: try RequestTarget("/"), claims: ["role"], values: ["x"])
    let verdict = try GateRules([rule("/mcp"), role]).protecting(path).decide(
      "/mcp", method: "GET", subject: GateSubject(subject: "a", claims: ClaimSet([]))
    ).verdict
    let isAllowed = if case .allow = verdict { true } else { false }
    #expect(!isAllowed, "the rule above decides in place of the public one")
    #expect(
      try GateRules([rule("/mcp"), rule("/mcp/x")]).protecting(path).warnings.count {
        $0.contains("resource")
      } == 2)
  }

  private func read(_ applications: String) -> [TokenError] {
    GateConfiguration.read(
      Array(
        """
        {"public": "https://app.example", "listen": "127.0.0.1:1", "tokens": "t.json",
         "proxy": {"kind": "nginx", "peers": ["127.0.0.1"]},
         "providers": [{"id": "a", "openID": {"issuer": "https://a.example", "clientID": "c"}}],
         "applications": [\(applications)]}
        """.utf8)
    ).errors
  }

  @Test("An audience in the file is no other application's origin")
  func file() {
    let wiki = #"{"origin": "https://wiki.example", "audiences": ["#
    #expect(read(wiki + #""api://wiki"]}"#).isEmpty)
    #expect(read(wiki + #""https://app.example"]}"#).map(\.code) == [.gateValue])
    #expect(read(wiki + "]}").map(\.code) == [.gateValue])
  }

  @Test(
    "An audience of the trust file that belongs to no application is an error with the line to add")
  func stray() throws {
    let file = """
      {"public": "https://app.example", "listen": "127.0.0.1:1", "tokens": "t.json",
       "people": "by provider", "proxy": {"kind": "nginx", "peers": ["127.0.0.1"]},
       "providers": [{"id": "a", "openID": {"issuer": "https://a.example", "clientID": "c"}}],
       "applications": [{"origin": "https://wiki.example", "audiences": ["api://wiki"]}]}
      """
    let configuration = try #require(GateConfiguration.read(Array(file.utf8)).configuration)
    func code(_ audience: String) -> TokenError.Code? {
      do throws(TokenError) {
        try TokenIssuers(configuration, beside: []).check(
          Trust(issuers: [], audiences: .oneOf([audience])), named: "t.json")
        return nil
      } catch { return error.code }
    }
    #expect(code("api://wiki") == nil && code("https://app.example") == nil)
    #expect(code("api://other") == .gateAudience)
  }
}
