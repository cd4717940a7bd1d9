#if Client
  import FederationNetwork
  import FederationClient

  /// Calls a service with the session of the last run, or with a new one.
  func callTalks(
    _ talks: HTTPURL, store: any CredentialStore, renewal: Renewal,
    signIn: () async throws -> Session?
  ) async throws -> HTTPResponse? {
    let current = CurrentSession(
      account: "talks", store: store, renewal: renewal, time: SystemTime())
    if try await current.restore() == nil {
      guard let session = try await signIn() else { return nil }
      try await current.signIn(session)
    }
    let transport = AuthorizedTransport(
      try AsyncHTTPClientTransport(), session: current, origin: talks.origin)
    return try await transport.response(to: HTTPRequest(.get, talks))
  }

  /// Forgets the session. The addresses are for the person's browser, which alone can drop its cookies.
  func logOut(
    store: any CredentialStore, service: AccessControlService
  ) async throws -> [String] {
    let current = CurrentSession(
      account: "talks", store: store, renewal: .logOut, time: SystemTime())
    guard let session = try await current.restore() else { return [] }
    try await current.logOut()
    return service.providerSignOutAddresses(of: session)
  }
#endif
