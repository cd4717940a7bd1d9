#if Server
  import ArgumentParser
  import CommandServer
  import CommandSupport
  import SignInAttack
  import Synchronization
  import TokenBasics

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
        variant an honest answer has to sign in, and again after every fifty, whose lines are written then. \
        The files are written where a run ends early too. At most five sign-ins begin in a second.
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
      let reports = RunReports(of: self.file, file.configuration, html: html, sarif: sarif)
      try reports.check()
      let transport = try file.transport()
      let kept = KeptResults()
      var end: CommandFailure?
      do {
        let played: Void? = try await Listener.run([ProviderServer(provider: provider).listener()])
        {
          try await Self.play(variants, AttackRun(provider, transport, SystemTime()), kept)
        }
        if played == nil { throw CommandFailure(.terminated, []) }
      } catch let error as TokenError {
        end = CommandFailure(attack: error)
      } catch let error as CommandFailure {
        end = error
      }
      let results = kept.current
      let unwritten = reports.write(results, endedBy: end)
      try Self.conclude(results, end, unwritten)
    }

    /// Shows that the service can be tested, plays the variants in order, and writes each result once it is proven.
    ///
    /// - Throws: `attack.*`, `transport.*` for what ends the run early; the results before it are kept.
    private static func play(
      _ variants: [AttackVariant], _ run: AttackRun, _ kept: KeptResults
    ) async throws {
      var run = run
      try await run.control()
      let end: Result<TokenError?, any Error>
      do {
        let error = try await run.play(variants) { index, variant in
          StandardError.progressStatus("\(index + 1) of \(variants.count): \(variant.id)")
        } take: { result in
          kept.add(result)
          var json = JSONWriter()
          AttackRecord.write(result, to: &json)
          try Results.write(json.bytes)
        }
        end = .success(error)
      } catch {
        end = .failure(error)
      }
      var summary = AttackSummary(kept.current)
      summary.signIns = run.signIns
      var json = JSONWriter()
      AttackRecord.write(summary, to: &json)
      try Results.write(json.bytes)
      if let error = try end.get() { throw error }
    }

    /// Ends the command as what it found says; nothing where every variant that fits was refused.
    private static func conclude(
      _ results: [AttackResult], _ end: CommandFailure?, _ unwritten: [CommandFailure.Message]
    ) throws {
      if let end {
        throw CommandFailure(end.status, end.messages + unwritten, causes: end.causes)
      }
      let isAccepted = results.contains(where: \.isAccepted)
      guard unwritten.isEmpty else {
        throw CommandFailure(isAccepted ? .rejected : .inputOutput, unwritten)
      }
      if isAccepted { throw ExitCode(ExitStatus.rejected.rawValue) }
      if results.contains(where: \.isUnplayed) {
        throw CommandFailure(
          .inputOutput, "the service failed where variants were played",
          hint: "the lines with \"unplayed\" say why; look at the service's log")
      }
      if results.allSatisfy(\.isInapplicable) {
        throw CommandFailure(
          .control, "none of the variants fits the service, so nothing was tested",
          hint: "the lines say why; choose others")
      }
    }
  }

  /// The results so far, which stay where the run is ended from outside.
  private final class KeptResults: Sendable {
    private let results = Mutex<[AttackResult]>([])

    var current: [AttackResult] { results.withLock { $0 } }

    func add(_ result: AttackResult) { results.withLock { $0.append(result) } }
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
