#if Server
  import AccessControl
  import CommandSupport
  import Hummingbird
  import HummingbirdFederation
  import Logging
  import ProviderAssembly

  /// Serves a site until it is told to end, and answers what was asked before.
  struct AccessControlServer {
    let site: AccessControlSite
    let listen: ListenAddress
    /// The files of certificate and private key; nil for plain HTTP on loopback.
    var tls: TLSFiles?

    /// Says what goes wrong; requests are logged by the site.
    static var logger: Logger {
      var logger = Logger(label: "acs")
      logger.logLevel = .warning
      return logger
    }

    /// Serves the site, and what else listens beside it.
    ///
    /// - Parameter ready: Called once everything listens.
    /// - Throws: ``ServiceFailure``.
    func run(
      beside others: [Listener] = [], ready: @escaping @Sendable () -> Void
    ) async throws(ServiceFailure) {
      let refresh = ProviderRefresh(site.upstream?.providers ?? [])
      defer { refresh.cancel() }
      do throws(TokenError) {
        let most = Descriptors.connections(of: Descriptors.raise())
        let own = try Listener(
          AccessControlResponder(site: site), at: listen, tls: tls, connections: most,
          bodyLimit: AccessControlSite.bodyLimit, logger: Self.logger)
        try await Listener.run([own] + others, ready: ready)
      } catch {
        throw ServiceFailure([error])
      }
    }
  }

  /// Hands requests to the site.
  struct AccessControlResponder: HTTPResponder {
    let site: AccessControlSite

    func respond(to request: Request, context: FederationContext) async throws -> Response {
      do {
        var asked =
          request.method == .get
          ? WebRequest(head: request)
          : try await WebRequest(request, bodyLimit: AccessControlSite.bodyLimit)
        asked.peer = WebRequest.peer(of: context.remoteAddress?.ipAddress)
        return Response(await site.respond(to: asked))
      } catch let error as HTTPError {
        // Without a router nothing else makes a response of it.
        return Response(status: error.status)
      }
    }
  }
#endif
