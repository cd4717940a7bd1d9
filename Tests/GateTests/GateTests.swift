import Foundation
import GateService
import IdentityProviderTesting
import TestSupport
import Testing

@Suite("The gate")
struct GateTests {
  private let clock = ManualTime()
  private let idp: IdentityProviderSimulator

  init() throws { idp = try IdentityProviderSimulator() }

  private func gate(
    _ proxy: ProxyKind = .nginx, sessions: any SessionStore = MemorySessionStore(),
    people: GatePeople = .shared, tokens: TokenAuthenticator? = nil
  ) throws -> Gate {
    Gate(
      site: try idp.site(sessions: sessions, clock: clock), proxy: proxy,
      peers: [try PeerNetwork("127.0.0.1")],
      rules: GateRules([
        GateRule(path: try RequestTarget("/admin"), claims: ["role"], values: ["admin"])
      ]),
      headers: IdentityHeaders([
        HeaderRule(name: "X-Remote-User", claims: [GateClaim.subject]),
        HeaderRule(name: "X-Remote-Role", claims: ["role"]),
      ]), people: people, tokens: tokens)
  }

  /// Signs in and returns the session's cookie.
  private func signIn(_ gate: Gate, role: String? = nil) async throws -> String {
    let begun = await gate.respond(
      to: WebRequest(method: "GET", path: "/.gate/sign-in"), from: "127.0.0.1")
    return try await idp.finish(begun, at: gate) {
      .init(inResponseTo: $0, claims: role.map { [Claim("role", $0)] } ?? [])
    }.sessionCookie()
  }

  private func check(
    _ gate: Gate, _ target: String, _ fields: [(String, String)] = [], query: String? = nil,
    peer: String = "127.0.0.1", method: String = "GET"
  ) async throws -> HTTPResponse {
    await gate.respond(
      to: WebRequest(
        method: "GET", path: "/.gate/check", query: query,
        fields: try HTTPFields(
          [("X-Original-URI", target), ("X-Original-Method", method)] + fields)), from: peer)
  }

