#if Server
  import FederationNetwork
  import Foundation
  import GateService
  import Hummingbird
  import HummingbirdFederation
  import IdentityProviderTesting
  import Logging
  import NIOPosix
  import TestSupport

  /// The service that `service_speed.py` measures: a bare route, one with a session, one with a token, the gate's check
  /// and sign-in. Prints a cookie and a token, then serves at 127.0.0.1:18280. With arguments it is the load of
  /// `gate_load.py`.
  @main
  enum ServiceBench {
    static func main() async throws {
      let words = Array(CommandLine.arguments.dropFirst())
      guard let first = words.first else { return try await serve() }
      let load = try GateLoad()
      switch (first, words.count) {
      case ("metadata", 2): try load.writeMetadata(words[1])
      case ("sessions", 4):
        try await load.writeSessions(Int(words[1]) ?? 0, store: words[2], cookies: words[3])
      case ("checks", 2):
        try await load.check(
          String(contentsOf: URL(filePath: words[1]), encoding: .utf8).split(separator: "\n")
            .map(String.init))
      case ("sign-ins", 2): try await load.signIn(Int(words[1]) ?? 0)
      case ("sign-ins", 3): try await load.signIn(Int(words[1]) ?? 0, rate: Int(words[2]))
      default: print("usage: ServiceBench [metadata | sessions | checks | sign-ins] …")
      }
      await load.transport.shutdown()
    }

    /// What the token of this request costs by itself, as `claims bench` measures it, and in the middleware that
    /// protects a route: microseconds each, measured in the process that serves.
    private static func cost(
      of token: String, _ trust: Trust, _ request: Request, _ context: FederationContext
    ) async throws -> String {
      let octets = Array(token.utf8)
      let middleware = RequiresToken(StaticRegistry(trust))
      let bare = try await microseconds {
        _ = try validate(octets, trust)
      }
      let whole = try await microseconds {
        _ = try await middleware.handle(request, context: context) { _, _ in Response(status: .ok) }
      }
      return "\(bare) \(whole)"
    }

    private static func validate(_ octets: [UInt8], _ trust: Trust) throws -> Verified<AnyToken> {
      let parsed = try AnyToken(reading: octets, limits: trust.limits)
      return try TokenValidator(trust).validate(parsed, at: SystemTime().now)
    }

    /// The time of one call, by the fastest of twenty runs of a hundred.
    private static func microseconds(_ call: () async throws -> Void) async throws -> Double {
      var fastest = Duration.seconds(1)
      for _ in 0..<20 {
        let run = try await ContinuousClock().measure { for _ in 0..<100 { try await call() } }
        fastest = min(fastest, run)
      }
      return fastest / .microseconds(1) / 100
    }

    private static func serve() async throws {
      var logger = Logger(label: "bench")
      logger.logLevel = .error
      let idp = try IdentityProviderSimulator()
      let settings = try SiteSettings(origin: HTTPURL("http://127.0.0.1:18280").origin)
      let service = try ServiceProvider(
        entityID: "urn:bench", consumer: settings.address("saml/acs"), signingKeys: [idp.key])
      let trust = Trust(issuers: [idp.trusted, idp.trustedJWT], audiences: .oneOf(["urn:api"]))
      let sessions = MemorySessionStore()
      let site = try SignInSite(
        settings,
        providers: [
          SignInProvider(
            id: "idp", name: "IdP", .saml(service, .fixed(idp.provider)),
            registry: StaticRegistry(trust))
        ], pages: MustachePages(title: "Bench"), sessions: sessions)
      let (id, cookie) = SessionID.make()
      let now = SystemTime().now
      let principal = try await service.finishUnsolicited(
        SAMLAnswer(
          idp.message(
            .init(recipient: service.consumer.text, audience: "urn:bench", at: now))),
        from: idp.provider, trust: trust, used: MemoryReplayStore(), at: now)
      try await sessions.insert(
        SignedInSession(
          principal: principal, provider: "idp", begun: now, end: now.advanced(bySeconds: 28_800),
          lastUse: now), id)
      let token = try idp.jwt(audience: "urn:api", at: now)
      let gate = Gate(
        site: site, proxy: .nginx, peers: [try PeerNetwork("127.0.0.1")],
        rules: GateRules([GateRule(path: try RequestTarget("/admin"))]),
        headers: IdentityHeaders([HeaderRule(name: "X-Remote-User", claims: [GateClaim.subject])]),
        people: .shared)
      let router = Router(context: FederationContext.self)
      router.get("bare") { _, _ in "Hello\n" }
      router.signedIn(by: site).get("session") { _, context in
        "Hello \(context.principal.subject)\n"
      }
      router.withToken(of: StaticRegistry(trust)).get("token") { _, context in
        "Hello \(context.principal.subject)\n"
      }
      // What a served request pays for OpenSSL's part alone, and for what `claims bench` measures in a loop, where
      // caches are warm.
      let octets = Array(token.utf8)
      let publicKey = idp.key.publicKey
      let signature = try idp.key.sign(octets)
      router.get("signature") { _, _ in
        guard let digest = DigestAlgorithm.sha256.value(of: octets.span),
          publicKey.isValid(signature.span, forDigest: digest, .rsaSHA256)
        else { throw HTTPError(.unauthorized) }
        return "Hello\n"
      }
      router.get("validated") { _, _ in
        _ = try validate(octets, trust)
        return "Hello\n"
      }
      router.get("cost") { request, context in
        try await cost(of: token, trust, request, context)
      }
      router.get("sso/check") { request, context in
        Response(
          await gate.respond(
            to: WebRequest(head: request), from: context.remoteAddress?.ipAddress ?? ""))
      }
      router.addSignIn(site)
      FileHandle.standardOutput.write(Data("session=\(cookie.revealed)\n\(token)\n".utf8))
      try await Application(
        router: router,
        configuration: .init(address: .hostname("127.0.0.1", port: 18280), serverName: nil),
        eventLoopGroupProvider: .shared(MultiThreadedEventLoopGroup(numberOfThreads: 1)),
        logger: logger
      ).runService()
    }
  }
#else
  @main
  enum ServiceBench {
    static func main() { print("the benchmark needs trait Server") }
  }
#endif
