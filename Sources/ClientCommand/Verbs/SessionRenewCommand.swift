#if Client
  import ArgumentParser
  import AsyncHTTPClientTransport
  import Federation
  import FederationClient
  import HTTPExchange

  /// `claims-client session renew`
  struct SessionRenewCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "renew",
      abstract: "Renews the credential of a session without asking anybody.",
      discussion: """
        At oPRO by the refresh token, at App Service by its own way, at Mobile Foundation where the \
        server remembers the person. Elsewhere the session ends: sign in again.
        """)

    @OptionGroup var store: StoreOptions
    @OptionGroup var secrets: ServiceSecrets
    @OptionGroup var network: NetworkOptions

    func run() async throws {
      let transport = try network.transport()
      let used = try await SessionInUse(store, secrets, network, over: transport)
      guard try await used.current.restore() != nil else { throw TokenError(.sessionTimedOut) }
      let asking = used.authorized(over: Unauthorized())
      _ = try await asking.response(
        to: HTTPRequest(.get, try HTTPURL(used.access.origin.description + "/")))
      await transport.shutdown()
      guard let renewed = await used.current.session else { throw TokenError(.sessionNone) }
      Results.write(Shown.session(renewed, account: used.account, at: SystemTime().now))
    }

    /// A service that takes no credential any more: the session is renewed as if one had refused it.
    private struct Unauthorized: HTTPTransport {
      func response(to request: HTTPRequest) async throws(TokenError) -> HTTPResponse {
        HTTPResponse(status: 401)
      }
    }
  }
#endif
