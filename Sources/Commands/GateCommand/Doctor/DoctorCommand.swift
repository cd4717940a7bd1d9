#if Server
  import ArgumentParser
  import CommandServer
  import CommandSupport
  import GateService
  import HTTPExchange
  import LocalFiles
  import Logging
  import SQLiteSessions

  /// `claims-gate doctor gate.json URL`
  struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "doctor",
      abstract: "Drives the real proxy from outside and proves its wiring; exit 0 or 1.",
      discussion: """
        Examples:
          claims-gate doctor gate.json https://app.example/
          claims-gate doctor gate.json https://app.example/ --open /assets/
          claims-gate doctor gate.json https://wiki.example/ --json

        The proxy and the gate run. With sessions in SQLite the doctor signs four subjects in by the file, for two \
        minutes. With --application it listens in the application's place, which has to be stopped for that \
        time, and sees what arrives.
        """)

    @Argument(help: ArgumentHelp("The gate's file.", valueName: "FILE"), completion: .file())
    var file: String
    @Argument(
      help: ArgumentHelp("The proxy's address, such as https://app.example/.", valueName: "URL"))
    var url: String
    @Option(
      help: ArgumentHelp(
        "The application's host:port, to listen there in its place.", valueName: "HOST:PORT"))
    var application: String?
    @Option(
      help: ArgumentHelp(
        "The origin of the application to examine, where URL is another address of it.",
        valueName: "URL"))
    var origin: String?
    @Option(
      help: ArgumentHelp(
        "A path that needs no sign-in on purpose; with / at its end all below it.",
        valueName: "PATH"))
    var open: [String] = []
    @Option(
      help: ArgumentHelp(
        "A PEM file of certificate authorities for TLS, beside the system's.", valueName: "FILE"),
      completion: .file())
    var authorities: String?
    @Flag(help: "Print one JSON object per finding, and one per check that is in order.")
    var json = false

    func run() async throws {
      try await Finding.reporting(file: file, if: json) { try await examineAll() }
    }

    private func examineAll() async throws {
      let file = try GateFile(self.file)
      for warning in file.configuration.warnings { CommandMessages.own.warning(warning) }
      let address = try parsed { () throws(TokenError) in try HTTPURL(url) }
      let roots = try authorities.map { name in
        try parsed { () throws(TokenError) in try GateFile.contents(name) }
      }
      let listener = try listener()
      let origin = try host(address, file.configuration)
      let sessions = try await DoctorSessions(file, at: origin)
      let doctor = GateDoctor(
        file.configuration, at: origin,
        probe: ProxyConnection(address: address, host: origin, authorities: roots),
        bare: sessions?.bare, entitled: sessions?.entitled, large: sessions?.large,
        unavailable: sessions?.unavailable,
        sessionCookie: DoctorSessions.cookieName(file.configuration, at: origin), open: open,
        standsIn: listener != nil)
      let checks = try await examine(doctor, listener)
      try await sessions?.remove()
      if json {
        try Self.write(checks, file.configuration.proxy)
      } else {
        try Results.write(line: Self.report(checks, file.configuration.proxy))
      }
      if checks.contains(where: { !$0.findings.isEmpty }) { throw ExitCode(1) }
    }

    /// Runs the doctor, with an application beside it where one is asked for.
    private func examine(
      _ doctor: GateDoctor, _ listener: HostPort?
    ) async throws -> [WiringCheck] {
      guard let listener else { return await doctor.examine() }
      var logger = Logger(label: "claims-gate doctor")
      logger.logLevel = .critical
      let application = try Listener(
        ServiceResponder { StandIn() }, at: listener, connections: Descriptors.operations,
        logger: logger)
      return try await Listener.run([application]) { await doctor.examine() } ?? []
    }

    /// The host to examine: the one that is named, or that of the address where the file names it, or the public one.
    private func host(
      _ address: HTTPURL, _ configuration: GateConfiguration
    ) throws -> HTTPOrigin {
      guard let origin else {
        return configuration.viewed(at: address.origin)?.origin ?? configuration.origin
      }
      let url = try parsed { () throws(TokenError) in try HTTPURL(origin) }
      guard let view = configuration.viewed(at: url.origin) else {
        throw CommandFailure(usage: TokenError(.gateHost, found: TokenError.excerpt(origin)))
      }
      return view.origin
    }

    private func listener() throws -> HostPort? {
      guard let application else { return nil }
      do throws(HostPort.Refusal) {
        return try HostPort(application)
      } catch {
        throw ValidationError("--application: expected \(error.expected)")
      }
    }

    private func parsed<Value>(
      _ body: () throws(TokenError) -> Value
    ) throws(CommandFailure) -> Value {
      do throws(TokenError) { return try body() } catch { throw CommandFailure(usage: error) }
    }

    /// Writes every check as lines of JSON.
    private static func write(
      _ checks: [WiringCheck], _ proxy: ProxyKind
    ) throws(CommandFailure) {
      for check in checks {
        for finding in check.findings {
          try Finding(finding, hint: WiringAdvice.change(finding.code, proxy)).write()
        }
        if let omission = check.omission {
          try Finding(.skipped, "\(check.title): \(omission)").write()
        } else if check.findings.isEmpty {
          try Finding(.ok, check.title).write()
        }
      }
    }

    /// One cause shows in many requests; the first few tell it.
    private static let mostOfOneCause = 3

    /// A line for each finding, for what was not examined and for what is in order.
    static func report(_ checks: [WiringCheck], _ proxy: ProxyKind) -> String {
      var lines: [String] = []
      var shown: [String: Int] = [:]
      for check in checks {
        for finding in check.findings {
          shown[finding.code.rawValue, default: 0] += 1
          guard shown[finding.code.rawValue, default: 0] <= mostOfOneCause else { continue }
          lines.append("wrong: \(finding); \(WiringAdvice.change(finding.code, proxy))")
        }
        if let omission = check.omission {
          lines.append("not examined: \(check.title): \(omission)")
        } else if check.findings.isEmpty {
          lines.append("ok: \(check.title), \(check.requests) requests")
        }
      }
      for (code, count) in shown.sorted(by: { $0.key < $1.key }) where count > mostOfOneCause {
        lines.append("and \(count - mostOfOneCause) more of \(code)")
      }
      return lines.joined(separator: "\n")
    }
  }

  /// Listens in the application's place and answers with what arrived.
  struct StandIn: WebService {
    func respond(to request: WebRequest, from peer: String) async -> HTTPResponse {
      let target = request.path + (request.query.map { "?" + $0 } ?? "")
      return ArrivedRequest(method: request.method, target: target, fields: request.fields).response
    }
  }
#endif
