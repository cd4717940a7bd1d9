#if Server
  import ArgumentParser
  import CommandSupport
  import GateService

  /// The `claims-gate` command.
  @main
  struct GateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "claims-gate",
      abstract:
        "Forward authentication by SAML 2.0, WS-Federation and OpenID Connect for nginx, Caddy and others.",
      discussion: """
        Examples:
          claims-gate init
          claims-gate check gate.json
          claims-gate run gate.json
          claims-gate recipe gate.json
          claims-gate doctor gate.json https://app.example/

        Exit codes: 0 done, 1 a finding, 2 wrong usage or configuration, 3 output failed.
        """,
      version: version.text,
      subcommands: [
        CheckCommand.self, RunCommand.self, InitCommand.self, ImportCommand.self,
        MetadataCommand.self, RecipeCommand.self, DoctorCommand.self, TryCommand.self,
        SessionsCommand.self,
      ])

    static func main() async {
      await runToEnd(
        CommandShell(
          .own, version: version, failure: { ($0 as? TokenError).map(CommandFailure.init(usage:)) })
      )
    }

    private static let version = CommandVersion(of: "claims-gate")
  }

  /// `claims-gate check gate.json`
  struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "check",
      abstract: "Says what is wrong with the file, and with those it names.",
      discussion: """
        Examples:
          claims-gate check gate.json
          claims-gate check --json gate.json
        """)

    @Argument(help: ArgumentHelp("The gate's file.", valueName: "FILE"), completion: .file())
    var file: String
    @Flag(help: "Print one JSON object per finding.") var json = false

    func run() async throws {
      try await Finding.reporting(file: file, if: json) {
        let assembly = try GateAssembly(GateFile(file), .check)
        for warning in assembly.warnings {
          try Finding.warn(warning, file: file, json: json, by: .own)
        }
        try Finding.accept(file, json: json)
      }
    }
  }

  /// `claims-gate run gate.json`
  struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "run",
      abstract:
        "Serves until SIGTERM or SIGINT, which end it without an error; SIGHUP reads the file anew.",
      discussion: """
        Examples:
          claims-gate run gate.json
        """)

    @Argument(help: ArgumentHelp("The gate's file.", valueName: "FILE"), completion: .file())
    var file: String

    func run() async throws {
      try await GateAssembly.run(file)
    }
  }

  /// `claims-gate metadata gate.json`
  struct MetadataCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "metadata",
      abstract: "Prints the SAML metadata to hand to an identity provider.",
      discussion: """
        Examples:
          claims-gate metadata gate.json > metadata.xml
        """)

    @Argument(help: ArgumentHelp("The gate's file.", valueName: "FILE"), completion: .file())
    var file: String

    func run() async throws {
      let assembly = try GateAssembly(GateFile(file), .check)
      let saml = assembly.gate.site.providers.lazy.compactMap { $0.method as? SAMLMethod }.first
      guard let service = saml?.service else {
        throw CommandFailure(usage: [
          TokenError(.gateValue, node: "providers", expected: "a provider of SAML 2.0")
        ])
      }
      let document = try service.metadata().document(signedWith: service.signingKeys.first)
      try Results.write(line: document)
    }
  }
#else
  import CommandSupport

  /// Without trait Server there is no gate, only this message.
  @main
  enum GateCommand {
    static func main() { CommandMessages.own.endWithout(trait: "Server") }
  }
#endif
