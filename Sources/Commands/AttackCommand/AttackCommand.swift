#if Server
  import ArgumentParser
  import CommandSupport
  import SignInAttack

  /// The `claims-attack` command.
  @main
  struct AttackCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "claims-attack",
      abstract: "Tests the sign-in of your own service with a provider that answers wrongly.",
      discussion: """
        Examples:
          claims-attack provider attack.json
          claims-attack run attack.json --html report.html
          claims-attack list --protocol openid

        The service has to trust the test key of this provider, which its owner sets up; one beyond \
        loopback is tested only where the file names who allowed it.
        Exit codes: 0 all variants were refused, 1 one was accepted, 2 wrong usage or configuration, \
        3 network, input or output failed, 4 the honest answer was not accepted, or the run ended before \
        all variants were proven.
        """,
      version: version.text,
      subcommands: [ProviderCommand.self, RunCommand.self, ListCommand.self])

    static func main() async {
      await runToEnd(
        CommandShell(
          .own, version: version, failure: { ($0 as? TokenError).map(CommandFailure.init(attack:)) }
        )
      )
    }

    static let version = CommandVersion(of: "claims-attack")
    /// Name and release, for reports.
    static let program = "claims-attack \(ReleaseNumber.text)"
  }

  extension CommandFailure {
    /// How the command ends for an error: 4 where the honest answer was not accepted, or not tried again for a limit, so that
    /// nothing is proven.
    init(attack error: TokenError) {
      let controls: [TokenError.Code] = [
        .attackHonest, .attackPeople, .attackBaseline, .attackNoRequest, .attackRequest,
        .attackOrigin, .attackLost, .attackLimit,
      ]
      let isTransport = error.code.family == "transport"
      self.init(
        controls.contains(error.code) ? .control : isTransport ? .inputOutput : .usage,
        [Message(error.description, hint: error.hint)], causes: [error])
    }
  }
#else
  import CommandSupport

  /// Without trait Server there is no provider, only this message.
  @main
  enum AttackCommand {
    static func main() { CommandMessages.own.endWithout(trait: "Server") }
  }
#endif
