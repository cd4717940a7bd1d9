#if Server
  import CommandServer
  import CommandSupport
  import Hummingbird
  import HummingbirdFederation
  import Logging
  import SignInAttack

  /// The provider's listener: metadata, discovery, keys and the back channel.
  struct ProviderServer {
    let provider: RogueProvider

    /// - Throws: `listen.tls`.
    func listener() throws(TokenError) -> Listener {
      var logger = Logger(label: "claims-attack")
      logger.logLevel = .critical
      return try Listener(
        ProviderResponder(provider: provider), at: provider.configuration.listen,
        connections: Descriptors.operations, logger: logger)
    }

    /// Does something while the provider serves.
    ///
    /// - Throws: `listen.*`, and what `work` throws; exit status 143 where the process is told to end before.
    func during<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws
      -> Value
    {
      let (running, isRunning) = AsyncStream<Void>.makeStream()
      let listener = try listener()
      return try await withThrowingTaskGroup(of: Value?.self) { group in
        group.addTask {
          try await Listener.run([listener], ready: { isRunning.yield() }, last: {})
          isRunning.finish()
          return nil
        }
        group.addTask {
          for await _ in running { break }
          try Task.checkCancellation()
          return try await work()
        }
        defer { group.cancelAll() }
        guard let value = try await group.next().flatMap(\.self) else {
          throw CommandFailure(.terminated, [])
        }
        return value
      }
    }
  }

  /// Hands requests to the provider.
  struct ProviderResponder: HTTPResponder {
    let provider: RogueProvider

    func respond(to request: Request, context: FederationContext) async throws -> Response {
      do {
        let asked = try await WebRequest(request, bodyLimit: 1 << 20)
        return Response(provider.respond(to: asked, at: SystemTime().now))
      } catch let error as HTTPError {
        return Response(status: error.status)
      }
    }
  }
#endif
