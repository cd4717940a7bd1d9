import Foundation
import GateService
import IdentityProviderTesting
import IssuerRegistry
import RegistryTesting
import TestSupport
import Testing

/// One place refuses at `check` and one observes: what a person reads out is in the log, and counted once.
@Suite("Refusals of the gate")
struct RefusalTests {
  private let clock = ManualTime()
  private let idp: IdentityProviderSimulator
  private let heard = RecordingObserver()
  private let counters: EventCounters

  init() throws {
    idp = try IdentityProviderSimulator()
    counters = EventCounters(heard, prefix: "claims_gate")
  }

  private func gate(
    sessions: any SessionStore = MemorySessionStore(), tokens: (any IssuerRegistry)? = nil,
    limit: Int = 4_096
  ) throws -> Gate {
    let site = try idp.site(id: "campus", sessions: sessions, clock: clock, observer: counters)
    var headers = IdentityHeaders([
      HeaderRule(name: "X-Remote-User", claims: [GateClaim.subject]),
      HeaderRule(name: "X-Remote-Role", claims: ["role"]),
    ])
    headers.limit = limit
    var open = GateRule(path: try RequestTarget("/open"))
    open.isPublic = true
    return Gate(
      site: site, proxy: .nginx, peers: [try PeerNetwork("127.0.0.1")],
      rules: GateRules([
        open, GateRule(path: try RequestTarget("/admin"), claims: ["role"], values: ["admin"]),
      ]), headers: headers, people: .shared,
      tokens: tokens.map { TokenAuthenticator($0, clock: clock) },
      observer: counters)
  }

  private func check(
    _ gate: Gate, _ target: String, _ fields: [(String, String)] = [], peer: String = "127.0.0.1"
  ) async throws -> HTTPResponse {
    await gate.respond(
      to: WebRequest(
        method: "GET", path: "/.gate/check",
        fields: try HTTPFields(
          [("X-Original-URI", target), ("X-Original-Method", "GET")] + fields)), from: peer)
  }

  /// A session in the store of a gate, and its cookie.
  private func session(_ gate: Gate, role: String) async throws -> (String, String) {
    let (id, cookie) = SessionID.make()
    let now = clock.now
    let principal = try await ServiceProvider(
      entityID: "https://app.example/saml", consumer: HTTPURL("https://app.example/saml/acs")
    ).finishUnsolicited(
      SAMLAnswer(idp.message(.init(claims: [Claim("role", role)]))), from: idp.provider,
      trust: Trust(issuers: [idp.trusted], audiences: .oneOf([])), used: MemoryReplayStore(),
      at: now)
    try await gate.site.sessions.insert(
      SignedInSession(
        principal: principal, provider: "campus", begun: now, end: now.advanced(bySeconds: 600),
        lastUse: now), id)
    return ("Cookie", "__Host-session=\(cookie.revealed)")
  }

  private func lines(_ name: String) -> [String] {
    heard.lines.filter { $0.hasPrefix(name + " ") }
  }

