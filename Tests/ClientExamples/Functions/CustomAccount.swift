#if Client
  import FederationNetwork
  import FederationClient

  /// Makes an account at a Mobile Services app and logs in with it.
  /// - Returns: The session, or the words of the service why there is none.
  func register(
    _ name: String, _ password: Secret, at app: HTTPURL, applicationKey: Secret
  ) async throws -> (session: Session?, words: String) {
    let transport = try AsyncHTTPClientTransport()
    let service = try MobileService(at: app, .mobileServices(applicationKey: applicationKey))
    let accounts = CustomAccounts(service)

    let fields = AccountFields(userName: name, password: password)
    guard fields.problems().isEmpty else { return (nil, "\(fields.problems())") }
    if case .refused(let message) = try await accounts.register(fields, over: transport) {
      return (nil, message.text)
    }
    switch try await accounts.logIn(userName: name, password: password, over: transport) {
    case .refused(let message):
      return (nil, message.text)
    case .signedIn(let user):
      return (user.session(at: service, provider: nil, now: SystemTime().now), "Welcome.")
    }
  }
#endif
