#if Client
  import FederationNetwork
  import FederationClient

  /// Logs in at an oPRO server and changes the e-mail address of the person.
  /// - Returns: The address that the server has now.
  func changeAddress(
    to address: String, at service: OPROService, server: HTTPURL,
    userName: String, password: Secret, store: any CredentialStore
  ) async throws -> String? {
    let transport = try AsyncHTTPClientTransport()
    let time = SystemTime()
    let tokens = try await service.exchange(
      .password(userName: userName, password), over: transport, now: time.now)

    let current = CurrentSession(
      account: "opro", store: store, renewal: service.renewal(over: transport, time: time),
      time: time)
    try await current.signIn(service.session(tokens, subject: userName, now: time.now))
    let authorized = AuthorizedTransport(
      OPROTransport(transport), session: current, origin: server.origin)

    let wanted = ["email": address]
    let profile = try await service.update(wanted, over: authorized)
    return profile.email
  }
#endif
