#if Client
  import ArgumentParser
  import CommandSupport
  import TokenBasics

  /// The `claims-client` command.
  @main
  struct ClientCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "claims-client",
      abstract: "Signs in at an Access Control Service, stores the session, posts to feeds.",
      discussion: """
        Examples:
          claims-client sign-in --server https://acs.example/ --realm urn:app \\
            --trust trust.json
          claims-client session list

        Results are JSON on standard output; messages go to standard error. Passwords, keys and tokens \
        come from files or environment variables, never from arguments, and are never shown.
        Exit codes: 0 done, 1 rejected by the service, by verification or by the person, 2 wrong usage \
        or configuration, 3 network, input or output failed.
        """,
      version: version.text,
      subcommands: [
        ProvidersCommand.self, SignInCommand.self, SessionCommand.self, TokenCommand.self,
        CallCommand.self, RegisterCommand.self, PostCommand.self,
      ])

    static func main() async {
      await runToEnd(
        CommandShell(
          .own, version: version, failure: { ($0 as? TokenError).map { CommandFailure($0) } }))
    }

    private static let version = CommandVersion(of: "claims-client")
  }
#else
  import CommandSupport

  /// Without trait Client there is no network, and the command only says so.
  @main
  enum ClientCommand {
    static func main() { CommandMessages.own.endWithout(trait: "Client") }
  }
#endif
