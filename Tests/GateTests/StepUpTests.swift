import Foundation
import GateService
import IdentityProviderTesting
import TestSupport
import Testing

/// Rules that ask for more of a sign-in, and what becomes of a session that has less.
@Suite("Step-up at the gate")
struct StepUpTests {
  private static let mfa = "urn:oasis:names:tc:SAML:2.0:ac:classes:MobileTwoFactorContract"
  private static let password = "urn:oasis:names:tc:SAML:2.0:ac:classes:Password"

  private let clock = ManualTime()
  private let idp: IdentityProviderSimulator

  init() throws { idp = try IdentityProviderSimulator() }

  private static func rules(_ path: String = "/admin") throws -> [GateRule] {
    var admin = GateRule(path: try RequestTarget(path), place: "line 9")
    admin.contexts = [Self.mfa]
    admin.maxAge = 900
    return [admin]
  }

  private func gate(_ rules: [GateRule]? = nil, tokens: TokenAuthenticator? = nil) throws -> Gate {
    Gate(
      site: try idp.site(pages: ApplicationFixture.CodePages(), clock: clock), proxy: .nginx,
      peers: [try PeerNetwork("127.0.0.1")],
      rules: GateRules(try rules ?? Self.rules()), headers: IdentityHeaders([]), people: .shared,
      tokens: tokens)
  }

  private func get(
    _ gate: Gate, _ path: String, _ query: String? = nil, _ fields: [(String, String)] = []
  ) async throws -> HTTPResponse {
    await gate.respond(
      to: WebRequest(method: "GET", path: path, query: query, fields: try HTTPFields(fields)),
      from: "127.0.0.1")
  }

  private func check(
    _ gate: Gate, _ target: String, _ cookie: String? = nil, script: Bool = false,
    query: String? = "redirect", token: String? = nil
  ) async throws -> HTTPResponse {
    var fields = [
      ("X-Original-URI", target), ("X-Original-Method", "GET"),
      script ? ("Sec-Fetch-Mode", "cors") : ("Accept", "text/html"),
    ]
    if let cookie { fields.append(("Cookie", cookie)) }
    if let token { fields.append(("Authorization", "Bearer \(token)")) }
    return try await get(gate, "/.gate/check", query, fields)
  }

  /// Signs in for the sake of a page; the provider answers with this method. Returns the answer of the gate.
  private func answer(
    _ gate: Gate, _ query: String, method: String?, cookie: String? = nil
  ) async throws -> (request: String, response: HTTPResponse) {
    let cookies = cookie.map { [("Cookie", $0)] } ?? []
    let begun = try await get(gate, "/.gate/sign-in", query, cookies)
    let location = try #require(begun.fields["Location"])
    let done = try await idp.finish(begun, at: gate) {
      .init(inResponseTo: $0, method: method, at: clock.now)
    }
    let encoded = try #require(location.firstMatch(of: /SAMLRequest=([^&]+)/)).1
    return (String(encoded), done)
  }

  private func signIn(
    _ gate: Gate, _ query: String = "return=/", method: String? = nil
  ) async throws -> String {
    try await answer(gate, query, method: method).response.sessionCookie()
  }

