#if Client
  import AccessControlCore
  import FederationNetwork
  import Federation
  import FederationClient
  import Foundation
  import HTTPExchange
  import SimulatedService
  import Simulators
  import SimulatorHost
  import TestSupport
  import Testing

  /// A namespace on loopback, a relying party and its service, a feed, and a client: the fixtures of
  /// the stories of Access Control Service.
  struct AccessControlStory: Sendable {
    static let realm = "uri:talks.example.org"
    static let providerToken = "AAAB1+x/y=|person-token"
    static let pageToken = "AAAB2+x/y=|page-token"
    static let password = "c2VjcmV0LXBhc3N3b3Jk"
    static let identityKey = [UInt8](repeating: 7, count: 32)

    let core: AccessControlCore
    let acs: SimulatorHost
    let talks: TalksService
    let talksHost: SimulatorHost
    let board: FeedBoard
    let feedHost: SimulatorHost
    let returnPage: ReturnPage
    let returnHost: SimulatorHost
    let transport: AsyncHTTPClientTransport
    let time: ManualTime
    let client: AccessControlClient
    let evidence: Evidence
    let store: FileCredentialStore

    var browser: Browser { Browser(transport: transport) }

    static func tell(
      _ format: TokenFormat, scheme: CredentialScheme = .oauth, time: ManualTime = ManualTime(),
      _ story: @escaping @Sendable (AccessControlStory) async throws -> Void
    ) async throws {
      let evidence = Evidence()
      let returnPage = ReturnPage()
      let board = FeedBoard(time: time)
      let parts = Mutexed<(AccessControlCore?, TalksService?)>((nil, nil))
      let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let path = folder.appending(path: "credentials").path()
      try await SimulatorHost.serving { _ in
        FacebookServer(
          board, version: "v23.0", page: "4711",
          persons: [
            providerToken: [
              .init("4711", "Swift Days", token: pageToken),
              .init("4712", "Only to look at", token: "AAAB3+x/y=|not-to-post", tasks: ["ANALYZE"]),
            ]
          ])
      } _: { feedHost in
        try await SimulatorHost.serving { _ in
          returnPage
        } _: { returnHost in
          try await SimulatorHost.serving { base in
            let core = AccessControlCore(
              try namespace(base, format, returnURL: returnHost.base.text + "signin"), time: time)
            parts.withLock { $0.0 = core }
            return core
          } _: { acs in
            try await SimulatorHost.serving { _ in
              let talks = TalksService(
                trust: try trust(acs.base, format), scheme: scheme, time: time)
              parts.withLock { $0.1 = talks }
              return talks
            } _: { talksHost in
              guard case (let core?, let talks?) = parts.current else { throw Browser.Lost() }
              let transport = try AsyncHTTPClientTransport()
              let service = try AccessControlService(base: acs.base, realm: realm)
              let client = AccessControlClient(
                service, trust: try trust(acs.base, format), transport: transport, time: time,
                observer: evidence.observer)
              evidence.hide(providerToken, pageToken, password)
              try await story(
                AccessControlStory(
                  core: core, acs: acs, talks: talks, talksHost: talksHost, board: board,
                  feedHost: feedHost, returnPage: returnPage, returnHost: returnHost,
                  transport: transport, time: time, client: client, evidence: evidence,
                  store: FileCredentialStore(
                    path: path, key: .passphrase(Secret("correct horse battery")), cost: 1 << 10)))
              await transport.shutdown()
            }
          }
        }
      }
    }

    static func certificate() throws -> VerificationKey {
      try VerificationKey(pemOrDER: TestVector.bytes("keys/idp-rsa.crt"))
    }

    /// The namespace's keys, which also signed the test vectors.
    static func trust(_ base: HTTPURL, _ format: TokenFormat) throws -> Trust {
      let secret = VerificationKey(.secret(try SymmetricKey(bytes: Array(0...31))))
      let certificate = try certificate()
      let issuer = base.origin.description + "/"
      return Trust(
        issuers: [
          TrustedIssuer(issuer, keys: [secret], formats: [.swt]),
          TrustedIssuer(issuer, keys: [certificate], formats: [.saml11, .saml20, .jwt]),
        ], audiences: .oneOf([realm]))
    }

    static func namespace(
      _ base: HTTPURL, _ format: TokenFormat, returnURL: String
    ) throws -> AccessControlNamespace {
      guard case .certificate(let shown) = try certificate().material else { throw Browser.Lost() }
      let signing = try SigningKey(
        PrivateKey(pemOrDER: TestVector.bytes("keys/idp-rsa.key")),
        certificate: shown)
      var party = AccessControlNamespace.RelyingParty(
        realm: realm, format: format, returnURLs: [returnURL, "http://127.0.0.1:1/signin"])
      party.postsErrors = true
      party.writesNonce = true
      var facebook = AccessControlNamespace.Provider(
        name: "Facebook", id: "Facebook-1234567890", subject: "100004711",
        claims: [
          Claim(.name, "Mia Müller"), Claim(.emailAddress, "mia+news@example.org"),
          Claim(.role, "editor"), Claim(.facebookAccessToken, providerToken),
        ])
      facebook.scope = "email,publish_stream"
      var corporation = AccessControlNamespace.Provider(
        name: "Example Corp", id: "http://fs.example.org/adfs/services/trust", subject: "mia")
      corporation.emailSuffixes = ["example.org", "example.net"]
      let live = AccessControlNamespace.Provider(
        name: "Windows Live\u{2122} ID", id: "uri:WindowsLiveID", subject: nil)
      var uploader = AccessControlNamespace.ServiceIdentity(
        name: "uploader", password: password, key: try SymmetricKey(bytes: identityKey),
        claims: [Claim(.role, "uploader")])
      uploader.redirectURIs = ["http://127.0.0.1:1/signin"]
      var namespace = AccessControlNamespace(
        base: base, relyingParties: [party], providers: [facebook, corporation, live],
        identities: [uploader], symmetricKey: try SymmetricKey(bytes: Array(0...31)),
        signingKey: signing)
      namespace.partners = [
        TrustedIssuer(
          "https://idp.example/idp",
          keys: [try certificate()], formats: [.saml11, .saml20])
      ]
      return namespace
    }

    /// A session in use: the credential is stored, sent to the relying party's service, survives a
    /// restart, and is gone after log-out in all three layers.
    func live(with session: Session, subject: String) async throws {
      evidence.add(session)
      evidence.hide(session.credential.secret.revealed)
      let current = CurrentSession(
        account: "acs", store: store, renewal: .logOut, time: time, observer: evidence.observer)
      try await current.signIn(session)
      let talks = AuthorizedTransport(
        transport, session: current, origin: talksHost.base.origin)
      let request = HTTPRequest(.get, try talksHost.base.at(path: "/talks"))
      #expect(try await talks.response(to: request).status == 200)
      // Another run of the program.
      let later = CurrentSession(
        account: "acs", store: store, renewal: .logOut, time: time, observer: evidence.observer)
      let restored = try await later.restore()
      evidence.add(restored as Any)
      #expect(restored?.principal == session.principal)
      let again = AuthorizedTransport(
        transport, session: later, origin: talksHost.base.origin)
      #expect(try await again.response(to: request).status == 200)
      #expect(self.talks.visitors == [subject, subject])
      // Log-out: in the store, and at the provider and the service with the browser.
      try await later.logOut()
      #expect(try store.read().sessions.isEmpty)
      await evidence.expect(.sessionNone) { try await again.response(to: request) }
      for address in client.service.providerSignOutAddresses(of: session)
      where address.contains("/v2/") {
        _ = try await browser.open(address)
      }
      #expect(core.signOuts == 1)
    }
  }
#endif
