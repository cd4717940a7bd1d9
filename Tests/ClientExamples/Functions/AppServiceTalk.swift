#if Client
  import FederationNetwork
  import FederationClient
  import Foundation

  /// Signs a person in at an App Service app and adds a talk to its table.
  /// - Parameter browse: Shows an address in the system's browser, and brings back the `talks://` address
  ///   to which the browser came in the end.
  func addTalk(
    _ title: String, to app: HTTPURL, store: any CredentialStore,
    browse: (HTTPURL) async throws -> String
  ) async throws -> Int? {
    let transport = try AsyncHTTPClientTransport()
    let service = try MobileService(at: app, .appService(version: "2.0.0"))

    let signIn = try EasyAuthSignIn(service, by: .facebook, scheme: "talks")
    let address = try await browse(signIn.start)
    guard case .signedIn(let user) = try await signIn.finish(address, over: transport) else {
      return nil
    }
    let session = user.session(at: service, provider: .facebook, now: SystemTime().now)

    let current = CurrentSession(
      account: "app", store: store, renewal: service.renewal(for: session, over: transport),
      time: SystemTime())
    try await current.signIn(session)
    let authorized = AuthorizedTransport(
      MobileServiceTransport(transport, service: service), session: current, origin: app.origin)
    let body = try JSONEncoder().encode(["title": title])
    let request = HTTPRequest(.post, try app.at(path: "/tables/talks"), body: Array(body))
    return try await authorized.response(to: request).status
  }
#endif
