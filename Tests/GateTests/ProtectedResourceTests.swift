import Foundation
import GateService
import IdentityProviderTesting
import JSONWebTokens
import TestSupport
import Testing
import TokenBasics

/// Programs find who gives tokens, and get in with a token for the resource alone (RFC 9728, RFC 8707).
@Suite("Protected resources")
struct ProtectedResourceTests {
  private let clock = ManualTime()
  private let idp: IdentityProviderSimulator
  private let identifier = "https://api.example/mcp"
  private let metadata = "https://api.example/.well-known/oauth-protected-resource/mcp"

  init() throws { idp = try IdentityProviderSimulator() }

  private func gate(hasRules: Bool = true) throws -> Gate {
    var write = GateRule(path: try RequestTarget("/mcp"), method: "POST", place: "line 9")
    write.scopes = ["read", "write"]
    var strong = GateRule(path: try RequestTarget("/mcp/strong"), place: "line 10")
    strong.contexts = ["urn:mfa"]
    var program = GateRule(path: try RequestTarget("/mcp/program"), place: "line 11")
    program.takesSessions = false
    let resource = try ProtectedResource(
      identifier, authorizationServers: ["https://as.example"], scopes: ["read", "write", "admin"])
    let trust = Trust(issuers: [idp.trustedJWT], audiences: .oneOf(["https://api.example/"]))
    return Gate(
      site: try idp.site(clock: clock), proxy: .nginx, peers: [try PeerNetwork("127.0.0.1")],
      rules: GateRules([]), headers: IdentityHeaders([]), people: .shared,
      tokens: TokenAuthenticator(StaticRegistry(trust), clock: clock),
      applications: [
        GateApplication(
          try SiteSettings(origin: HTTPURL("https://api.example").origin, prefix: "/.gate/"),
          rules: GateRules(hasRules ? [write, strong, program] : []), headers: IdentityHeaders([]),
          resource: resource, readers: [try HTTPURL("https://inspector.example").origin])
      ])
  }

  private func get(
    _ gate: Gate, _ path: String, host: String = "api.example", method: String = "GET",
    _ more: [(String, String)] = []
  ) async throws -> HTTPResponse {
    await gate.respond(
      to: WebRequest(
        method: method, path: path,
        fields: try HTTPFields(
          [("X-Original-Proto", "https"), ("X-Original-Host", host)] + more)), from: "127.0.0.1")
  }

  private func check(
    _ gate: Gate, _ target: String, method: String = "GET", token: String? = nil,
    accept: String = "application/json"
  ) async throws -> HTTPResponse {
    let bearer = token.map { [("Authorization", "Bearer " + $0)] } ?? []
    return try await get(
      gate, "/.gate/check",
      [("X-Original-URI", target), ("X-Original-Method", method), ("Accept", accept)] + bearer)
  }

  private func token(_ audiences: [String], scope: String? = nil) throws -> String {
    var draft = TokenDraft(issuer: idp.entityID, audiences: audiences, issuedAt: clock.now)
    draft.subject = "ada"
    draft.claims = ClaimSet(scope.map { [Claim("scope", $0)] } ?? [])
    return String(decoding: try JSONWebToken.mint(draft, key: idp.key), as: UTF8.self)
  }

  @Test("The description stands at one address, for everybody")
  func description() async throws {
    let gate = try gate()
    let path = "/.well-known/oauth-protected-resource/mcp"
    let response = try await get(gate, path)
    #expect(response.status == 200 && response.fields["Content-Type"] == "application/json")
    let json = try JSONParser.parse(response.body)
    #expect(json["resource"]?.string == identifier)
    #expect(json["authorization_servers"]?.array?.compactMap(\.string) == ["https://as.example"])
    #expect(json["scopes_supported"]?.array?.compactMap(\.string) == ["read", "write", "admin"])
    #expect(json["bearer_methods_supported"]?.array?.compactMap(\.string) == ["header"])
    #expect(try await get(gate, path, method: "POST").status == 405)
    for other in [
      "/.well-known/oauth-protected-resource", path + "/", path + "/x",
      "/mcp/.well-known/oauth-protected-resource",
    ] {
      #expect(try await get(gate, other).status == 404, "\(other)")
    }
    #expect(try await get(gate, path, host: "app.example").status == 404)
    #expect(try await get(gate, path, host: "other.example").isRefusal(.gateHost))
  }

