#if Server
  import Foundation
  import CommandSupport
  @testable import GateCommand
  import GateService
  import HTTPExchange
  import IdentityProviderTesting
  import JSONWebTokens
  import SecurityKeys
  import SignIn
  import TestSupport
  import Testing

  /// What an edit of the trust file, and a gate's file that is read anew, make of bearer tokens.
  @Suite("The trust file of a running gate")
  struct GateTrustFileTests {
    private let folder: GateFolder
    private static let tokens = ", \"tokens\": \"trust.json\""
    private static let keysAt =
      "{\"name\": \"https://idp.example/\", \"keysAt\": \"https://idp.example/keys\"}"

    init() throws {
      folder = try GateFolder()
      try folder.write("idp.crt", folder.idp.certificate.der)
    }

    private func issuer(_ name: String) -> String {
      "{\"name\": \"\(name)\", \"keys\": [\"idp.crt\"], \"formats\": [\"jwt\"]}"
    }

    private func trust(_ issuers: String..., audiences: String = "\"urn:api\"") throws {
      try folder.write(
        "trust.json",
        "{\"audiences\": [\(audiences)], \"issuers\": [\(issuers.joined(separator: ", "))]}")
    }

    /// The status of the verdict on a token.
    private func status(
      _ assembly: GateAssembly, _ issuer: String, audience: String = "urn:api"
    ) async throws -> Int {
      var draft = TokenDraft(
        issuer: issuer, audiences: [audience], issuedAt: SystemTime().now)
      draft.subject = "ada"
      let token = String(
        decoding: try JSONWebToken.mint(draft, key: folder.idp.key), as: UTF8.self)
      let fields = try HTTPFields([
        ("X-Original-URI", "/"), ("X-Original-Method", "GET"), ("Authorization", "Bearer \(token)"),
      ])
      return await assembly.gate.respond(
        to: WebRequest(method: "GET", path: "/.gate/check", fields: fields), from: "127.0.0.1"
      ).status
    }

    /// The state of the gate after it has looked at its files, so many seconds from now.
    private func health(
      _ assembly: GateAssembly, after seconds: Int64 = 5
    ) async -> SiteHealth.Report {
      await assembly.health(at: SystemTime().now.advanced(bySeconds: seconds))
    }

    @Test("An edit that the start would refuse is not in force, and health and log say why")
    func refusedEdit() async throws {
      let (own, other) = ("https://idp.example/", "https://other.example/")
      try trust(issuer(own))
      let assembly = try GateAssembly(GateFile(folder.file(Self.tokens)), .run)
      #expect(try await status(assembly, own) == 200)
      #expect(await health(assembly).warnings == [])

      try trust(issuer(own), issuer(other))
      let report = await health(assembly, after: 60)
      #expect(report.problems == [])
      #expect(report.warnings.count { $0.contains("gate.people") } == 1, "\(report.text)")
      #expect(assembly.counters.count(of: .gatePeople) > 0)
      #expect(try await status(assembly, other) == 401, "its ada would be the provider's ada")
      #expect(try await status(assembly, own) == 200)
      let failure = #expect(throws: CommandFailure.self) {
        try GateAssembly(GateFile(folder.path("gate.json")), .reload(assembly))
      }
      #expect(failure?.causes.first?.code == .gatePeople)
      #expect(failure?.causes.first?.node == "tokens")

      // One that passes is in force.
      try trust(issuer(own), audiences: "\"urn:api\", \"urn:more\"")
      #expect(await health(assembly, after: 120).warnings == [])
      #expect(try await status(assembly, own, audience: "urn:more") == 200)
    }

    @Test("Where the gate's file says whose people issuers name, an edit that adds one is in force")
    func acceptedEdit() async throws {
      let (own, other) = ("https://idp.example/", "https://other.example/")
      try trust(issuer(own))
      let assembly = try GateAssembly(
        GateFile(folder.file(Self.tokens + ", \"people\": \"shared\"")), .run)
      #expect(try await status(assembly, other) == 401)
      try trust(issuer(own), issuer(other))
      #expect(await health(assembly).warnings == [])
      #expect(try await status(assembly, other) == 200)
    }

    @Test("Fetched keys stay in use when the file is read anew, for the same address alone")
    func keepsKeys() async throws {
      let key = folder.idp.key
      let keys = PublishedKey.keySet([PublishedKey(key.publicKey, algorithm: key.algorithm)])
      let isAway = Mutexed(false)
      let transport = ScriptedTransport { (_) throws(TokenError) in
        guard !isAway.current else { throw TokenError(.transportUnreachable) }
        return .json(String(decoding: keys, as: UTF8.self))
      }
      func gate(_ purpose: GateAssembly.Purpose) throws -> GateAssembly {
        try GateAssembly(GateFile(folder.file(Self.tokens)), purpose) {
          () throws(TokenError) in transport
        }
      }
      try trust(Self.keysAt)
      let first = try gate(.run)
      #expect(try await status(first, "https://idp.example/") == 200)
      isAway.withLock { $0 = true }
      #expect(try await status(gate(.run), "https://idp.example/") == 503, "a start has none")
      let next = try gate(.reload(first))
      #expect(try await status(next, "https://idp.example/") == 200)
      #expect(try await status(gate(.reload(next)), "https://idp.example/") == 200)
      try trust(Self.keysAt.replacing("/keys", with: "/other-keys"))
      #expect(try await status(gate(.reload(next)), "https://idp.example/") == 503)
    }

    @Test("What an OpenID provider published stays in use when the file is read anew")
    func keepsProviders() async throws {
      let key = folder.idp.key
      let keys = PublishedKey.keySet([PublishedKey(key.publicKey, algorithm: key.algorithm)])
      let isAway = Mutexed(false)
      let transport = ScriptedTransport { (request) throws(TokenError) in
        guard !isAway.current else { throw TokenError(.transportUnreachable) }
        guard request.url.text.hasSuffix("openid-configuration") else {
          return .json(String(decoding: keys, as: UTF8.self))
        }
        let base = request.url.text.replacing("/.well-known/openid-configuration", with: "")
        return .json(
          """
          {"issuer": "\(base)", "authorization_endpoint": "\(base)/authorize",
           "token_endpoint": "\(base)/token", "jwks_uri": "\(base)/keys",
           "response_types_supported": ["code"], "subject_types_supported": ["public"],
           "id_token_signing_alg_values_supported": ["\(key.algorithm.nameInJOSE)"]}
          """)
      }
      func gate(_ issuer: String, _ purpose: GateAssembly.Purpose) throws -> GateAssembly {
        try folder.write(
          "openid.json",
          """
          {"public": "https://app.example", "listen": "[::1]:4180",
           "proxy": {"kind": "nginx", "peers": ["127.0.0.1"]}, "headers": {"X-Remote-User": "subject"},
           "providers": [{"id": "op", "openID": {"issuer": "\(issuer)", "clientID": "c"}}]}
          """)
        return try GateAssembly(GateFile(folder.path("openid.json")), purpose) {
          () throws(TokenError) in transport
        }
      }
      let now = SystemTime().now
      func isReady(_ assembly: GateAssembly) -> Bool {
        assembly.gate.site.providers.allSatisfy { $0.registry.readyTrust(at: now) != nil }
      }
      let first = try gate("https://op.example", .run)
      _ = try await first.gate.site.providers.first?.registry.trust(at: now)
      #expect(isReady(first))
      isAway.withLock { $0 = true }
      #expect(try isReady(gate("https://op.example", .reload(first))))
      #expect(try !isReady(gate("https://other.example", .reload(first))))
    }
  }
#endif
