#if Client
  import FederationNetwork
  import Federation
  import FederationClient
  import HTTPExchange

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
