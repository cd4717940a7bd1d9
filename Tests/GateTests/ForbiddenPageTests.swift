import GateService
import IdentityProviderTesting
import TestSupport
import Testing

/// A browser that a person looks at gets a page, a program JSON.
@Suite("What the gate shows to those who may not pass")
struct ForbiddenPageTests {
  private struct Pages: PageRenderer {
    func html(_ page: SitePage) -> (html: String, policy: String) {
      if case .forbidden = page { ("a page", "") } else { ("another", "") }
    }
  }

  private let idp: IdentityProviderSimulator
  private let clock = ManualTime()

  init() throws { idp = try IdentityProviderSimulator() }

  private func gate(_ sessions: any SessionStore = MemorySessionStore()) throws -> Gate {
    var open = GateRule(path: try RequestTarget("/open"))
    open.isPublic = true
    let audience = "https://app.example/api"
    return Gate(
      site: try idp.site(pages: Pages(), sessions: sessions, clock: clock), proxy: .nginx,
      peers: [try PeerNetwork("127.0.0.1")],
      rules: GateRules([
        GateRule(path: try RequestTarget("/admin"), claims: ["role"], values: ["admin"]), open,
      ]), headers: IdentityHeaders([]), people: .shared,
      tokens: TokenAuthenticator(
        StaticRegistry(Trust(issuers: [idp.trustedJWT], audiences: .oneOf([audience]))),
        clock: clock))
  }

  private func check(
    _ gate: Gate, _ target: String, _ fields: [(String, String)]
  ) async throws -> HTTPResponse {
    await gate.respond(
      to: WebRequest(
        method: "GET", path: "/.gate/check",
        fields: try HTTPFields(
          [("X-Original-URI", target), ("X-Original-Method", "GET")] + fields)),
      from: "127.0.0.1")
  }

  private func session(_ gate: Gate) async throws -> (String, String) {
    let (id, cookie) = SessionID.make()
    try await gate.site.sessions.insert(
      SignedInSession(
        principal: FederatedPrincipal(
          issuer: idp.entityID, subject: "ada", claims: ClaimSet(), format: .saml20,
          issuerSession: IssuerSession(), warnings: []),
        provider: "idp", begun: clock.now, end: clock.now.advanced(bySeconds: 600),
        lastUse: clock.now), id)
    return ("Cookie", "__Host-session=\(cookie.revealed)")
  }

  @Test("A person who may not see a page is shown one; scripts and tokens are answered by JSON")
  func forms() async throws {
    let gate = try gate()
    let cookie = try await session(gate)
    let page = ("Accept", "text/html")
    let shown = try await check(gate, "/admin", [cookie, page])
    #expect(shown.status == 403)
    #expect(String(decoding: shown.body, as: UTF8.self) == "a page")
    let script = try await check(gate, "/admin", [cookie, ("Sec-Fetch-Mode", "cors")])
    #expect(script.status == 403 && script.isRefusal(.gateForbidden))
    var draft = TokenDraft(
      issuer: idp.entityID, audiences: ["https://app.example/api"], issuedAt: clock.now)
    draft.subject = "ada"
    let token = String(decoding: try JSONWebToken.mint(draft, key: idp.key), as: UTF8.self)
    let bearer = try await check(gate, "/admin", [("Authorization", "Bearer " + token), page])
    #expect(bearer.status == 403 && bearer.isRefusal(.gateForbidden))
  }

  @Test(
    "A browser is shown a page where a path can be read in two ways or the store is away; scripts get JSON"
  )
  func otherPages() async throws {
    let (page, script) = (("Accept", "text/html"), ("Sec-Fetch-Mode", "cors"))
    let gate = try gate()
    let cookie = try await session(gate)
    let away = try self.gate(BrokenStore())
    for (asked, target, status, code) in [
      (gate, "/a//b", 403, TokenError.Code.gatePath), (away, "/page", 503, .signInSessionStore),
    ] {
      let shown = try await check(asked, target, [cookie, page])
      #expect(shown.status == status && String(decoding: shown.body, as: UTF8.self) == "another")
      let told = try await check(asked, target, [cookie, script])
      #expect(told.status == status && told.isRefusal(code))
    }
  }

  @Test("On a public path a bad token counts as none, and a store that is away as a store away")
  func publicPath() async throws {
    let gate = try gate()
    let bad = ("Authorization", "Bearer a.b.c")
    #expect(try await check(gate, "/open", [bad]).status == 200)
    #expect(try await check(gate, "/page", [bad]).status == 401)
    let cookie = try await session(gate)
    #expect(try await check(gate, "/open", [cookie]).status == 200)
    let away = try await check(try self.gate(BrokenStore()), "/open", [cookie])
    #expect(away.status == 503 && away.isRefusal(.signInSessionStore))
  }
}
