#if Client
  import CommandSupport
  import Federation
  import FederationClient
  import FederationNetwork
  import HTTPExchange
  import TokenBasics

  /// How requests of a stored session reach its service, and how the session is renewed and ended there.
  struct ServiceAccess {
    /// The only origin to which the credential is sent.
    let origin: HTTPOrigin
    let transport: any HTTPTransport
    let renewal: Renewal
    /// Added to the query of the repeated request.
    var replayParameters: [(String, String)] = []
    /// Ends the session at the service; nil if the service does not support that.
    var end: (@Sendable (Session) async throws(TokenError) -> Void)?
    /// The addresses at which the browser deletes its cookies.
    var signOutAddresses: [String] = []

    init(
      _ service: StoredService, _ session: Session, _ secrets: ServiceSecrets,
      _ kept: FileCredentialStore, over network: any HTTPTransport
    ) throws {
      switch service.kind {
      case .accessControl: try self.init(accessControl: service, over: network)
      case .mobileServices:
        try self.init(mobileServices: service, session, secrets, over: network)
      case .opro: try self.init(opro: service, secrets, over: network)
      case .mobileFoundation: try self.init(mobileFoundation: service, kept, over: network)
      }
    }

    private init(accessControl service: StoredService, over network: any HTTPTransport) throws {
      guard let resource = service[.resource] else {
        throw CommandFailure(
          .usage, "the token is for \(service[.realm] ?? "a relying party") at no known address",
          hint: "sign in with --resource, the address of the relying party's service")
      }
      self.init(origin: try HTTPURL(resource).origin, network, .logOut)
    }

    private init(
      mobileServices service: StoredService, _ session: Session, _ secrets: ServiceSecrets,
      over network: any HTTPTransport
    ) throws {
      let app = try secrets.mobileService(service)
      self.init(
        origin: app.origin, MobileServiceTransport(network, service: app),
        app.renewal(for: session, over: network))
      if service[.apiVersion] != nil {
        end = { session throws(TokenError) in
          try await app.endSession(session, over: MobileServiceTransport(network, service: app))
        }
      } else {
        replayParameters = [("bypass", "true")]
      }
      signOutAddresses = app.providerSignOutAddresses(of: session)
    }

    private init(
      opro service: StoredService, _ secrets: ServiceSecrets, over network: any HTTPTransport
    ) throws {
      let address = try HTTPURL(try service.needed(.server))
      var renewal = Self.withoutSecret
      if let secret = try secrets.clientSecret() {
        renewal = try OPROService(
          at: address, clientID: try service.needed(.clientID), clientSecret: secret
        ).renewal(over: network, time: SystemTime())
      }
      self.init(origin: address.origin, OPROTransport(network), renewal)
    }

    private init(
      mobileFoundation service: StoredService, _ kept: FileCredentialStore,
      over network: any HTTPTransport
    ) throws {
      let base = try HTTPURL(try service.needed(.server))
      let application = try service.needed(.application)
      let platform = try service.needed(.platform)
      let client = MobileFoundation(
        base: base,
        application: MobileApplication(
          id: application, platform: platform, version: try service.needed(.applicationVersion)),
        device: MobileDevice(id: try service.needed(.device), platform: platform),
        identities: CredentialIdentityStore(
          kept, name: "identity of \(application) at \(base.origin)"),
        over: network, time: SystemTime())
      let check = try service.needed(.securityCheck)
      self.init(
        origin: base.origin, network,
        Renewal(refresh: { session throws(TokenError) in
          try await Self.renewed(session, client)
        }))
      end = { _ throws(TokenError) in try await client.logout(securityCheck: check) }
    }

    /// Without the client's secret a session of oPRO cannot be renewed.
    private static let withoutSecret = Renewal(
      refresh: { _ throws(TokenError) in throw needsSecret },
      signIn: { _ throws(TokenError) in throw needsSecret })

    private static var needsSecret: TokenError {
      TokenError(
        .sessionRenewalRefused, expected: "the client's secret (--client-secret-file)")
    }

    private init(origin: HTTPOrigin, _ transport: any HTTPTransport, _ renewal: Renewal) {
      self.origin = origin
      self.transport = transport
      self.renewal = renewal
    }

    /// Fetches a new token without a prompt: if the server does not remember the person, the session ends.
    private static func renewed(
      _ session: Session, _ client: MobileFoundation
    ) async throws(TokenError) -> Session {
      let token: MobileAccessToken
      do throws(TokenError) {
        token = try await client.obtainAccessToken(forScope: session.details["scope"])
      } catch {
        guard error.code == .clientUnhandledChallenge else { throw error }
        throw TokenError(.sessionRenewalRefused, node: error.node)
      }
      var renewed = session
      renewed.credential = Credential(.bearer, token.value)
      renewed.expires = token.expires
      return renewed
    }
  }

  /// A stored session and the access to its service, while a command runs.
  struct SessionInUse {
    let account: String
    let session: Session
    let access: ServiceAccess
    let current: CurrentSession

    init(
      _ store: StoreOptions, _ secrets: ServiceSecrets, _ network: NetworkOptions,
      over transport: any HTTPTransport
    ) async throws {
      (account, session) = try store.session(in: try store.content())
      let kept = try store.open()
      access = try ServiceAccess(
        StoredService(of: session, account: account), session, secrets, kept, over: transport)
      current = CurrentSession(
        account: account, store: kept, renewal: access.renewal, time: SystemTime(),
        observer: network.observer)
    }

    /// A transport that sends the credential to the session's own service and renews it once.
    func authorized(over transport: any HTTPTransport) -> AuthorizedTransport {
      var authorized = AuthorizedTransport(transport, session: current, origin: access.origin)
      authorized.replayParameters = access.replayParameters
      return authorized
    }
  }
#endif
