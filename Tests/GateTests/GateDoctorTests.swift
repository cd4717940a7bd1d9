import GateService
import IdentityProviderTesting
import TestSupport
import Testing

@Suite("The gate's doctor")
struct GateDoctorTests {
  private let idp: IdentityProviderSimulator
  private let clock = ManualTime()
  private let configuration: GateConfiguration

  private struct NoPages: PageRenderer {
    func html(_ page: SitePage) -> (html: String, policy: String) { ("page", "") }
  }

  init() throws {
    idp = try IdentityProviderSimulator()
    let text = """
      {"public": "https://app.example", "listen": "127.0.0.1:4180",
       "proxy": {"kind": "nginx", "peers": ["127.0.0.1"]},
       "providers": [{"id": "idp", "saml": {"metadata": "idp.xml"}}],
       "headers": {"X-Remote-User": "subject", "X-Remote-Role": "role"},
       "rules": [{"path": "/admin/", "claim": "role", "oneOf": ["admin"]}]}
      """
    configuration = try #require(GateConfiguration.read(Array(text.utf8)).configuration)
  }

  private func examine(
    _ mistake: SimulatedProxy.Mistake, open: [String] = [], standsIn: Bool = true,
    hasSessions: Bool = true
  ) async throws -> [WiringCheck] {
    let sessions = MemorySessionStore()
    let service = try ServiceProvider(
      entityID: "https://app.example/saml", consumer: HTTPURL("https://app.example/saml/acs"),
      signingKeys: [idp.key])
    let trust = Trust(issuers: [idp.trusted], audiences: .oneOf([]))
    let site = try SignInSite(
      SiteSettings(origin: configuration.origin, prefix: "/.gate/"),
      providers: [
        SignInProvider(
          id: "idp", name: "IdP", .saml(service, .fixed(idp.provider)),
          registry: StaticRegistry(trust))
      ], pages: NoPages(), sessions: sessions, clock: clock)
    let gate = Gate(
      site: site, proxy: .nginx, peers: configuration.peers, rules: configuration.rules,
      headers: IdentityHeaders(configuration.headers), people: .shared)
    func begin(
      _ claims: ClaimSet, isRehearsal: Bool = false
    ) async throws -> GateDoctor.Session {
      let (id, cookie) = SessionID.make()
      var session = SignedInSession(
        principal: FederatedPrincipal(
          issuer: idp.entityID, subject: "gate-doctor", claims: claims, format: .saml20,
          issuerSession: IssuerSession(), warnings: []), provider: "idp", begun: clock.now,
        end: clock.now.advanced(bySeconds: 60), lastUse: clock.now)
      session.isRehearsal = isRehearsal
      try await sessions.insert(session, id)
      return GateDoctor.Session(
        cookie: "__Host-session=\(cookie.revealed)",
        subject: GateSubject(
          subject: "gate-doctor", claims: claims, provider: "idp", issuer: idp.entityID))
    }
    let bare = hasSessions ? try await begin(ClaimSet()) : nil
    let entitled = hasSessions ? try await begin(GateDoctor.entitlements(configuration)) : nil
    let unavailable =
      hasSessions ? try await begin(ClaimSet(), isRehearsal: true) : nil
    return await GateDoctor(
      configuration, probe: SimulatedProxy(gate, mistake), bare: bare, entitled: entitled,
      unavailable: unavailable,
      sessionCookie: "__Host-session", open: open, standsIn: standsIn
    ).examine()
  }

  @Test("The documented wiring is in order, and all of it is examined")
  func silence() async throws {
    let checks = try await examine(.none)
    #expect(checks.flatMap(\.findings) == [])
    #expect(checks.allSatisfy { $0.omission == nil && $0.requests > 0 } && checks.count == 16)
  }

  @Test(
    "A mistake in the wiring is found",
    arguments: [
      (SimulatedProxy.Mistake.isDown, TokenError.Code.wiringUnreachable),
      (.losesGatePages, .wiringGate), (.exposesCheck, .wiringCheckExposed),
      (.namesNoTarget, .wiringCheckFailed), (.leavesAPathOut, .wiringUnprotected),
      (.judgesGETAlone, .wiringUnprotected), (.keepsRefusals, .wiringSignIn),
      (.redirectsScripts, .wiringScript), (.dropsQuery, .wiringTarget),
      (.decodesPath, .wiringPath), (.believesClient, .wiringForged),
      (.redirectsForbidden, .wiringRefusal), (.dropsCookie, .wiringSession),
      (.stripsPrefix, .wiringRule), (.forgetsAHeader, .wiringHeader),
      (.addsHeaders, .wiringClientHeader), (.passesCookie, .wiringCredential),
      (.cachesVerdicts, .wiringShared), (.obeysConnection, .wiringConnection),
      (.opensOnFailure, .wiringFailure), (.signsInOnFailure, .wiringFailure),
    ])
  func mistakes(_ mistake: SimulatedProxy.Mistake, _ code: TokenError.Code) async throws {
    let found = try await examine(mistake).flatMap(\.findings).map(\.code)
    #expect(found.contains(code))
  }

  @Test("A path that is open on purpose is not examined")
  func open() async throws {
    let checks = try await examine(.leavesAPathOut, open: ["/gate-doctor.css"])
    #expect(checks.flatMap(\.findings) == [])
  }

  @Test("What cannot be examined says so, and is no finding")
  func omissions() async throws {
    let without = try await examine(.none, hasSessions: false)
    #expect(without.filter { $0.omission != nil }.count == 8)
    let outside = try await examine(.none, standsIn: false)
    #expect(outside.filter { $0.omission != nil }.count == 4)
    #expect((without + outside).flatMap(\.findings) == [])
  }

  @Test("Every finding says what to change in nginx and in Caddy")
  func advice() {
    for code in TokenError.Code.wiringCodes where code != .wiringUnreachable {
      for proxy in [ProxyKind.nginx, .caddy] {
        #expect(WiringAdvice.change(code, proxy).hasPrefix(proxy.rawValue))
      }
      #expect(WiringAdvice.change(code, .envoy) == code.hint)
    }
  }
}