  @Test("Whatever refuses, one line has code, provider, path and reference, and one is counted")
  func once() async throws {
    let rule = try gate()
    let cookie = try await session(rule, role: "user")
    let large = try gate(limit: 10)
    let wide = try await session(large, role: String(repeating: "r", count: 20))
    let tokens = StaticRegistry(
      Trust(issuers: [idp.trusted], audiences: .oneOf(["https://app.example/api"])))
    let stranger = Data(
      try idp.response(.init(recipient: nil, audience: "https://other.example"))
    ).base64EncodedString()
    let attempts: [(Gate, String, [(String, String)], String, Int, TokenError.Code, String?)] = [
      (rule, "/admin/x?code=secret", [cookie], "127.0.0.1", 403, .gateForbidden, "campus"),
      (rule, "/page", [], "10.9.9.9", 403, .gatePeer, nil),
      (large, "/page", [wide], "127.0.0.1", 403, .gateHeaderTooLarge, "campus"),
      (
        try gate(sessions: BrokenStore()), "/page", [cookie], "127.0.0.1", 503,
        .signInSessionStore, nil
      ),
      (
        try gate(tokens: tokens), "/page", [("Authorization", "Bearer \(stranger)")], "127.0.0.1",
        401,
        .audienceMismatch, nil
      ),
    ]
    for (gate, target, fields, peer, status, code, provider) in attempts {
      let before = (lines("gate.refused").count, counters.count(of: code))
      let response = try await check(gate, target, fields, peer: peer)
      #expect(response.status == status, "\(code)")
      let new = lines("gate.refused").dropFirst(before.0)
      #expect(new.count == 1 && counters.count(of: code) == before.1 + 1, "\(code)")
      let line = new.first ?? ""
      #expect(line.contains("code=\(code.rawValue)"), "\(line)")
      #expect(line.contains("path=\"/") && !line.contains("secret"), "\(line)")
      #expect(provider == nil || line.contains("provider=\"campus\""), "\(line)")
      // Whom it concerns is in the line as soon as it is known.
      #expect((provider != nil) == line.contains("subject="), "\(line)")
      let reference = try #require(line.firstMatch(of: /reference=([0-9a-f]{8})/)).1
      #expect(
        String(decoding: response.body, as: UTF8.self).contains("\"reference\":\"\(reference)\""))
    }
  }

  @Test("The doctor's session without an answer gets 503, and its others are judged")
  func rehearsal() async throws {
    let gate = try gate()
    for fails in [true, false] {
      let (id, cookie) = SessionID.make()
      let now = clock.now
      var session = SignedInSession(
        principal: FederatedPrincipal(
          issuer: idp.entityID, subject: "gate-doctor", claims: ClaimSet(), format: .saml20,
          issuerSession: IssuerSession(), warnings: []),
        provider: "campus", begun: now, end: now.advanced(bySeconds: 60), lastUse: now)
      session.isRehearsal = fails
      // As a shared store gives it back.
      let kept = try #require(SignedInSession(json: session.json))
      try await gate.site.sessions.insert(kept, id)
      let response = try await check(
        gate, "/page", [("Cookie", "__Host-session=\(cookie.revealed)")])
      #expect(response.status == (fails ? 503 : 200))
      #expect(response.isRefusal(.gateRehearsal) == fails)
    }
  }

  @Test("A refused sign-in is one line with the provider of the pending one")
  func signIn() async throws {
    let gate = try gate()
    let begun = await gate.respond(
      to: WebRequest(method: "GET", path: "/.gate/sign-in"), from: "127.0.0.1")
    let pending = try #require(
      begun.fields.values("Set-Cookie").first {
        $0.hasPrefix("__Host-signin-") && !$0.contains("times")
      })
    let location = try #require(begun.fields["Location"])
    let request = String(try #require(location.firstMatch(of: /RelayState=([0-9a-f]{40})/)).1)
    let response = await gate.respond(
      to: WebRequest(
        method: "POST", path: "/.gate/saml/acs",
        fields: try HTTPFields([
          ("Cookie", String(pending.prefix { $0 != ";" })),
          ("Content-Type", "application/x-www-form-urlencoded"),
        ]), body: Array("SAMLResponse=AAAA&RelayState=\(request)".utf8)), from: "127.0.0.1")
    #expect(response.status == 400)
    let line = try #require(lines("signin.refused").first)
    #expect(lines("signin.refused").count == 1)
    #expect(
      line.contains("provider=campus") && line.contains("path=\"/.gate/saml/acs\""), "\(line)")
  }

  @Test(
    "While the trust file is broken a bearer token gets 503 and not the blame; then it is verified")
  func brokenTrust() async throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).json").path()
    defer { try? FileManager.default.removeItem(atPath: path) }
    let registry = FileRegistry(trustFile: path, checkInterval: 0, observer: counters)
    let gate = try gate(tokens: registry)
    let bearer = ("Authorization", "Bearer a.b.c")
    let broken: [(String?, TokenError.Code)] = [
      (nil, .registryUnreadableFile), ("{", .registryUnavailable),
    ]
    for (text, code) in broken {
      if let text { try Data(text.utf8).write(to: URL(filePath: path)) }
      // On a public path too: whose token it is, is not known.
      for path in ["/page", "/open"] {
        let response = try await check(gate, path, [bearer])
        #expect(response.status == 503 && response.isRefusal(code), "\(path)")
        #expect(response.fields["WWW-Authenticate"] == nil)
      }
      #expect(!lines("registry.refused").isEmpty)
      let report = await SiteHealth(of: gate.site, tokens: registry).report(at: clock.now)
      #expect(report.problems.count == 1 && report.text.hasPrefix("tokens: empty"), "\(report)")
    }
    let certificate = path + ".crt"
    defer { try? FileManager.default.removeItem(atPath: certificate) }
    try Data(idp.certificate.der).write(to: URL(filePath: certificate))
    try Data(
      """
      {"audiences": ["https://app.example/api"],
       "issuers": [{"name": "https://idp.example/", "keys": ["\(certificate)"]}]}
      """.utf8
    ).write(to: URL(filePath: path))
    clock.advance(bySeconds: 3)
    #expect(try await check(gate, "/page", [bearer]).status == 401)
    #expect(try await check(gate, "/open", [bearer]).status == 200)
  }

  @Test(
    "Health says that the store is full or gone, and that a provider's metadata has come to its end"
  )
  func health() async throws {
    let now = clock.now
    let good = try gate()
    #expect(await SiteHealth(of: good.site, tokens: nil).report(at: now).text == "ok\n")
    #expect((good.site.sessions as? MemorySessionStore)?.count == 0)
    for store in [MemorySessionStore(capacity: 0), BrokenStore()] as [any SessionStore] {
      let report = await SiteHealth(of: try gate(sessions: store).site, tokens: nil).report(at: now)
      #expect(report.problems.count == 1 && report.text.hasPrefix("sessions: signin.session"))
    }
    var key = TrustedKey(try #require(idp.trusted.keys.first).key)
    key.validUntil = now.advanced(bySeconds: 5)
    let issuer = TrustedIssuer("https://idp.example/", keys: [key])
    let registry = StaticRegistry(Trust(issuers: [issuer], audiences: .oneOf([])))
    #expect(registry.health(at: now).first?.status == .good)
    let later = registry.health(at: now.advanced(bySeconds: 5)).first
    #expect(later?.status == .expired && later?.lastError?.code == .registryDocumentExpired)
  }

  @Test(
    "Health says what a store says of itself before what it does not keep, and which keys are passed over"
  )
  func causes() async throws {
    let site = try gate(sessions: MemorySessionStore(capacity: 0)).site
    let replica = SiteHealth(of: site, tokens: nil) { (_) throws(TokenError) in
      throw TokenError(.signInConfiguration, found: "role slave")
    }
    let text = await replica.report(at: clock.now).text
    #expect(
      text.hasPrefix("sessions: signin.configuration") && text.contains("role slave"), "\(text)")
    #expect(await replica.storeError(at: clock.now)?.found == "role slave")
    let well = SiteHealth(of: try gate().site, tokens: nil)
    #expect(await well.storeError(at: clock.now) == nil)

    var trust = Trust(issuers: [idp.trusted], audiences: .oneOf([]))
    trust.passedOver = [TokenError(.weakKey, node: "keys[1]")]
    let report = await SiteHealth(of: try gate().site, tokens: StaticRegistry(trust))
      .report(at: clock.now)
    #expect(report.problems.isEmpty)
    #expect(report.warnings.count == 1 && report.text.contains("tokens: key.weak"), "\(report)")
    #expect(report.text.contains("keys[1]"), "\(report)")
  }

  @Test("Values of labels are escaped, so that a name of a provider makes no line of its own")
  func labels() {
    let text = counters.text(ends: [(provider: "a\"} 1\nup{x=\"\\", days: 2)])
    #expect(text.contains(#"{provider="a\"} 1\nup{x=\"\\"} 2.0"#), "\(text)")
    #expect(text.split(separator: "\n").count { !$0.hasPrefix("#") } == 1, "\(text)")
  }
}