  @Test(
    "A session that has less is sent to sign in again, at the provider where it began; others pass")
  func asks() async throws {
    let gate = try gate()
    let cookie = try await signIn(gate, method: Self.password)
    #expect(try await check(gate, "/page", cookie).status == 200)
    let weak = try await check(gate, "/admin/x?q=1", cookie)
    #expect(weak.status == 302)
    // With the mark of the gate's own redirects, by which the person is not asked whom to go on as.
    let location = try #require(weak.fields["Location"])
    #expect(
      location.hasPrefix(
        "https://app.example/.gate/sign-in?return=%2Fadmin%2Fx%3Fq%3D1&provider=idp&step="))
    let nginx = try await check(gate, "/admin/x", cookie, query: nil)
    #expect(nginx.status == 401 && nginx.fields["Location"] != nil)
    let script = try await check(gate, "/admin/x", cookie, script: true)
    #expect(script.status == 401 && script.isRefusal(.gateStepUp))
    #expect(script.fields["Location"] == nil)
    let strong = try await signIn(gate, "return=/admin/x&provider=idp", method: Self.mfa)
    #expect(try await check(gate, "/admin/x", strong).status == 200)
  }

  @Test("What the sign-in asks comes from the rules of the page, never from a link")
  func demands() async throws {
    let gate = try gate()
    let plain = gate.site.demands(try ReturnPath("/page"))
    #expect(plain.contexts.isEmpty && plain.maxAge == nil)
    let admin = gate.site.demands(try ReturnPath("/admin/x?contexts=none"))
    #expect(admin.contexts == [Self.mfa] && admin.maxAge == 900)
    let (request, _) = try await answer(
      gate, "return=/page&contexts=urn:other&acr_values=x&maxAge=1", method: nil)
    let (stronger, _) = try await answer(gate, "return=/admin", method: Self.mfa)
    #expect(request.count < stronger.count, "RequestedAuthnContext and ForceAuthn are in one alone")
  }

  @Test("An answer by another context is 403 with a code; no browser goes in circles")
  func inVain() async throws {
    let gate = try gate()
    let cookie = try await signIn(gate, method: Self.password)
    let (_, done) = try await answer(
      gate, "return=/admin&provider=idp", method: Self.password, cookie: cookie)
    #expect(done.status == 403)
    #expect(String(decoding: done.body, as: UTF8.self) == "signin.context")
  }

  @Test("A sign-in gets too old for a page while the session goes on")
  func ages() async throws {
    let gate = try gate()
    let cookie = try await signIn(gate, "return=/admin", method: Self.mfa)
    for (seconds, status) in [(0, 200), (900, 200), (59, 200), (2, 302)] as [(Int64, Int)] {
      clock.advance(bySeconds: seconds)
      #expect(try await check(gate, "/admin", cookie).status == status, "\(seconds)")
      #expect(try await check(gate, "/page", cookie).status == 200)
    }
  }

  // MARK: Rules alone

  private func verdict(
    _ authentication: GateAuthentication, _ rules: [GateRule]? = nil
  ) throws -> GateVerdict {
    var subject = GateSubject(subject: "ada", claims: ClaimSet())
    subject.authentication = authentication
    return GateRules(try rules ?? Self.rules())
      .decide("/admin/x", method: "GET", subject: subject).verdict
  }

  private func name(_ verdict: GateVerdict) -> String {
    switch verdict {
    case .allow: "allow"
    case .signIn: "sign in"
    case .tokenRequired: "token"
    case .signInAgain(_, let step): step.isInVain ? "again in vain" : "again"
    case .lacksScope(_, let scopes): "scopes " + scopes.joined(separator: " ")
    case .forbidden(let error): error.code.rawValue
    }
  }

  @Test(
    "What is not said is not met, and what the provider did not do when asked is not asked again")
  func authentication() throws {
    func name(
      contexts: [String], age: Int64?, asked: AskedAuthentication? = nil, atSignIn: Int64? = 0,
      isToken: Bool = false
    ) throws -> String {
      self.name(
        try verdict(
          GateAuthentication(
            isToken: isToken, contexts: contexts, age: age, ageAtSignIn: atSignIn, asked: asked)))
    }
    let asked = AskedAuthentication(contexts: [Self.mfa], maxAge: 900)
    #expect(try name(contexts: [Self.mfa], age: 10) == "allow")
    #expect(try name(contexts: ["x", Self.mfa], age: 960) == "allow")
    #expect(try name(contexts: [Self.mfa], age: 961) == "again")
    #expect(try name(contexts: [Self.mfa], age: nil) == "again")
    #expect(try name(contexts: [Self.mfa], age: -61) == "again", "a time to come proves nothing")
    #expect(try name(contexts: [], age: 10) == "again")
    #expect(try name(contexts: [Self.mfa + "2"], age: 10) == "again")
    let inVain = TokenError.Code.gateStepUpInVain.rawValue
    #expect(try name(contexts: [], age: 10, asked: asked) == inVain)
    #expect(try name(contexts: [Self.mfa], age: nil, asked: asked, atSignIn: nil) == inVain)
    #expect(try name(contexts: [Self.mfa], age: 5_000, asked: asked, atSignIn: 4_000) == inVain)
    #expect(try name(contexts: [Self.mfa], age: 5_000, asked: asked, atSignIn: 1) == "again")
    // Asked for something else, it may do this.
    let other = AskedAuthentication(contexts: ["x"], maxAge: 90_000)
    #expect(try name(contexts: [], age: 10, asked: other) == "again")
    #expect(try name(contexts: [], age: 10, asked: asked, isToken: true) == "again in vain")
    let older = AskedAuthentication(contexts: [Self.mfa], maxAge: 901)
    #expect(try name(contexts: [Self.mfa], age: 5_000, asked: older, atSignIn: 4_000) == "again")
    let nothing = AskedAuthentication(contexts: [], maxAge: 900)
    #expect(try name(contexts: [], age: 10, asked: nothing) == "again")
  }

  @Test("A sign-in for a page asks for what its forms need, and for contexts that all rules take")
  func demandsOfRules() throws {
    func rule(
      _ contexts: [String], _ maxAge: Int? = nil, by method: String? = nil
    ) throws -> GateRule {
      var rule = GateRule(path: try RequestTarget("/admin"), method: method)
      rule.contexts = contexts
      rule.maxAge = maxAge
      return rule
    }
    let posted = GateRules([try rule(["a"], 60, by: "POST")]).demands(for: "/admin?x")
    #expect(posted.contexts == ["a"] && posted.maxAge == 60)
    let common = GateRules([try rule(["a", "b"], 900), try rule(["b", "c"], 60)])
    #expect(common.demands(for: "/admin").contexts == ["b"])
    #expect(common.demands(for: "/admin").maxAge == 60)
    let apart = GateRules([try rule(["a"]), try rule(["b"])]).demands(for: "/admin")
    #expect(apart.contexts == ["a"] && apart.maxAge == nil)
    let aged = GateRules([try rule([]), try rule([], 60)]).demands(for: "/admin")
    #expect(aged.contexts.isEmpty && aged.maxAge == 60)
    #expect(common.demands(for: "/page").contexts.isEmpty)
    // What stands in the query changes nothing, though it be no query.
    for query in ["?", "?#", "?\u{e4}", "?" + String(repeating: "a", count: 9_000)] {
      #expect(common.demands(for: "/admin" + query).contexts == ["b"], "\(query.prefix(9))")
    }
    let either = GateRules([try rule([]), try rule(["a"])]).demands(for: "/admin")
    #expect(either.contexts == ["a"])
  }

  @Test("A path that is public is open; one of two rules that is not closes it")
  func publicPaths() throws {
    var open = GateRule(path: try RequestTarget("/admin"))
    open.isPublic = true
    let rules = GateRules([open])
    #expect(rules.isPublic("/admin/x?y", method: "GET") && !rules.isPublic("/page", method: "GET"))
    #expect(!rules.isPublic("/admin/../page", method: "GET"))
    #expect(!rules.isPublic("/admin/x", method: "get"))
    let both = GateRules([open] + (try Self.rules()))
    #expect(!both.isPublic("/admin/x", method: "GET"))
    #expect(both.warnings.contains { $0.contains("not open to everybody") })
    #expect(!GateRules([open]).warnings.contains { $0.contains("not open") })
  }

  @Test("A path without a rule is as the file says")
  func defaults() throws {
    let ada = GateSubject(subject: "ada", claims: ClaimSet())
    let rules = try Self.rules("/other")
    let cases: [(GateDefault, String, String)] = [
      (.signedIn, "sign in", "allow"), (.open, "allow", "allow"),
      (.refused, "gate.no-rule", "gate.no-rule"),
    ]
    for (standard, out, signedIn) in cases {
      let all = GateRules(rules, default: standard)
      #expect(name(all.decide("/admin", method: "GET", subject: nil).verdict) == out)
      #expect(name(all.decide("/admin", method: "GET", subject: ada).verdict) == signedIn)
      #expect(name(all.decide("/other", method: "GET", subject: nil).verdict) == "sign in")
    }
  }

  @Test("Scopes are about tokens: all of them, and the challenge has all that the request needs")
  func scopes() throws {
    var first = GateRule(path: try RequestTarget("/admin"), place: "line 1")
    first.scopes = ["read", "write"]
    var second = GateRule(path: try RequestTarget("/admin"), place: "line 2")
    second.scopes = ["write", "audit"]
    func name(_ scopes: [String], isToken: Bool = true) throws -> String {
      self.name(
        try verdict(GateAuthentication(isToken: isToken, scopes: scopes), [first, second]))
    }
    #expect(try name(["audit", "read", "write"]) == "allow")
    #expect(try name(["read", "write"]) == "scopes read write audit")
    #expect(try name(["Read", "write", "audit"]) == "scopes read write audit")
    #expect(try name([]) == "scopes read write audit")
    #expect(
      try name([], isToken: false) == "allow", "a session is judged as if the rule named none")
  }

  @Test("A path for tokens alone refuses a session and sends no browser to sign in")
  func tokensAlone() async throws {
    var rule = GateRule(path: try RequestTarget("/admin"))
    rule.takesSessions = false
    #expect(
      name(try verdict(GateAuthentication(), [rule])) == TokenError.Code.gateTokenRequired.rawValue)
    #expect(name(try verdict(GateAuthentication(isToken: true), [rule])) == "allow")
    let gate = try gate([rule])
    let out = try await check(gate, "/admin")
    #expect(out.status == 401 && out.isRefusal(.gateTokenRequired))
    #expect(out.fields["Location"] == nil && out.fields["WWW-Authenticate"] == "Bearer")
    let cookie = try await signIn(gate)
    let refused = try await check(gate, "/admin", cookie)
    #expect(refused.status == 403 && refused.fields["Location"] == nil)
  }

  // MARK: Tokens

  private func token(_ claims: [Claim]) throws -> String {
    var draft = TokenDraft(
      issuer: idp.entityID, audiences: ["https://app.example/api"], issuedAt: clock.now)
    draft.subject = "ada"
    draft.claims = ClaimSet(claims)
    return String(decoding: try JSONWebToken.mint(draft, key: idp.key), as: UTF8.self)
  }

  private func authenticator() -> TokenAuthenticator {
    TokenAuthenticator(
      StaticRegistry(
        Trust(issuers: [idp.trustedJWT], audiences: .oneOf(["https://app.example/api"]))),
      clock: clock)
  }

  @Test("RFC 9470: A token of a weaker or older sign-in gets a challenge that says what it needs")
  func tokens() async throws {
    let gate = try gate(tokens: authenticator())
    let strong = Claim("acr", Self.mfa)
    let recent = Claim("auth_time", "\(clock.now.seconds)", valueType: Claim.jsonType)
    let old = Claim("auth_time", "\(clock.now.seconds - 1_000)", valueType: Claim.jsonType)
    #expect(try await check(gate, "/admin", token: token([strong, recent])).status == 200)
    for claims in [[strong], [recent], [strong, old], []] {
      let response = try await check(gate, "/admin", token: token(claims))
      #expect(response.status == 401 && response.isRefusal(.gateStepUp))
      #expect(response.fields["Location"] == nil)
      #expect(
        response.fields["WWW-Authenticate"]
          == "Bearer error=\"insufficient_user_authentication\", error_description=\"gate.step-up\", "
          + "acr_values=\"\(Self.mfa)\", max_age=\"900\"")
    }
    #expect(try await check(gate, "/page", token: token([])).status == 200)
  }

  @Test("RFC 6750, 3.1: A token without a scope gets 403 and all scopes that the request needs")
  func scopeChallenge() async throws {
    var rule = GateRule(path: try RequestTarget("/admin"))
    rule.scopes = ["read", "write"]
    let gate = try gate([rule], tokens: authenticator())
    for claim in [
      Claim("scope", "write read other"), Claim("scp", "write read"),
    ] { #expect(try await check(gate, "/admin", token: token([claim])).status == 200) }
    let list = ["read", "write"].map { Claim("scp", $0) }
    #expect(try await check(gate, "/admin", token: token(list)).status == 200)
    for claims in [[], [Claim("scope", "read")], [Claim("scope", "readwrite")]] {
      let response = try await check(gate, "/admin", token: token(claims))
      #expect(response.status == 403 && response.isRefusal(.gateScope))
      #expect(
        response.fields["WWW-Authenticate"]
          == "Bearer error=\"insufficient_scope\", error_description=\"gate.scope\", scope=\"read write\""
      )
    }
  }

  @Test(
    "A public path is open with headers for who is signed in, and a bad token there counts as none")
  func publicAnswers() async throws {
    var rule = GateRule(path: try RequestTarget("/static"))
    rule.isPublic = true
    let gate = try gate([rule], tokens: authenticator())
    #expect(try await check(gate, "/static/a.css").status == 200)
    #expect(try await check(gate, "/static/a.css", token: "a.b.c").status == 200)
    #expect(try await check(gate, "/page", token: "a.b.c").status == 401)
    #expect(try await check(gate, "/page").status == 302)
    let twice = try await check(gate, "/static/%2e%2e/page")
    #expect(twice.status == 403 && twice.isRefusal(.gatePath))
  }
}
