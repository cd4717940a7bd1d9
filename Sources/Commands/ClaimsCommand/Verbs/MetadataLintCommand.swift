#if CommandLine
  import ArgumentParser
  import CommandSupport
  import Federation
  import SAML

  extension LintOutput.Form: WordArgument {}

  struct MetadataLintCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "lint",
      abstract: "Says what is wrong or risky about metadata.",
      discussion: """
        Examples:
          claims metadata lint --format text federation.xml
          claims metadata lint --format sarif federation.xml > lint.sarif
          claims metadata lint metadata/*.xml

        One finding a line: rule, severity, message, where, what to do, and before them the file when \
        several are given. The exit code is 1 when one is an error. docs/metadata-lint.md has the rules \
        one by one.
        """)

    @Option(
      help: ArgumentHelp(
        "json (one finding a line), text (for people, the worst first) or sarif (SARIF 2.1.0).",
        valueName: "FORMAT"))
    var format = LintOutput.Form.json

    @Flag(
      help: """
        Find RSA moduli that are a prime or a power of one, too: a few milliseconds a key.
        """)
    var fullKeyCheck = false

    @Option(
      help: ArgumentHelp(
        "The clock; default now. RFC 3339, a date (its midnight in UTC) or seconds since 1970.",
        valueName: "INSTANT"))
    var at: String?

    @Argument(
      help: ArgumentHelp("The metadata files; - for standard input.", valueName: "FILE"),
      completion: .file())
    var files: [String]

    func run() throws {
      let now = try Arguments.instant(at)
      var output = LintOutput(as: format, about: files)
      for (place, file) in files.enumerated() {
        lint(file, at: now) { output.write($0, aboutFileAt: place) }
      }
      output.finish()
      if output.hasErrors { ExitStatus.rejected.exit() }
    }

    /// Takes the findings about a file as they come.
    private func lint(_ file: String, at now: Instant, _ take: ([LintFinding]) -> Void) {
      let chunks = MetadataInput.open(file)
      var beginning: [UInt8] = []
      do throws(TokenError) {
        var linter = try MetadataLinter(at: now, checksKeysFully: fullKeyCheck)
        while let chunk = MetadataInput.next(chunks, file) {
          if beginning.isEmpty { beginning = chunk }
          let items = try linter.items(in: chunk)
          let isFull = fullKeyCheck
          let parts = Parallel.map(items) {
            MetadataLinter.parts(of: $0, at: now, checkingKeysFully: isFull)
          }
          for (item, parts) in zip(items, parts) { take(linter.take(item, parts)) }
        }
        take(try linter.finish())
      } catch {
        take([MetadataLinter.finding(for: RecognisedText.metadataError(error, beginning))])
      }
    }
  }
#endif
