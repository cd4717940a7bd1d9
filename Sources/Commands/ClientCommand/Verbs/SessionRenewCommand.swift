#if Client
  import ArgumentParser
  import FederationNetwork
  import CommandSupport
  import Federation
  import FederationClient
  import HTTPExchange

  /// `claims-client session renew`
  struct SessionRenewCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "renew",
      abstract: "Renews the credential of a session without a prompt.",
      discussion: """
        Examples:
          claims-client session renew --account opro --client-secret-file opro.secret

        At oPRO with the refresh token, at App Service with its refresh address, at Mobile Foundation if \
        the server remembers the person. Elsewhere the session ends: sign in again.
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
      try Results.write(
        line: PrintedJSON.session(renewed, account: used.account, at: SystemTime().now))
    }

    /// A service that always responds 401, which makes the session renew.
    private struct Unauthorized: HTTPTransport {
      func response(to request: HTTPRequest) async throws(TokenError) -> HTTPResponse {
        HTTPResponse(status: 401)
      }
    }
  }
#endif