  @Test(
    "GATE-9: A signed-in subject passes with its headers; a rule refuses; nobody is sent to sign in"
  )
  func verdicts() async throws {
    let gate = try gate()
    let page = ("Accept", "text/html")
    let out = try await check(gate, "/page?q=1", [page])
    #expect(out.status == 401)
    #expect(
      out.fields["Location"] == "https://app.example/.gate/sign-in?return=%2Fpage%3Fq%3D1")
    let redirected = try await check(gate, "/page?q=1", [page], query: "redirect")
    #expect(redirected.status == 302)
    let script = try await check(gate, "/page", [("Sec-Fetch-Mode", "cors")], query: "redirect")
    #expect(script.status == 401 && script.fields["Location"] == nil)
    let cookie = ("Cookie", try await signIn(gate, role: "user"))
    let allowed = try await check(gate, "/page", [cookie])
    #expect(allowed.status == 200 && allowed.fields["X-Remote-User"] == "ada")
    #expect(allowed.fields["Cache-Control"] == "no-store")
    let refused = try await check(gate, "/admin/x", [cookie])
    #expect(refused.status == 403 && refused.fields["X-Remote-User"] == "")
    #expect(refused.isRefusal(.gateForbidden))
    #expect(refused.body.count < 300, "the gate's own words, and nothing of the application")
    let admin = ("Cookie", try await signIn(gate, role: "admin"))
    #expect(try await check(gate, "/admin/x", [admin]).status == 200)
  }

  @Test("GATE-1, GATE-5: Only a peer asks, and only the headers of its kind of proxy count")
  func peers() async throws {
    let gate = try gate()
    let cookie = ("Cookie", try await signIn(gate, role: "user"))
    let stranger = try await check(gate, "/page", [cookie], peer: "10.0.0.1")
    #expect(stranger.status == 403 && stranger.isRefusal(.gatePeer))
    for (name, value) in [
      ("X-Forwarded-Uri", "/page"), ("X-Forwarded-Host", "evil.example"),
      ("Forwarded", "host=evil"),
      ("X-Rewrite-URL", "/page"), ("X-Forwarded-Prefix", "/page"), ("X-Forwarded-Method", "HEAD"),
      ("X-Real-IP", "127.0.0.1"), ("Host", "evil.example"),
    ] {
      let response = try await check(gate, "/admin", [cookie, (name, value)])
      #expect(response.status == 403, "\(name)")
      let out = try await check(gate, "/p", [("Accept", "text/html"), (name, value)])
      #expect(out.fields["Location"] == "https://app.example/.gate/sign-in?return=%2Fp")
    }
  }

  @Test("Two different targets, or none, are an error of the proxy's wiring and never a pass")
  func wiring() async throws {
    let gate = try gate(.caddy)
    let cookie = ("Cookie", try await signIn(gate, role: "admin"))
    func ask(_ fields: [(String, String)]) async throws -> HTTPResponse {
      await gate.respond(
        to: WebRequest(method: "GET", path: "/.gate/check", fields: try HTTPFields(fields)),
        from: "127.0.0.1")
    }
    let method = ("X-Forwarded-Method", "GET")
    #expect(try await ask([cookie, method, ("X-Forwarded-Uri", "/a")]).status == 200)
    for (fields, code) in [
      (
        [cookie, method, ("X-Forwarded-Uri", "/a"), ("X-Forwarded-Uri", "/b")],
        TokenError.Code.gateRequestRepeated
      ),
      ([cookie, method], .gateRequestMissing),
      ([cookie, method, ("X-Forwarded-Uri", "")], .gateRequestMissing),
      ([cookie, ("X-Forwarded-Uri", "/a")], .gateRequestMissing),
    ] {
      let response = try await ask(fields)
      #expect(response.status == 503 && response.isRefusal(code))
    }
  }

  @Test("GATE-8: A failing store, a bad cookie and a bad token are never a pass")
  func failures() async throws {
    let broken = try gate(sessions: BrokenStore())
    let cookie = ("Cookie", "__Host-session=" + String(repeating: "A", count: 43))
    let down = try await check(broken, "/page", [cookie, ("Accept", "text/html")])
    #expect(down.status == 503 && down.fields["Location"] == nil)
    #expect(down.fields["X-Remote-User"] == "")
    let gate = try gate()
    for value in ["x", "", String(repeating: "A", count: 43), "\u{1}"] {
      guard let fields = try? HTTPFields([("Cookie", "__Host-session=" + value)]) else { continue }
      let response = try await check(gate, "/page", fields.list.map { ($0.name, $0.value) })
      #expect(response.status == 401)
    }
  }

  @Test("GATE-7: No header means a pass")
  func magic() async throws {
    let gate = try gate()
    for (name, value) in [
      ("User-Agent", "GoogleHC/1.0"), ("X-Remote-User", "ada"), ("Authorization", "Basic YTpi"),
      ("X-Health-Check", "1"), ("X-Original-URI-2", "/"), ("Origin", "https://app.example"),
      ("Access-Control-Request-Method", "GET"), ("Upgrade", "websocket"),
    ] {
      #expect(try await check(gate, "/page", [(name, value)]).status == 401, "\(name)")
      // A protocol upgrade is for a GET alone.
      let status = name == "Upgrade" ? 403 : 401
      let options = try await check(gate, "/page", [(name, value)], method: "OPTIONS")
      #expect(options.status == status)
    }
  }

  @Test("GATE-26: A bearer token of a trusted issuer is as good as a session; any other is 401")
  func bearer() async throws {
    let trust = Trust(
      issuers: [idp.trusted], audiences: .oneOf(["https://app.example/api"]))
    let gate = try gate(tokens: TokenAuthenticator(StaticRegistry(trust), clock: clock))
    func bearer(_ audience: String) throws -> (String, String) {
      let token = try idp.response(.init(recipient: nil, audience: audience))
      return ("Authorization", "Bearer " + Data(token).base64EncodedString())
    }
    let good = try await check(gate, "/page", [bearer("https://app.example/api")])
    #expect(good.status == 200 && good.fields["X-Remote-User"] == "ada")
    let bad = try await check(
      gate, "/page", [bearer("https://other.example"), ("Accept", "text/html")])
    #expect(bad.status == 401 && bad.fields["Location"] == nil)
    #expect(bad.fields["WWW-Authenticate"]?.contains("audience.mismatch") == true)
    let open = try self.gate(
      tokens: TokenAuthenticator(
        StaticRegistry(Trust(issuers: [idp.trusted], audiences: .any)), clock: clock))
    #expect(try await check(open, "/page", [bearer("https://other.example")]).status == 503)
  }

  @Test(
    "GATE-4, SVC-7: A method that some readers take for another one is refused where rules exist")
  func methods() async throws {
    let gate = try gate()
    let cookie = ("Cookie", try await signIn(gate, role: "admin"))
    for method in ["post", "Post", "get", "gET", "G ET"] {
      for path in ["/page", "/admin"] {
        let response = try await check(gate, path, [cookie], method: method)
        #expect(response.status == 403 && response.isRefusal(.gateMethod), "\(method)")
      }
      #expect(try await check(gate, "/page", method: method).status == 403)
    }
    for method in ["GET", "POST", "M-SEARCH", "PATCH"] {
      #expect(try await check(gate, "/admin", [cookie], method: method).status == 200)
    }
    // Without rules every method has one verdict, however it is spelled.
    guard
      case .allow = GateRules([]).decide(
        "/", method: "post", subject: GateSubject(subject: "a", claims: ClaimSet())
      ).verdict
    else {
      Issue.record("refused without rules")
      return
    }
  }

  @Test("A browser that Envoy asks about is sent to sign in, whatever query its page has")
  func envoy() async throws {
    let gate = try gate(.envoy)
    func ask(_ target: String, _ fields: [(String, String)]) async throws -> HTTPResponse {
      let parts = target.split(separator: "?", maxSplits: 1).map(String.init)
      return await gate.respond(
        to: WebRequest(
          method: "GET", path: "/.gate/check" + parts[0], query: parts.count == 2 ? parts[1] : nil,
          fields: try HTTPFields(fields)), from: "127.0.0.1")
    }
    let page = [("Accept", "text/html"), ("Sec-Fetch-Mode", "navigate")]
    for target in ["/page", "/page?redirect", "/page?a=b"] {
      let response = try await ask(target, page)
      #expect(response.status == 302)
      #expect(
        response.fields["Location"]
          == "https://app.example/.gate/sign-in?return=" + HTTPURL.percentEncoded(target))
    }
    let script = try await ask("/page?redirect", [("Accept", "application/json")])
    #expect(script.status == 401 && script.fields["Location"] == nil)
  }

  @Test("RFC 9110 15.5.2: Every 401 says how to sign in; a redirect does not")
  func challenges() async throws {
    let gate = try gate()
    let page = ("Accept", "text/html")
    for fields in [[page], [("Accept", "application/json")]] {
      let response = try await check(gate, "/page", fields)
      #expect(response.status == 401)
      #expect(
        response.fields["WWW-Authenticate"]?.hasPrefix("Cookie realm=\"https://app.example\"")
          == true)
      #expect(response.fields.values("WWW-Authenticate").count == 1)
    }
    let redirect = try await check(gate, "/page", [page], query: "redirect")
    #expect(redirect.status == 302 && redirect.fields["WWW-Authenticate"] == nil)
    let trust = Trust(issuers: [idp.trusted], audiences: .oneOf(["https://app.example/api"]))
    let api = try self.gate(tokens: TokenAuthenticator(StaticRegistry(trust), clock: clock))
    let program = try await check(api, "/page")
    #expect(program.fields.values("WWW-Authenticate").contains("Bearer"))
  }

  @Test("SVC-2: By provider the application sees whose name it is, of sessions and of tokens")
  func byProvider() async throws {
    let gate = try gate(people: .byProvider)
    let cookie = ("Cookie", try await signIn(gate))
    #expect(try await check(gate, "/page", [cookie]).fields["X-Remote-User"] == "idp:ada")
    func bearer(_ id: String?, _ people: GatePeople) async throws -> HTTPResponse {
      var issuer = idp.trusted
      issuer.id = id
      let trust = Trust(issuers: [issuer], audiences: .oneOf(["https://app.example/api"]))
      let gate = try self.gate(
        people: people, tokens: TokenAuthenticator(StaticRegistry(trust), clock: clock))
      let token = try idp.response(.init(recipient: nil, audience: "https://app.example/api"))
      return try await check(
        gate, "/page", [("Authorization", "Bearer " + Data(token).base64EncodedString())])
    }
    #expect(try await bearer("idp", .byProvider).fields["X-Remote-User"] == "idp:ada")
    #expect(try await bearer("api", .byProvider).fields["X-Remote-User"] == "api:ada")
    #expect(try await bearer(nil, .shared).fields["X-Remote-User"] == "ada")
    let nameless = try await bearer(nil, .byProvider)
    #expect(nameless.status == 503 && nameless.isRefusal(.signInConfiguration))
  }

  @Test(
    "SVC-2: A token's issuer with the identifier of a provider that is another issuer is no one")
  func stolenIdentifier() async throws {
    let other = try IdentityProviderSimulator("https://other.example/", key: "other-rsa")
    var issuer = other.trusted
    issuer.id = "idp"
    let trust = Trust(issuers: [issuer], audiences: .oneOf(["https://app.example/api"]))
    let gate = try gate(tokens: TokenAuthenticator(StaticRegistry(trust), clock: clock))
    let token = try other.response(.init(recipient: nil, audience: "https://app.example/api"))
    let response = try await check(
      gate, "/page", [("Authorization", "Bearer " + Data(token).base64EncodedString())])
    #expect(response.status == 503 && response.isRefusal(.signInConfiguration))
  }

  @Test("SVC-2: The issuers of tokens are told apart from providers, and from each other")
  func tokenIssuers() throws {
    let settings = try SiteSettings(origin: HTTPURL("https://app.example/").origin)
    let service = try ServiceProvider(
      entityID: "https://app.example/saml", consumer: settings.address("saml/acs"))
    let provider = SignInProvider(
      id: "idp", name: "IdP", .saml(service, .fixed(idp.provider)),
      registry: StaticRegistry(Trust(issuers: [idp.trusted], audiences: .oneOf([]))))
    func code(
      _ people: String, _ issuers: [(name: String, id: String?)], rule: String = "any"
    ) throws -> TokenError.Code? {
      let text = """
        {"public": "https://app.example", "listen": "127.0.0.1:4180", \(people)
         "proxy": {"kind": "nginx", "peers": ["127.0.0.1"]}, "tokens": "trust.json",
         "providers": [{"id": "idp", "saml": {"metadata": "idp.xml"}}],
         "rules": [{"path": "/a", "provider": "\(rule)"}]}
        """
      let configuration = try #require(GateConfiguration.read(Array(text.utf8)).configuration)
      let trust = Trust(
        issuers: issuers.map { name, id in
          var issuer = TrustedIssuer(name, keys: [.certificate(idp.certificate)])
          issuer.id = id
          return issuer
        }, audiences: .oneOf(["urn:api"]))
      do throws(TokenError) {
        try TokenIssuers(configuration, beside: [provider]).check(trust, named: "trust.json")
        return nil
      } catch { return error.code }
    }
    let (shared, apart) = ("\"people\": \"shared\",", "\"people\": \"by provider\",")
    #expect(try code("", [("urn:other", nil)]) == .gatePeople)
    #expect(try code("", [(idp.entityID, nil)]) == nil, "one issuer, one set of people")
    #expect(try code(shared, [("urn:other", nil)]) == nil)
    #expect(try code(apart, [("urn:other", nil)]) == .gateValue)
    #expect(try code(apart, [("urn:other", "api"), (idp.entityID, "idp")]) == nil)
    #expect(try code(apart, [("urn:other", "idp")]) == .gateValue)
    #expect(try code(apart, [("urn:other", "api")], rule: "api") == nil)
    #expect(try code(apart, [("urn:other", "api")], rule: "apl") == .gateValue)
  }

  @Test("GATE-27: Another spelling of a value is no way round a rule that keeps it out")
  func spellings() throws {
    let path = try RequestTarget("/admin")
    let keepsOut = GateRules([
      GateRule(path: path, claims: ["mail"], values: ["jos\u{E9}@corp.example"], denies: true)
    ])
    let letsIn = GateRules([
      GateRule(path: path, claims: ["mail"], values: ["jos\u{E9}@corp.example"])
    ])
    for (mail, isKeptOut, isLetIn) in [
      ("jos\u{E9}@corp.example", true, true), ("Jos\u{E9}@CORP.example", true, false),
      ("jose\u{301}@corp.example", true, false), ("ada@corp.example", false, false),
    ] {
      let subject = GateSubject(subject: "s", claims: ClaimSet([Claim("mail", mail)]))
      func allows(_ rules: GateRules) -> Bool {
        if case .allow = rules.decide("/admin", method: "GET", subject: subject).verdict {
          true
        } else {
          false
        }
      }
      #expect(allows(keepsOut) == !isKeptOut && allows(letsIn) == isLetIn, "\(mail)")
    }
  }

  @Test("GATE-19: No request, whatever is wrong with it, ends the service for the next one")
  func broken() async throws {
    let gate = try gate()
    let cookie = try await signIn(gate)
    let message = try idp.message(.init(inResponseTo: "_q"))
    var random = SplitMix(state: 20_261_123)
    let routes = [
      "sign-in", "saml/acs", "saml/slo", "saml/metadata", "wsfed", "openid/callback",
      "openid/logout", "sign-out", "claims", "check", "discovery", "wsfed/metadata",
    ]
    for _ in 0..<2_000 {
      var body = message.body
      for _ in 0...Int.random(in: 0..<8, using: &random) where !body.isEmpty {
        let place = Int.random(in: 0..<body.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: body[place] = UInt8.random(in: 0...255, using: &random)
        case 1: body.removeSubrange(place...)
        default: body.insert(contentsOf: body.prefix(64), at: place)
        }
      }
      let text = String(decoding: body.prefix(300), as: UTF8.self)
      let fields = [
        ("Cookie", text), ("X-Original-URI", text), ("Sec-Fetch-Mode", text),
        ("Content-Type", "application/x-www-form-urlencoded"), ("Authorization", "Bearer " + text),
      ].compactMap { try? HTTPFields([$0]) }
      let response = await gate.respond(
        to: WebRequest(
          method: Bool.random(using: &random) ? "POST" : "GET",
          path: "/.gate/" + (routes.randomElement(using: &random) ?? ""), query: text,
          fields: fields.randomElement(using: &random) ?? HTTPFields(), body: body),
        from: "127.0.0.1")
      // The page that begins a sign-in and the metadata answer everybody; nothing here signs in.
      #expect(response.fields["X-Remote-User"] == nil || response.fields["X-Remote-User"] == "")
    }
    #expect(try await check(gate, "/page", [("Cookie", cookie)]).status == 200)
    #expect(try await check(gate, "/page", [("Cookie", try await signIn(gate))]).status == 200)
  }
}

extension HTTPResponse {
  func isRefusal(_ code: TokenError.Code) -> Bool {
    // A page for a person has the code as text.
    let text = String(decoding: body, as: UTF8.self)
    return text.contains(code.rawValue)
  }
}
