#if Client
  import FederationNetwork
  import FederationClient

  /// Asks an adapter of a Mobile Foundation server for the talks of a person.
  /// - Parameter ask: Shows a form. Nil when the person gives up.
  func myTalks(
    on server: HTTPURL, identities: any MobileIdentityStore,
    ask: @escaping @Sendable (SecurityChallenge) async -> SecurityCheckCredentials?
  ) async throws -> HTTPResponse {
    let client = MobileFoundation(
      base: try server.at(path: "/mfp/api"),
      application: MobileApplication(id: "org.example.talks", platform: "linux", version: "1.0.0"),
      device: MobileDevice(id: "dev-1", platform: "linux"), identities: identities,
      over: try AsyncHTTPClientTransport())

    let form = ChallengeForm()
    await client.registerChallengeHandler(form, forSecurityCheck: "UserLogin")
    let screen = Task {
      for await event in form.events {
        switch event {
        case .challenged(let challenge):
          if let answer = await ask(challenge) {
            form.submitChallengeAnswer(answer)
          } else {
            form.cancel()
          }
        case .succeeded(let success): print("Hello, \(success.user?.displayName ?? "you")!")
        case .failed(let failure): print(failure.reason ?? "This account is blocked.")
        }
      }
    }
    defer { screen.cancel() }
    let adapter = try server.at(path: "/mfp/api/adapters/talks/mine")
    return try await client.response(to: HTTPRequest(.get, adapter))
  }
#endif
