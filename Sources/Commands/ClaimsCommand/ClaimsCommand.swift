#if CommandLine
  import ArgumentParser
  import CommandSupport
  import Federation

  /// The `claims` command.
  @main
  struct ClaimsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "claims",
      abstract: "Reads, verifies and issues federation tokens: SWT, SAML 1.1, SAML 2.0, JWT.",
      discussion: """
        Examples:
          claims decode token.txt
          claims verify --key idp.crt --audience https://rp.example/ token.txt
          claims explain --trust trust.json --html page.html token.txt

        Results are JSON on standard output, one object a token; talk is on standard error, \
        which a terminal shows in colours, unless NO_COLOR is set.
        Exit codes: 0 all accepted, 1 some rejected, 2 wrong usage or configuration, 3 input or \
        output failed.
        --version --json, and nothing else, writes the versions as one JSON object.
        """,
      version: version.text,
      subcommands: [
        DecodeCommand.self, VerifyCommand.self, ExplainCommand.self, MintCommand.self,
        MutateCommand.self, CaptureCommand.self, XMLCommand.self, TrustCommand.self,
        MetadataCommand.self,
        BenchCommand.self,
      ])

    /// Synchronous: starting threads takes longer than verifying a token.
    static func main() {
      let shell = CommandShell(
        .own, version: version, failure: { ($0 as? TokenError).map(CommandFailure.init(usage:)) })
      runToEnd(shell) { command in
        let handedOver = HandedOver(command: command)
        try Blocking.run { () async throws(any Error) in
          var command = handedOver.command
          try await command.run()
        }
      }
    }

    private static let version = CommandVersion(
      of: "claims", formats: TokenFormat.all.map(\.name))
  }

  /// A command that one thread parsed and another runs.
  private struct HandedOver: @unchecked Sendable {
    let command: any AsyncParsableCommand
  }
#else
  import CommandSupport

  /// Without trait CommandLine there is no argument parser and so no command.
  @main
  enum ClaimsCommand {
    static func main() { CommandMessages.own.endWithout(trait: "CommandLine") }
  }
#endif
