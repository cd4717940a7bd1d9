#if Server
  import ArgumentParser
  import CommandSupport
  import LocalFiles
  import Octets
  import SignInAttack

  /// `claims-attack run attack.json`
  struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "run",
      abstract: "Plays every variant against the service, and says which it accepted.",
      discussion: """
        Examples:
          claims-attack run attack.json
          claims-attack run attack.json --html report.html --sarif report.sarif
          claims-attack run attack.json --only wrapping/nested

        Standard output has a JSON object a line for each variant, and the counts last. Before any \
        variant an honest answer has to sign in, and again after every fifty. At most five sign-ins begin in a second.
        """)

    @Argument(help: ArgumentHelp("The driver's file.", valueName: "FILE"), completion: .file())
    var file: String

    @Option(
      help: ArgumentHelp(
        "Plays this variant, or all of a family that ends with /. Repeatable.", valueName: "ID"))
    var only: [String] = []

    @Option(
      help: ArgumentHelp(
        "Plays variants of at least this severity: note, warning or error.", valueName: "SEVERITY"))
    var severity: SeverityArgument?

    @Option(
      help: ArgumentHelp("Writes the findings in SARIF 2.1.0 to this file.", valueName: "FILE"),
      completion: .file())
    var sarif: String?

    @Option(
      help: ArgumentHelp("Writes a page to this file.", valueName: "FILE"), completion: .file())
    var html: String?

    func run() async throws {
      let file = try AttackFile(self.file)
      let provider = RogueProvider(file.configuration, file.keys)
      let variants = try VariantList.chosen(
        from: VariantList.all(of: provider), only: only, skipping: file.configuration.skipped,
        least: severity?.severity ?? .note)
      let transport = try file.transport()
      let (results, failure) = try await ProviderServer(provider: provider).during {
        try await Self.play(variants, AttackRun(provider, transport, SystemTime()))
      }
      try report(results, file.configuration, failure)
      if let failure { throw failure }
      if results.contains(where: \.isAccepted) { throw ExitCode(ExitStatus.rejected.rawValue) }
      if results.contains(where: \.isUnplayed) {
        throw CommandFailure(
          .inputOutput, "the service failed where variants were played",
          hint: "the lines with \"unplayed\" say why; look at the service's log")
      }
    }

    /// Plays the variants in order and writes each result at once. What ends the run early is returned with the results.
    private static func play(
      _ variants: [AttackVariant], _ run: AttackRun
    ) async throws -> (results: [AttackResult], failure: TokenError?) {
      var run = run
      try await run.control()
      var summary = AttackSummary()
      var results: [AttackResult] = []
      let failure = try await run.play(variants) { index, variant in
        StandardError.progressStatus("\(index + 1) of \(variants.count): \(variant.id)")
      } take: { result in
        results.append(result)
        summary.add(result)
        var json = JSONWriter()
        AttackRecord.write(result, to: &json)
        try Results.write(json.bytes)
      }
      summary.signIns = run.signIns
      var json = JSONWriter()
      AttackRecord.write(summary, to: &json)
      try Results.write(json.bytes)
      return (results, failure)
    }

    /// Writes the files that are asked for.
    private func report(
      _ results: [AttackResult], _ configuration: AttackConfiguration, _ failure: TokenError?
    ) throws(CommandFailure) {
      if let html {
        let page = AttackPage(
          results, configuration, by: AttackCommand.program, at: SystemTime().now,
          endedBy: failure)
        try Self.write(page.octets, to: html)
      }
      if let sarif {
        var json = JSONWriter()
        SARIFReport(results, about: file, of: configuration).write(to: &json)
        try Self.write(json.bytes, to: sarif)
      }
    }

    private static func write(_ octets: [UInt8], to path: String) throws(CommandFailure) {
      do throws(FileFailure) {
        try AtomicFile(path: path).replace(with: octets)
      } catch {
        throw CommandFailure(.inputOutput, error.sentence("write", path))
      }
    }
  }

  extension SARIFReport {
    /// What was accepted of one service.
    init(_ results: [AttackResult], about file: String, of configuration: AttackConfiguration) {
      self.init(
        tool: "claims-attack",
        rules: results.map { result in
          let variant = result.variant
          return Rule(
            id: variant.id, text: variant.summary, help: "\(variant.clause): \(variant.meaning)",
            level: variant.severity.rawValue)
        },
        findings: results.filter(\.isAccepted).map { result in
          Finding(
            rule: result.variant.id, level: result.severity.rawValue,
            message:
              "The service accepts: \(result.variant.summary) (\(result.variant.clause)). It means: \(result.variant.meaning).",
            place: Place(
              in: file, name: configuration.protocolName.title,
              path: configuration.start.description,
              kind: "resource"))
        })
    }
  }

  /// A severity.
  struct SeverityArgument: ExpressibleByArgument {
    let severity: AttackVariant.Severity

    init?(argument: String) {
      guard let severity = AttackVariant.Severity(rawValue: argument) else { return nil }
      self.severity = severity
    }

    static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }

    static var allValueStrings: [String] { AttackVariant.Severity.allCases.map(\.rawValue) }
  }
#endif
