#if Server
  import CommandServer
  import CommandSupport
  import GateService
  import RedisStores

  extension GateAssembly {
    /// Makes a gate of the file at a path, and serves it until the process is told to end.
    ///
    /// - Throws: exit status 2.
    static func run(_ path: String) async throws(CommandFailure) {
      let assembly = try GateAssembly(GateFile(path), .run)
      let configuration = assembly.configuration
      try await running(assembly, at: path).run {
        CommandMessages.own.note(
          "listening at \(configuration.listen.socket == nil ? "http://" : "")\(configuration.listen) for \(configuration.origin)"
            + (configuration.operations.map { ", operations at http://\($0)" } ?? ""))
      }
    }

    /// The server of a gate, which reads its file anew.
    static func running(_ assembly: GateAssembly, at path: String) -> RunningServer<GateAssembly> {
      RunningServer(assembly, at: path, .own) { (former) throws(CommandFailure) in
        try GateAssembly(GateFile(path), .reload(former))
      }
    }

    var addresses: ServerAddresses {
      ServerAddresses(service: configuration.listen, operations: configuration.operations)
    }

    var providers: [SignInProvider] { gate.site.providers }

    var shared: SharedStores? { stores.shared }

    var bodyLimit: Int { gate.site.settings.bodyLimit }

    func respond(to request: WebRequest, from peer: String) async -> HTTPResponse {
      await gate.respond(to: request, from: peer)
    }

    func refuse(_ error: TokenError, _ request: WebRequest) async -> HTTPResponse {
      await gate.site.refusal(error, request)
    }

    /// Fetches the keys of the issuers of bearer tokens.
    func work() async { await tokens?.run() }

    func sweep(at now: Instant) async throws(TokenError) {
      try await stores.sessions.sweep(at: now, idle: Int64(configuration.idle))
      try await stores.values.sweep(at: now)
    }

    func storeError(at now: Instant) async -> TokenError? { await health.storeError(at: now) }

    func health(at now: Instant) async -> SiteHealth.Report {
      var report = await health.report(at: now)
      report.warnings += countedWarnings + warnings
      return report
    }

    func keyEnds(at now: Instant) -> [(provider: String, days: Double)] {
      gate.site.keyEnds(at: now)
    }

    private var health: SiteHealth {
      let shared = stores.shared
      return SiteHealth(of: gate.site, tokens: tokens, dependencies: dependencies) {
        (now) throws(TokenError) in
        try await shared?.check(at: now).note
      }
    }

    /// What was counted and needs a remedy.
    private var countedWarnings: [String] {
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
