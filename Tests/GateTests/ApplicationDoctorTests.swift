@testable import GateService
import IdentityProviderTesting
import TestSupport
import Testing

/// A proxy before a gate with several hosts, with one mistake or none.
private struct HostProxy: WiringProbe {
  enum Mistake: CaseIterable {
    case none, namesNoHost, namesPublicHost, believesClient, believesHost, losesTickets
    case losesDescription, dropsChallenge, namesOtherDescription
  }

  let gate: Gate
  let mistake: Mistake

  func answer(to request: WiringRequest) async throws(TokenError) -> HTTPResponse {
    let target = request.target.replacing("https://api.example/", with: "/", maxReplacements: 1)
    let parts = target.split(separator: "?", maxSplits: 1).map(String.init)
    let path = parts.first ?? "/"
    var fields = request.fields
    var host = "api.example"
    if mistake == .believesClient { host = fields["X-Forwarded-Host"] ?? host }
    if mistake == .believesHost { host = request.host ?? host }
    if mistake == .namesPublicHost { host = "app.example" }
    fields.remove("X-Original-Proto")
    fields.remove("X-Original-Host")
    if mistake != .namesNoHost {
      try fields.append("X-Original-Proto", "https")
      try fields.append("X-Original-Host", host)
    }
    if request.fields["Host"] != nil { return HTTPResponse(status: 400) }
    if path == "/.gate/check" { return HTTPResponse(status: 404) }
    if mistake == .losesTickets, path == "/.gate/ticket" { return HTTPResponse(status: 404) }
    let isDescription = path.hasPrefix("/.well-known/oauth") && mistake != .losesDescription
    if path.hasPrefix("/.gate/") || isDescription {
      return await gate.respond(
        to: WebRequest(
          method: request.method, path: path, query: parts.count == 2 ? parts[1] : nil,
          fields: fields), from: "127.0.0.1")
    }
    fields.remove("X-Original-URI")
    fields.remove("X-Original-Method")
    guard (try? fields.append("X-Original-URI", request.target)) != nil else {
      return HTTPResponse(status: 400)
    }
    try fields.append("X-Original-Method", request.method)
    let verdict = await gate.respond(
      to: WebRequest(method: "GET", path: "/.gate/check", fields: fields), from: "127.0.0.1")
    var response = HTTPResponse(status: verdict.status == 503 ? 500 : verdict.status)
    if let location = verdict.fields["Location"] {
      response.status = 302
      try response.fields.append("Location", location)
    } else if mistake != .dropsChallenge {
      for value in verdict.fields.values("WWW-Authenticate") {
        let other = value.replacing("https://api.example/.well-known", with: "https://x.example")
        try response.fields.append(
          "WWW-Authenticate", mistake == .namesOtherDescription ? other : value)
      }
    }
    return response
  }
}

@Suite("The gate's doctor at an application's host")
struct ApplicationDoctorTests {
  private let clock = ManualTime()
  private let idp: IdentityProviderSimulator

  init() throws { idp = try IdentityProviderSimulator() }

  private func examine(
    _ mistake: HostProxy.Mistake, rules: String = "[]", members: String = "",
    open: [String] = [], atSignIn: Bool = false
  ) async throws -> [WiringCheck] {
    let text = """
      {"public": "https://app.example", "listen": "127.0.0.1:4180",
       "proxy": {"kind": "nginx", "peers": ["127.0.0.1"]}, "tokens": "trust.json", "people": "shared",\(members)
       "providers": [{"id": "idp", "saml": {"metadata": "idp.xml"}}],
       "applications": [{"origin": "https://api.example", "rules": \(rules),
         "resource": {"identifier": "https://api.example/mcp", "authorizationServers": ["https://as.example"]}}]}
      """
    let configuration = try #require(GateConfiguration.read(Array(text.utf8)).configuration)
    let application = try #require(configuration.applications.first)
    let trust = Trust(issuers: [idp.trustedJWT], audiences: .oneOf(["urn:api"]))
    let gate = Gate(
      site: try idp.site(clock: clock), proxy: .nginx, peers: configuration.peers,
      rules: configuration.rules, headers: IdentityHeaders([]), people: .shared,
      tokens: TokenAuthenticator(StaticRegistry(trust), clock: clock),
      applications: [
        GateApplication(
          try SiteSettings(origin: application.origin, prefix: "/.gate/"),
          rules: application.rules, headers: IdentityHeaders([]), resource: application.resource)
      ])
    return await GateDoctor(
      configuration, at: atSignIn ? nil : application.origin,
      probe: HostProxy(gate: gate, mistake: mistake),
      bare: nil, entitled: nil, sessionCookie: "__Host-session", open: open, standsIn: false
    ).examine()
  }

  @Test("The documented wiring is in order")
  func silence() async throws {
    let checks = try await examine(.none)
    #expect(checks.flatMap(\.findings) == [])
    #expect(checks.last?.title == "the description of the protected resource")
    #expect(checks.last?.requests == 2)
  }

  @Test("Where the keys of cookies are random nothing is examined signed in, and why is said")
  func randomKeys() async throws {
    func omissions(_ checks: [WiringCheck]) -> [String] {
      checks.compactMap(\.omission).filter { $0.contains("cookieKeys is missing") }
    }
    let checks = try await examine(.none)
    #expect(checks.flatMap(\.findings) == [])
    #expect(omissions(checks).count > 2)
    #expect(omissions(try await examine(.none, members: "\"cookieKeys\": \"keys\",")) == [])
    // Where people sign in another reason stands in the way.
    let main = try await examine(.none, atSignIn: true)
    #expect(omissions(main) == [])
    #expect(main.contains { $0.omission?.hasPrefix("no session can be made") == true })
  }

  @Test(
    "A public rule above a resource does not open it; of one that is open on purpose the description alone is looked at"
  )
  func publicResource() async throws {
    let rules = "[{\"path\": \"/\", \"public\": true}]"
    let below = try await examine(.dropsChallenge, rules: rules)
    #expect(below.last?.findings.map(\.code) == [.wiringResource] && below.last?.requests == 2)
    let checks = try await examine(.dropsChallenge, open: ["/mcp"])
    #expect(checks.flatMap(\.findings).allSatisfy { $0.code == .wiringPage })
    #expect(checks.last?.title == "the description of the protected resource")
    #expect(checks.last?.requests == 1)
  }

  @Test("A host that the gate is not told, or told wrong, is found")
  func hosts() async throws {
    func codes(_ mistake: HostProxy.Mistake) async throws -> Set<String> {
      Set(try await examine(mistake).flatMap(\.findings).map(\.code.rawValue))
    }
    #expect(try await codes(.namesNoHost).contains("wiring.gate"))
    #expect(try await codes(.namesPublicHost).contains("wiring.host"))
    #expect(try await codes(.believesClient).contains("wiring.forged"))
    #expect(try await codes(.losesTickets) == ["wiring.host"])
    #expect(try await codes(.believesHost) == ["wiring.host"])
    #expect(try await codes(.losesDescription) == ["wiring.resource"])
    #expect(try await codes(.dropsChallenge) == ["wiring.resource", "wiring.refusal-page"])
    #expect(try await codes(.namesOtherDescription) == ["wiring.resource"])
  }
}
