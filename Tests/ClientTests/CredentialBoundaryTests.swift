#if Client
  import FederationNetwork
  import Federation
  import FederationClient
  import SocialFeeds
  import HTTPExchange
  import SecrecyTesting
  import TestSupport
  import Testing

  /// The other server asserts that no response of a service makes its credential go elsewhere.
  @Suite("A credential stays with its service, over sockets (RP-1, RP-2, RP-3)")
  struct CredentialBoundaryTests {
    static let credential = "credential-that-nobody-else-sees"

    static let redirects = TestedTransport.allCases.flatMap { kind in
      ["302 Found", "307 Temporary Redirect", "308 Permanent Redirect"].map { ($0, kind) }
    }

    func server(_ reply: [UInt8], certificate: String? = nil) async throws -> LoopbackServer {
      let server = try LoopbackServer(certificate: certificate)
      server.reply(.octets(reply))
      try await server.start()
      return server
    }

    func authorized(
      _ base: HTTPURL, _ scheme: CredentialScheme, _ transport: any HTTPTransport
    ) async throws -> AuthorizedTransport {
      let session = Session(
        principal: Principal(authority: "test", subject: "mia"),
        credential: Credential(scheme, Secret(Self.credential)),
        signedInAt: ManualTime().now)
      let current = CurrentSession(
        account: "test", store: MemoryCredentialStore(), renewal: .logOut, time: ManualTime(),
        observer: SecrecyObserver())
      try await current.signIn(session)
      return AuthorizedTransport(transport, session: current, origin: base.origin)
    }

    @Test(
      "A redirect to another host or port is returned, not followed",
      arguments: CredentialScheme.allCases, redirects)
    func redirect(
      scheme: CredentialScheme, over: (status: String, kind: TestedTransport)
    ) async throws {
      let other = try await server(LoopbackMetadata.response("200 OK", [], []))
      let service = try await server(
        LoopbackMetadata.response(over.status, ["Location: http://localhost:\(other.port)/"], []))
      let transport = try over.kind.make()
      let base = try HTTPURL("http://127.0.0.1:\(service.port)/")
      let authorized = try await authorized(base, scheme, transport)
      let answer = try await authorized.response(
        to: HTTPRequest(.post, base, body: Array("text".utf8)))
      #expect(answer.isRedirect)
      #expect(service.requests.count == 1)
      #expect(service.requests.allSatisfy { $0.contains(Self.credential) })
      #expect(other.requests == [])
      // The credential is not sent there by the program's own request either.
      await expect(throws: TokenError(.sessionOtherOrigin)) {
        try await authorized.response(
          to: HTTPRequest(.get, try HTTPURL("http://127.0.0.1:\(other.port)/")))
      }
      #expect(other.requests == [])
    }

    @Test("Nothing is sent from https to http, by redirect or by the program")
    func downgrade() async throws {
      let plain = try await server(LoopbackMetadata.response("200 OK", [], []))
      let service = try await server(
        LoopbackMetadata.response(
          "301 Moved Permanently", ["Location: http://localhost:\(plain.port)/"], []),
        certificate: "tls-localhost")
      var configuration = TransportConfiguration()
      configuration.trustRoots = .certificates(pem: TestVector.bytes("keys/tls-localhost.crt"))
      let transport = try AsyncHTTPClientTransport(configuration)
      let base = try HTTPURL("https://localhost:\(service.port)/")
      let authorized = try await authorized(base, .bearer, transport)
      #expect(try await authorized.response(to: HTTPRequest(.get, base)).isRedirect)
      #expect(service.requests.allSatisfy { $0.contains("Bearer \(Self.credential)") })
      #expect(service.requests.count == 1)
      for address in ["http://localhost:\(plain.port)/", "http://localhost:\(service.port)/"] {
        await expect(throws: TokenError(.sessionOtherOrigin)) {
          try await authorized.response(to: HTTPRequest(.get, try HTTPURL(address)))
        }
      }
      #expect(plain.requests == [])
      await transport.shutdown()
    }

    @Test(
      "A credential that a service echoes reaches neither others nor descriptions",
      arguments: CredentialScheme.allCases, TestedTransport.allCases)
    func mirror(scheme: CredentialScheme, kind: TestedTransport) async throws {
      let other = try await server(LoopbackMetadata.response("200 OK", [], []))
      let service = try await server(
        LoopbackMetadata.response(
          "401 Unauthorized",
          [
            "Authorization: Bearer \(Self.credential)",
            "WWW-Authenticate: Bearer realm=\"\(Self.credential)\"",
            "Set-Cookie: session=\(Self.credential)",
            "Location: http://localhost:\(other.port)/?access_token=\(Self.credential)",
          ], Array("<p>\(Self.credential)</p>".utf8)))
      let transport = try kind.make()
      let base = try HTTPURL("http://127.0.0.1:\(service.port)/?access_token=\(Self.credential)")
      var authorized = try await authorized(base, scheme, transport)
      authorized.renews = false
      let answer = try await authorized.response(to: HTTPRequest(.get, base))
      authorized.renews = true
      var shown = "\(answer) \(String(reflecting: answer)) \(authorized)"
      do {
        _ = try await authorized.response(to: HTTPRequest(.get, base))
        Issue.record("the session did not end")
      } catch {
        shown += "\(error) \(String(reflecting: error))"
      }
      dump(answer, to: &shown)
      #expect(!shown.contains(Self.credential))
      // The second request is another session's, and has no cookie.
      #expect(service.requests.allSatisfy { !$0.contains("ookie:") })
      #expect(other.requests == [])
    }

    @Test(
      "Passwords and secrets of token endpoints follow no redirect either",
      arguments: TestedTransport.allCases)
    func endpoints(kind: TestedTransport) async throws {
      let other = try await server(LoopbackMetadata.response("200 OK", [], []))
      let service = try await server(
        LoopbackMetadata.response(
          "307 Temporary Redirect", ["Location: http://localhost:\(other.port)/"], []))
      let transport = try kind.make()
      let base = try HTTPURL("http://127.0.0.1:\(service.port)/")
      let time = ManualTime()
      let secret = Secret(Self.credential)
      let acs = AccessControlClient(
        try AccessControlService(base: base, realm: "uri:talks.example.org"),
        trust: Trust(issuers: [], audiences: .any), transport: transport, time: time)
      await expect(throws: TokenError(.transportRedirect)) {
        try await acs.token(.password(name: "uploader", password: secret))
      }
      await expect(throws: TokenError(.transportRedirect)) {
        try await acs.token(
          .clientCredentials, client: OAuthClient(id: "uploader", secret: secret))
      }
      let opro = try OPROService(at: base, clientID: "id", clientSecret: secret)
      await expect(throws: TokenError(.transportRedirect)) {
        try await opro.exchange(
          .password(userName: "foo", secret), over: transport, now: time.now)
      }
      let mobile = try MobileService(at: base, .appService(version: "2.0.0"))
      await expect(throws: TokenError(.transportRedirect)) {
        try await mobile.signIn(with: .facebook(accessToken: secret), over: transport)
      }
      let feed = Feed(
        XService(api: base, accessToken: secret), over: transport, time: time)
      await expect(throws: FeedError.self) { try await feed.post(FeedPost("text")) }
      #expect(service.requests.count == 5)
      #expect(other.requests == [])
    }
  }
#endif
