#if Server
  import AccessControl
  import CommandServer
  import CommandSupport
  import Hummingbird
  import HummingbirdFederation
  import LocalFiles
  import RedisStores
  import Synchronization

  /// The service in force, until its file is read anew and is in order.
  final class RunningService: Sendable {
    private struct State {
      var assembly: ServiceAssembly
      var refresh: ProviderRefresh?
    }

    private let path: String
    private let tls: TLSFiles?
    private let state: Mutex<State>

    /// - Parameters:
    ///   - path: The service's file.
    ///   - tls: What the listener speaks TLS with, and is read anew with the file.
    init(_ assembly: ServiceAssembly, at path: String, tls: TLSFiles?) {
      self.path = path
      self.tls = tls
      state = Mutex(State(assembly: assembly))
    }

    /// The service in force.
    var assembly: ServiceAssembly { state.withLock { $0.assembly } }

    /// Begins to fetch what providers publish.
    func start() { state.withLock { Self.begin(&$0) } }

    /// Ends it.
    func stop() { state.withLock { $0.refresh?.cancel() } }

    /// Reads the file, those that it names, and certificate and key of TLS anew. Where all are in order they are in force
    /// with the next request, and every session stays; where not, that is said, and nothing changes.
    func reload() {
      let read = Reload.configuration(at: path, .own) { () throws(CommandFailure) in
        let folder = try ServiceFolder(path)
        // The state is open, and another one is refused below.
        try folder.checkFiles(includingState: false)
        try folder.warnOfSkippedRules()
        let next = try ServiceAssembly(folder, replacing: assembly)
        do throws(TokenError) {
          try tls?.reload()
        } catch {
          throw CommandFailure(service: [error])
        }
        return next
      }
      guard let next = read else { return }
      replace(with: next)
      CommandMessages.own.note("\(path): reloaded")
    }

    /// Puts a service in the place of the one in force, with the rules that the admin pages of that one kept meanwhile.
    func replace(with next: ServiceAssembly) {
      let former = state.withLock { state in
        state.refresh?.cancel()
        let former = state.assembly
        state.assembly = next
        Self.begin(&state)
        return former
      }
      former.rules.retire()
      do throws(TokenError) {
        try next.rules.refresh(in: next.site.store)
      } catch {
        CommandMessages.own.report(CommandFailure(service: [error]))
      }
    }

    private static func begin(_ state: inout State) {
      state.refresh = ProviderRefresh(
        state.assembly.site.upstream?.providers ?? [], observer: state.assembly.counters)
    }
  }

  extension RunningService {
    /// Health and metrics, and the admin pages where they are there.
    var operations: OperationsResponder {
      OperationsResponder(
        health: { [self] now in
          let assembly = assembly
          return await within(.milliseconds(900)) { await assembly.health.report(at: now) }
            ?? SiteHealth.Report(problems: ["state: the store does not answer within a second"])
        },
        metrics: { [self] now in
          let assembly = assembly
          return assembly.counters.text(ends: assembly.keyEnds(at: now))
        },
        other: { [self] request, context in
          let assembly = assembly
          guard assembly.file.adminPlace == .operations else { return nil }
          return try await AccessControlResponder.response(to: request, context) { asked in
            await assembly.site.respondToAdmin(asked)
          }
        })
    }
  }

  extension ServiceAssembly {
    /// The state of the service.
    var health: ServiceHealth { ServiceHealth(self) }

    /// Days until the certificate of the key that signs ends, and those of providers.
    func keyEnds(at now: Instant) -> [(provider: String, days: Double)] {
      let own = keys.current.certificate.notAfter
      return [(provider: "acs", days: Double(own.seconds - now.seconds) / 86_400)]
        + (site.upstream?.keyEnds(at: now) ?? [])
    }
  }

  /// What keeps a service from issuing, and what soon will.
  struct ServiceHealth: Sendable {
    private let site: SiteHealth
    private let certificateEnds: Instant

    init(_ assembly: ServiceAssembly) {
      let (values, sessions) = (assembly.state.values, assembly.state.sessions)
      let shared = assembly.state.shared
      certificateEnds = assembly.keys.current.certificate.notAfter
      site = SiteHealth(
        providers: assembly.site.upstream?.providers ?? [],
        probe: { (now) throws(TokenError) in
          try await values.probe(at: now)
          try await sessions.probe(at: now)
        }, storeCheck: { (now) throws(TokenError) in try await shared?.check(at: now).note })
    }

    func report(at now: Instant) async -> SiteHealth.Report {
      var report = await site.report(at: now)
      let days = (certificateEnds.seconds - now.seconds) / 86_400
      if days < Self.fewDays {
        report.warnings.append(
          "keys: the certificate of the key that signs ends at \(certificateEnds.rfc3339); "
            + "roll the keys over (acs keys FILE --roll)")
      }
      return report
    }

    /// Days: 30, in which relying parties read the next certificate.
    private static let fewDays: Int64 = 30
  }
#endif
