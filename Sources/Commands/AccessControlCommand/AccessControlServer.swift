#if Server
  import AccessControl
  import CommandServer
  import CommandSupport
  import Hummingbird
  import HummingbirdFederation
  import Logging

  /// Serves a site until it is told to end, and answers what was asked before.
  struct AccessControlServer {
    /// The service in force: an object, since each request takes it, and a site is large.
    let service: @Sendable () -> ServiceAssembly
    let listen: HostPort
    /// The files of certificate and private key; nil for plain HTTP on loopback.
    var tls: TLSFiles?

    static let logger = Logger.server(of: "acs")

    /// Serves the site, and what else listens beside it.
    ///
    /// - Parameter ready: Called once everything listens.
    /// - Throws: exit status 2.
    func run(
      beside others: [Listener] = [], ready: @escaping @Sendable () -> Void
    ) async throws(CommandFailure) {
      do throws(TokenError) {
        let most = Descriptors.connections(of: Descriptors.raise())
        let own = try Listener(
          AccessControlResponder(service: service), at: listen, tls: tls, connections: most,
          bodyLimit: AccessControlSite.bodyLimit, logger: Self.logger)
        try await Listener.run([own] + others, ready: ready)
      } catch {
        throw CommandFailure(service: [error])
      }
    }
  }

  /// Hands requests to the site in force.
  struct AccessControlResponder: HTTPResponder {
    let service: @Sendable () -> ServiceAssembly

    func respond(to request: Request, context: FederationContext) async throws -> Response {
      try await Self.response(to: request, context) { await service().site.respond(to: $0) }
    }

    /// What `answer` returns to a request.
    static func response(
      to request: Request, _ context: FederationContext,
      _ answer: (WebRequest) async -> HTTPExchange.HTTPResponse
    ) async throws -> Response {
      do {
        var asked =
          request.method == .get
          ? WebRequest(head: request)
          : try await WebRequest(request, bodyLimit: AccessControlSite.bodyLimit)
        asked.peer = WebRequest.peer(of: context.remoteAddress?.ipAddress)
        return Response(await answer(asked))
      } catch let error as HTTPError {
        // Without a router nothing else makes a response of it.
        return Response(status: error.status)
      }
    }
  }
#endif
