#if CommandLine
  import ArgumentParser
  import CommandSupport
  import Federation
  import SAML

  struct MetadataLintCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "lint", abstract: "Says what is wrong or risky about metadata.",
      discussion: """
        One finding a line: rule, severity, message, where, what to do. The exit code is 1 when \
        one is an error.
        """)

    enum Format: String, ExpressibleByArgument, CaseIterable {
      case json
      case sarif
    }

    @Option(help: "json (one finding a line) or sarif (one SARIF 2.1.0 document).")
    var format: Format = .json

    @Flag(
      help: """
        Find RSA moduli that are a prime or a power of one, too: a few milliseconds a key.
        """)
    var fullKeyCheck = false

    @Option(help: "The clock (RFC 3339); default now.")
    var at: String?

    @Argument(help: "The metadata file; - for standard input.")
    var file: String

    func run() throws {
      let now = try Arguments.instant(at)
      var output = LintOutput(isSARIF: format == .sarif, file: file)
      let chunks = MetadataInput.open(file)
      do throws(TokenError) {
        var linter = try MetadataLinter(at: now, checksKeysFully: fullKeyCheck)
        while let chunk = MetadataInput.next(chunks, file) {
          let items = try linter.items(in: chunk)
          let isFull = fullKeyCheck
          let parts = Parallel.map(items) {
            MetadataLinter.parts(of: $0, at: now, checkingKeysFully: isFull)
          }
          for (item, parts) in zip(items, parts) { output.write(linter.take(item, parts)) }
        }
        output.write(try linter.finish())
      } catch {
        output.write([MetadataLinter.finding(for: error)])
      }
      output.finish()
      if output.hasErrors { ExitStatus.rejected.exit() }
    }
  }
#endif