  @Test("A preflight of a listed origin reaches the application as nobody; any other one does not")
  func preflight() async throws {
    let gate = try gate()
    func ask(_ method: String, _ origin: String?, _ names: Bool = true) async throws -> Int {
      var more = [("X-Original-URI", "/mcp"), ("X-Original-Method", method)]
      if let origin { more.append(("Origin", origin)) }
      if names { more.append(("Access-Control-Request-Method", "POST")) }
      return try await get(gate, "/.gate/check", more).status
    }
    let own = "https://inspector.example"
    #expect(try await ask("OPTIONS", own) == 200)
    #expect(try await ask("OPTIONS", "https://inspector.example.evil") == 401)
    #expect(try await ask("OPTIONS", "null") == 401)
    #expect(try await ask("OPTIONS", nil) == 401)
    #expect(try await ask("OPTIONS", own, false) == 401)
    #expect(try await ask("POST", own) == 401)
  }

  @Test("A page of a listed origin may read the challenge, and of another origin it may not")
  func exposedChallenge() async throws {
    let gate = try gate()
    for (origin, shown) in [("https://inspector.example", true), ("https://other.example", false)] {
      let response = try await get(
        gate, "/.gate/check",
        [("X-Original-URI", "/mcp"), ("X-Original-Method", "GET"), ("Origin", origin)])
      #expect(response.status == 401 && response.fields["WWW-Authenticate"] != nil)
      #expect(response.fields["Access-Control-Allow-Origin"] == (shown ? origin : nil))
      #expect(
        response.fields["Access-Control-Expose-Headers"] == (shown ? "WWW-Authenticate" : nil))
    }
  }

  @Test(
    "Without a token a program is told where to get one, and for which scopes, and of no mistake")
  func noToken() async throws {
    let gate = try gate()
    for (method, scope) in [("GET", "read write admin"), ("POST", "read write")] {
      for accept in ["application/json", "application/json, text/event-stream", "text/html"] {
        let response = try await check(gate, "/mcp", method: method, accept: accept)
        #expect(response.status == 401)
        #expect(
          response.fields.values("WWW-Authenticate") == [
            "Bearer resource_metadata=\"\(metadata)\", scope=\"\(scope)\""
          ])
      }
    }
    let required = try await check(gate, "/mcp/program")
    #expect(required.status == 401 && required.isRefusal(.gateTokenRequired))
    #expect(
      required.fields["WWW-Authenticate"]
        == "Bearer resource_metadata=\"\(metadata)\", scope=\"read write admin\"")
    // What is not of the resource has nothing to do with it.
    for target in ["/", "/mcpx", "/MCP"] {
      let response = try await check(gate, target)
      #expect(response.status == 401)
      #expect(
        response.fields.values("WWW-Authenticate").allSatisfy { !$0.contains("resource_metadata") })
    }
  }

  @Test("RFC 8707: Only a token that is for the resource gets in, whatever the trust file accepts")
  func audiences() async throws {
    let gate = try gate()
    let scope = "write read"
    for audiences in [[identifier], [identifier, "urn:other"]] {
      let good = try await check(
        gate, "/mcp/x", method: "POST", token: token(audiences, scope: scope))
      #expect(good.status == 200, "\(audiences)")
    }
    for audience in [
      "https://api.example/", "https://api.example/mcp/", "https://api.example/MCP",
      "https://api.example", "urn:other",
    ] {
      let response = try await check(
        gate, "/mcp", method: "POST", token: token([audience], scope: scope))
      #expect(response.status == 401 && response.isRefusal(.audienceMismatch), "\(audience)")
      let challenge = try #require(response.fields["WWW-Authenticate"])
      #expect(challenge.hasPrefix("Bearer resource_metadata=\"\(metadata)\", scope=\"read write\""))
      #expect(challenge.contains("error=\"invalid_token\""))
    }
    // And the reverse: beside the resource the audiences of the trust file count.
    #expect(
      try await check(gate, "/docs", token: token(["https://api.example/"])).status == 200)
    let outside = try await check(gate, "/docs", token: token([identifier]))
    #expect(outside.status == 401 && outside.isRefusal(.audienceMismatch))
  }

  @Test(
    "A path that a server may read as the resource's counts for no token, also without rules",
    arguments: [
      "//mcp", "/./mcp", "/x/../mcp", "/mcp;v=1", "/%6dcp/%2e%2e/mcp", "/mcp%2fx", "/\\mcp",
      "/m%63p%",
    ])
  func ambiguousPaths(target: String) async throws {
    for hasRules in [true, false] {
      let gate = try gate(hasRules: hasRules)
      for audience in ["https://api.example/", identifier] {
        let response = try await check(gate, target, token: token([audience]))
        #expect(response.status == 403 && response.isRefusal(.gatePath), "\(hasRules) \(audience)")
      }
      #expect(try await check(gate, "/%6dcp", token: token([identifier])).status == 200)
      #expect(
        try await check(gate, "/docs", token: token(["https://api.example/"])).status == 200)
    }
  }

  @Test("A token without a scope gets 403 with all that the request needs, and the description")
  func scopes() async throws {
    let gate = try gate()
    for scope in [nil, "read", "write", "admin", "read writes"] {
      let response = try await check(
        gate, "/mcp", method: "POST", token: token([identifier], scope: scope))
      #expect(response.status == 403 && response.isRefusal(.gateScope))
      let challenge = try #require(response.fields["WWW-Authenticate"])
      #expect(challenge.hasPrefix("Bearer resource_metadata=\"\(metadata)\""))
      #expect(challenge.contains("error=\"insufficient_scope\""))
      #expect(challenge.contains("scope=\"read write\""))
    }
    let all = try token([identifier], scope: "read write")
    #expect(try await check(gate, "/mcp", method: "POST", token: all).status == 200)
    let step = try await check(gate, "/mcp/strong", token: all)
    #expect(step.status == 401)
    let challenge = try #require(step.fields["WWW-Authenticate"])
    #expect(challenge.hasPrefix("Bearer resource_metadata=\"\(metadata)\""))
    #expect(challenge.contains("error=\"insufficient_user_authentication\""))
  }

  @Test("A resource at the public origin needs no other host")
  func publicResource() async throws {
    let resource = try ProtectedResource(
      "https://app.example", authorizationServers: ["https://as.example"])
    #expect(resource.metadataAddress == "https://app.example/.well-known/oauth-protected-resource")
    let trust = Trust(issuers: [idp.trustedJWT], audiences: .oneOf(["urn:other"]))
    let gate = Gate(
      site: try idp.site(clock: clock), proxy: .nginx, peers: [try PeerNetwork("127.0.0.1")],
      rules: GateRules([]), headers: IdentityHeaders([]), people: .shared,
      tokens: TokenAuthenticator(StaticRegistry(trust), clock: clock), resource: resource)
    let response = await gate.respond(
      to: WebRequest(method: "GET", path: "/.well-known/oauth-protected-resource"),
      from: "10.0.0.1")
    #expect(response.status == 200)
    let out = try await check(gate, "/x")
    #expect(
      out.fields["WWW-Authenticate"]
        == "Bearer resource_metadata=\"https://app.example/.well-known/oauth-protected-resource\"")
    #expect(try await check(gate, "/x", token: token(["https://app.example"])).status == 200)
    #expect(try await check(gate, "/x", token: token(["https://app.example/"])).status == 401)
    #expect(try await check(gate, "/x", token: token(["urn:other"])).status == 401)
  }
}
