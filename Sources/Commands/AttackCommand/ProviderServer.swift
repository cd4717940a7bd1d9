#if Server
  import CommandServer
  import Logging
  import SignInAttack

  /// The provider as a service: metadata, discovery, keys and the back channel.
  struct ProviderServer: WebService {
    let provider: RogueProvider

    func respond(to request: WebRequest, from peer: String) async -> HTTPResponse {
      provider.respond(to: request, at: SystemTime().now)
    }

    /// Its listener.
    ///
    /// - Throws: `listen.tls`.
    func listener() throws(TokenError) -> Listener {
      var logger = Logger(label: "claims-attack")
      logger.logLevel = .critical
      return try Listener(
        ServiceResponder { self }, at: provider.configuration.listen,
        connections: Descriptors.operations, logger: logger)
    }
  }
#endif
