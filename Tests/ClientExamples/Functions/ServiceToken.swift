#if Client
  import FederationNetwork
  import FederationClient

  /// Calls a service with a token that a program got under its own name and password.
  func callAsProgram(
    _ talks: HTTPURL, name: String, password: Secret, acs service: AccessControlService,
    trust: Trust
  ) async throws -> HTTPResponse {
    let transport = try AsyncHTTPClientTransport()
    let acs = AccessControlClient(
      service, trust: trust, transport: transport, time: SystemTime())
    let token = try await acs.token(.password(name: name, password: password))
    let session = try token.session(scheme: .oauth, at: SystemTime().now, subject: name)

    let current = CurrentSession(
      account: name, store: MemoryCredentialStore(), renewal: .logOut, time: SystemTime())
    try await current.signIn(session)
    let authorized = AuthorizedTransport(transport, session: current, origin: talks.origin)
    return try await authorized.response(to: HTTPRequest(.get, talks))
  }
#endif
