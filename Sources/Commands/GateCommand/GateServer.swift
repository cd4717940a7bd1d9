#if Server
  import CommandServer
  import CommandSupport
  import GateService
  import Hummingbird
  import HummingbirdFederation
  import Logging
  import RedisStores

  /// Serves a gate until it is told to end, and answers what was asked before.
  struct GateServer {
    let running: RunningGate

    func run() async throws {
      let assembly = running.assembly
      let logger = Logger.server(of: "claims-gate")
      if let shared = assembly.stores.shared {
        do throws(TokenError) {
          try await shared.check(at: SystemTime().now)
        } catch {
          // Until that is over the gate answers 503, or refuses what it cannot vouch for.
          CommandMessages.own.warning("the shared store: \(error)")
        }
      }
      let sweeper = Task { [running] in
        while !Task.isCancelled {
          try? await Task.sleep(for: .seconds(60))
          await running.assembly.sweep(at: SystemTime().now)
        }
      }
      defer { sweeper.cancel() }
      running.start()
      defer { running.stop() }
      let hangUp = HangUpSignal { [running] in running.reload() }
      defer { hangUp.stop() }
      let configuration = assembly.configuration
      let most = Descriptors.connections(of: Descriptors.raise())
      do throws(TokenError) {
        var listeners = [
          try Listener(
            GateResponder(running: running), at: configuration.listen, connections: most,
            bodyLimit: assembly.gate.site.settings.bodyLimit, logger: logger)
        ]
        if let operations = configuration.operations {
          listeners.append(try Listener(running.operations, at: operations, logger: logger))
        }
        try await Listener.run(listeners) {
          CommandMessages.own.note(
            "listening at http://\(configuration.listen) for \(configuration.origin)"
              + (configuration.operations.map { ", operations at http://\($0)" } ?? ""))
        }
      } catch {
        throw CommandFailure(usage: error)
      }
    }
  }

  extension GateAssembly {
    /// Removes what is over, and says where the store does not keep what it is told to keep.
    func sweep(at now: Instant) async {
      var failure: TokenError?
      do throws(TokenError) {
        try await stores.sessions.sweep(at: now, idle: Int64(configuration.idle))
        try await stores.values.sweep(at: now)
      } catch {
        failure = error
      }
      if failure == nil { failure = await health.storeError(at: now) }
      guard let failure else { return }
      counters.happened(
        Activity(
          "store.failed", [("code", failure.code.rawValue), ("error", failure.description)]))
    }

    /// The state of the gate.
    var health: SiteHealth {
      let shared = stores.shared
      return SiteHealth(of: gate.site, tokens: tokens) { (now) throws(TokenError) in
        try await shared?.check(at: now).note
      }
    }
  }

  /// Hands requests to the gate.
  struct GateResponder: HTTPResponder {
    let running: RunningGate

    func respond(to request: Request, context: FederationContext) async throws -> Response {
      let assembly = running.assembly
      let limit = assembly.gate.site.settings.bodyLimit
      let asked: WebRequest
      do {
        asked =
          request.method == .get
          ? WebRequest(head: request) : try await WebRequest(request, bodyLimit: limit)
      } catch let error as HTTPError where error.status == .contentTooLarge {
        let refused = TokenError(.inputTooLarge, expected: "at most \(limit) bytes")
        return Response(await assembly.gate.site.refusal(refused, WebRequest(head: request)))
      } catch let error as HTTPError {
        // Without a router nothing else makes a response of it. Nobody reads it: the body broke off.
        return Response(status: error.status)
      }
      let peer = context.remoteAddress?.ipAddress ?? "unknown"
      var response = Response(await assembly.gate.respond(to: asked, from: peer))
      // NIO reads nothing behind a request to upgrade (GATE-20): a proxy that asks the next question on this
      // connection would wait for ever.
      if request.headers[.upgrade] != nil { response.headers[.connection] = "close" }
      return response
    }
  }

  extension RunningGate {
    /// Health and metrics, on an address of their own (GATE-7).
    var operations: OperationsResponder {
      OperationsResponder(
        health: { [self] now in
          let assembly = assembly
          var report =
            await within(.milliseconds(900)) { await assembly.health.report(at: now) }
            ?? SiteHealth.Report(problems: ["sessions: the store does not answer within a second"])
          report.warnings += assembly.countedWarnings + assembly.warnings
          return report
        },
        metrics: { [self] now in
          let assembly = assembly
          return assembly.counters.text(ends: assembly.gate.site.keyEnds(at: now))
        })
    }
  }

  extension GateAssembly {
    /// What was counted and needs a remedy.
    fileprivate var countedWarnings: [String] {
      var warnings: [String] = []
      let sealed = counters.count(of: .storeOtherKeys)
      if sealed > 0 {
        warnings.append(
          "sessions: \(sealed) questions about sessions that none of cookieKeys opens: "
            + TokenError.Code.storeOtherKeys.hint)
      }
      let unrefreshed = counters.count(of: .signInNoRefreshToken)
      if unrefreshed > 0 {
        warnings.append(
          "refresh: \(unrefreshed) sign-ins without a refresh token: "
            + TokenError.Code.signInNoRefreshToken.hint)
      }
      return warnings
    }
  }
#endif
