@testable import GateService
import IdentityProviderTesting
import TestSupport
import Testing

@Suite("The gate's doctor")
struct GateDoctorTests {
  private let idp: IdentityProviderSimulator
  private let clock = ManualTime()
  private let configuration: GateConfiguration

  init() throws {
    idp = try IdentityProviderSimulator()
    configuration = try Self.configuration(
      "[{\"path\": \"/admin/\", \"claim\": \"role\", \"oneOf\": [\"admin\"]}, "
        + "{\"path\": \"/posts/\", \"method\": \"DELETE\", "
        + "\"claim\": \"role\", \"oneOf\": [\"editor\"]}]")
  }

  private static func configuration(_ rules: String) throws -> GateConfiguration {
    let text = """
      {"public": "https://app.example", "listen": "127.0.0.1:4180",
       "proxy": {"kind": "nginx", "peers": ["127.0.0.1"]},
       "providers": [{"id": "idp", "saml": {"metadata": "idp.xml"}}],
       "headers": {"X-Remote-User": "subject", "X-Remote-Role": "role"},
       "rules": \(rules)}
      """
    return try #require(GateConfiguration.read(Array(text.utf8)).configuration)
  }

  private func examine(
    _ mistake: SimulatedProxy.Mistake, open: [String] = [], standsIn: Bool = true,
    hasSessions: Bool = true, rules: String? = nil
  ) async throws -> [WiringCheck] {
    let configuration = try rules.map(Self.configuration) ?? self.configuration
    let sessions = MemorySessionStore()
    let site = try idp.site(
      SiteSettings(origin: configuration.origin, prefix: "/.gate/"), sessions: sessions,
      clock: clock)
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
    let large =
      hasSessions
      ? try await begin(GateDoctor.entitlements(configuration, isLarge: true)) : nil
    let unavailable =
      hasSessions ? try await begin(ClaimSet(), isRehearsal: true) : nil
    return await GateDoctor(
      configuration, probe: SimulatedProxy(gate, mistake), bare: bare, entitled: entitled,
      large: large, unavailable: unavailable,
      sessionCookie: "__Host-session", open: open, standsIn: standsIn
    ).examine()
  }

