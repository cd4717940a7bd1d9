#if Server
  import GateService
  import HTTPTypes
  import Hummingbird
  import HummingbirdFederation
  import Logging
  import NIOCore
  import ProviderAssembly
  import RedisProtocol

  /// Serves a gate until it is told to end, and answers what was asked before.
  struct GateServer {
    let assembly: GateAssembly

    func run() async throws {
      var logger = Logger(label: "claims-gate")
      logger.logLevel = .warning
      if let shared = assembly.stores.shared {
        do throws(TokenError) {
          try await shared.check(at: SystemTime().now)
        } catch {
          // Until that is over the gate answers 503, or refuses what it cannot vouch for.
          logger.warning("the shared store: \(error)")
        }
      }
      let sweeper = Task { [assembly] in
        while !Task.isCancelled {
          try? await Task.sleep(for: .seconds(60))
          try? await assembly.sessions.sweep(
            at: SystemTime().now, idle: Int64(assembly.configuration.idle))
        }
      }
      defer { sweeper.cancel() }
      let refresh = ProviderRefresh(assembly.gate.site.providers)
      defer { refresh.cancel() }
      let main = application(
        GateResponder(gate: assembly.gate), assembly.configuration.listen, logger)
      guard let operations = assembly.configuration.operations else {
        return try await main.runService()
      }
      let second = application(OperationsResponder(assembly: assembly), operations, logger)
      var application = main
      application.addServices(second)
      try await application.runService()
    }

    private func application<Responder: HTTPResponder>(
      _ responder: Responder, _ listener: ListenAddress, _ logger: Logger
    ) -> Application<Responder> where Responder.Context == FederationContext {
      Application(
        responder: responder,
        configuration: .init(
          address: .hostname(listener.host, port: listener.port), serverName: nil),
        logger: logger)
    }
  }

  /// Hands requests to the gate.
  struct GateResponder: HTTPResponder {
    let gate: Gate

    func respond(to request: Request, context: FederationContext) async throws -> Response {
      let limit = gate.site.settings.bodyLimit
      let asked: SiteRequest
      do {
        asked =
          request.method == .get
          ? SiteRequest(head: request) : try await SiteRequest(request, bodyLimit: limit)
      } catch let error as HTTPError {
        // Without a router nothing else makes a response of it.
        return Response(status: error.status)
      }
      var response = Response(
        await gate.respond(to: asked, from: context.remoteAddress?.ipAddress ?? "unknown"))
      // NIO reads nothing behind a request to upgrade (GATE-20): a proxy that asks the next question on this
      // connection would wait for ever.
      if request.headers[.upgrade] != nil { response.headers[.connection] = "close" }
      return response
    }
  }

  /// Health and metrics, on an address of their own (GATE-7).
  struct OperationsResponder: HTTPResponder {
    let assembly: GateAssembly

    func respond(to request: Request, context: FederationContext) async throws -> Response {
      switch request.uri.path {
      case "/health": return await health()
      case "/metrics":
        return Self.text(.ok, assembly.counters.text(ends: ends))
      default: return Self.text(.notFound, "There is nothing here.\n")
      }
    }

    private func health() async -> Response {
      var problems: [String] = []
      var notes: [String] = []
      let now = SystemTime().now
      for provider in assembly.gate.site.providers {
        for source in provider.registry.health(at: now)
        where source.status == .expired || source.status == .empty {
          problems.append("provider \(provider.id): \(source.status.rawValue)")
        }
      }
      do {
        _ = try await assembly.sessions.session(SessionID.make().id)
        if let report = try await assembly.stores.shared?.check(at: now) {
          notes.append("shared store: " + report.note)
        }
      } catch {
        problems.append("sessions: \(error)")
      }
      return problems.isEmpty
        ? Self.text(.ok, (["ok"] + notes).joined(separator: "\n") + "\n")
        : Self.text(.serviceUnavailable, problems.joined(separator: "\n") + "\n")
    }

    /// Days until the last key of each provider ends.
    private var ends: [(provider: String, days: Double)] {
      let now = SystemTime().now
      return assembly.gate.site.providers.compactMap { provider in
        guard let trust = provider.registry.readyTrust(at: now) else { return nil }
        let ends = trust.issuers.flatMap(\.keys).compactMap { trusted -> Instant? in
          guard case .certificate(let certificate) = trusted.key.material else { return nil }
          return min(certificate.notAfter, trusted.validUntil ?? certificate.notAfter)
        }
        guard let end = ends.max() else { return nil }
        return (provider.id, Double(end.seconds - now.seconds) / 86_400)
      }
    }

    private static func text(_ status: HTTPTypes.HTTPResponse.Status, _ text: String) -> Response {
      Response(
        status: status, headers: [.contentType: "text/plain; charset=utf-8"],
        body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
  }
#endif