  @Test("The documented wiring is in order, and all of it is examined")
  func silence() async throws {
    let checks = try await examine(.none)
    #expect(checks.flatMap(\.findings) == [])
    #expect(checks.allSatisfy { $0.omission == nil && $0.requests > 0 } && checks.count == 24)
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
      (.addsHeaders, .wiringClientHeader), (.passesForwarding, .wiringClientHeader),
      (.passesCookie, .wiringCredential),
      (.cachesVerdicts, .wiringShared), (.obeysConnection, .wiringConnection),
      (.opensOnFailure, .wiringFailure), (.signsInOnFailure, .wiringFailure),
      (.passesProbes, .wiringUnprotected), (.believesMethod, .wiringForged),
      (.believesOverride, .wiringForged), (.decodesPathSignedIn, .wiringPath),
      (.asksNobody, .wiringUnprotected), (.passesUpgrades, .wiringUpgrade),
      (.refusesUpgrades, .wiringUpgrade), (.dropsWebSockets, .wiringWebSocket),
      (.passesConnection, .wiringConnection), (.passesASecondCookie, .wiringCredential),
      (.dropsEveryCookie, .wiringCookie), (.acceptsTwoHosts, .wiringTwoHosts),
      (.asksWithUpgrades, .wiringUpgrade), (.hidesOverride, .wiringMethodOverride),
      (.ownPages, .wiringPage), (.smallBuffers, .wiringBuffers),
      (.leavesWebSocketsOut, .wiringUnprotected), (.showsVerdicts, .wiringSession),
      (.upgradesHEAD, .wiringUpgrade), (.upgradesUnnamed, .wiringUpgrade),
      (.passesConnectionOfWebSockets, .wiringConnection), (.takesCookieFromGatePages, .wiringGate),
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

  @Test("What is open on purpose is asked for by no check, and nothing else is left out")
  func allOpen() async throws {
    let checks = try await examine(.asksNobody, open: ["/"])
    for title in [
      "paths, signed out", "methods and imitations of health checks, signed out",
      "the redirect to sign in", "scripts, signed out", "a client's own forwarding headers",
      "paths with two readings", "rules",
    ] {
      let check = try #require(checks.first { $0.title == title }, "\(title)")
      #expect(check.requests == 0 && check.findings.isEmpty, "\(title)")
    }
    let others = try await examine(.asksNobody, open: ["/nothing", "/nowhere/"])
    #expect(others.first { $0.title == "rules" }?.requests ?? 0 > 0)
    let doctor = GateDoctor(
      configuration, probe: Away(), bare: nil, entitled: nil, unavailable: nil,
      sessionCookie: "s", open: ["/page", "/below/"], standsIn: false)
    for (target, isOpen) in [
      ("/page", true), ("/page?a=b", true), ("/page/", false), ("/below/x?y", true),
      ("/below", false), ("/.gate/claims", true), ("/other", false),
    ] {
      #expect(doctor.isOpen(target) == isOpen, "\(target)")
    }
    let rule = GateRule(path: try RequestTarget("/a/b"))
    #expect(doctor.target(rule) == "/a/b" && doctor.target(rule, "c") == "/a/b/c")
  }

  private struct Away: WiringProbe {
    func answer(to request: WiringRequest) async throws(TokenError) -> HTTPResponse {
      throw TokenError(.transportNoConnection)
    }
  }

  @Test(
    "One cause is one finding: it is told three times at most, and not once more by other checks")
  func causes() async throws {
    let all = try await examine(.asksNobody)
    for check in all {
      let codes = Dictionary(grouping: check.findings, by: \.code)
      #expect(codes.values.allSatisfy { $0.count <= 3 }, "\(check.title)")
    }
    #expect(try await examine(.isDown).count == 1)
    for (mistake, code) in [
      (SimulatedProxy.Mistake.forgetsAHeader, TokenError.Code.wiringConnection),
      (.namesNoTarget, .wiringSignIn), (.namesNoTarget, .wiringScript),
      (.keepsRefusals, .wiringForged),
    ] {
      let found = try await examine(mistake).flatMap(\.findings).map(\.code)
      #expect(!found.contains(code), "\(mistake)")
    }
    #expect(try await examine(.refusesForwarding).flatMap(\.findings) == [])
  }

  @Test(
    "Rules decide what is asked: a page that nobody may see is not asked for, and without rules no path is ambiguous"
  )
  func byRules() async throws {
    let whole = "[{\"path\": \"/\", \"claim\": \"role\", \"oneOf\": [\"admin\"]}]"
    #expect(try await examine(.none, rules: whole).flatMap(\.findings) == [])
    let none = try await examine(.none, rules: "[]")
    let paths = none.first { $0.title == "paths with two readings" }
    #expect(paths?.omission != nil && paths?.requests == 0)
  }

  @Test("A method that is public at a path is asked for by no check, and the others are")
  func publicMethods() async throws {
    let rules =
      "[{\"path\": \"/admin/\", \"claim\": \"role\", \"oneOf\": [\"admin\"]}, "
      + "{\"path\": \"/gate-doctor\", \"method\": \"POST\", \"public\": true}]"
    let checks = try await examine(.none, rules: rules)
    #expect(checks.flatMap(\.findings) == [])
    let methods = checks.first { $0.title == "methods and imitations of health checks, signed out" }
    #expect(methods?.requests ?? 0 > 10)
  }

  @Test(
    "The doctor is entitled to what rules ask for and to a value for each header, and to nothing that is denied"
  )
  func entitlements() throws {
    let configuration = try Self.configuration(
      """
      [{"path": "/a/", "claim": "role", "oneOf": ["admin"]},
       {"path": "/b/", "claim": "team", "noneOf": ["guests"]}]
      """)
    let claims = GateDoctor.entitlements(configuration)
    #expect(claims.map(\.value) == ["admin"])
    #expect(Set(GateDoctor.spellings("X-A")).count == GateDoctor.spellings("X-A").count)
  }

  @Test("What cannot be examined says so, and is no finding")
  func omissions() async throws {
    let without = try await examine(.none, hasSessions: false)
    #expect(without.filter { $0.omission != nil }.count == 13)
    let outside = try await examine(.none, standsIn: false)
    #expect(outside.filter { $0.omission != nil }.count == 9)
    #expect((without + outside).flatMap(\.findings) == [])
    #expect((without + outside).allSatisfy { $0.omission == nil || $0.requests == 0 })
  }

  @Test(
    "Every finding says what to change in nginx and in Caddy, and where a whole recipe is in others"
  )
  func advice() {
    for code in TokenError.Code.wiringCodes where code != .wiringUnreachable {
      for proxy in [ProxyKind.nginx, .caddy] {
        #expect(WiringAdvice.change(code, proxy).hasPrefix(proxy.rawValue))
      }
      for proxy in ProxyKind.allCases {
        let change = WiringAdvice.change(code, proxy)
        #expect(
          change.hasPrefix("\(proxy.rawValue): ") || change.contains("recipe \(proxy.rawValue)"))
      }
    }
  }
}
