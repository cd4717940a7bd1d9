#if Server
  import AccessControl
  import ArgumentParser
  import CommandServer
  import CommandSupport
  import LocalFiles

  /// The `acs` command.
  @main
  struct AccessControlCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "acs",
      abstract:
        "A local Access Control Service: it issues SWT, JWT, SAML 1.1 and SAML 2.0 by rules.",
      discussion: """
        Examples:
          acs demo
          acs init
          acs check acs.json
          acs run acs.json

        Exit codes: 0 done, 1 a failure, 2 wrong usage or a file that is refused, 3 output failed.
        """,
      version: version.text,
      subcommands: [
        RunCommand.self, CheckCommand.self, InitCommand.self, KeysCommand.self,
        SecretCommand.self, DemoCommand.self,
      ])

    static func main() async {
      await runToEnd(
        CommandShell(
          .own, version: version,
          failure: { ($0 as? TokenError).map { CommandFailure(service: [$0]) } }))
    }

    private static let version = CommandVersion(of: "acs")
  }

  /// `acs run acs.json`
  struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "run",
      abstract:
        "Serves until SIGTERM or SIGINT; SIGHUP reads the file anew, and the first run makes the keys.",
      discussion: """
        Examples:
          acs run acs.json
        """)

    @Argument(help: ArgumentHelp("The service's file.", valueName: "FILE"), completion: .file())
    var file: String

    func run() async throws {
      try await ServiceAssembly.run(file)
    }
  }

  /// `acs check acs.json`
  struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "check",
      abstract: "Says what is wrong with the file, with line numbers.",
      discussion: """
        Examples:
          acs check acs.json
          acs check --json acs.json
        """)

    @Argument(help: ArgumentHelp("The service's file.", valueName: "FILE"), completion: .file())
    var file: String
    @Flag(help: "Print one JSON object per finding.") var json = false

    func run() async throws {
      try await Finding.reporting(file: file, if: json) {
        let folder: ServiceFolder
        do throws(CommandFailure) {
          folder = try ServiceFolder(file)
        } catch {
          ServiceFolder.noteRegistrations(ofRefused: file)
          throw error
        }
        folder.noteRegistrations()
        try folder.checkFiles(includingFaults: true)
        for warning in try folder.skippedRuleWarnings() + folder.addressWarnings {
          try Finding.warn(warning, file: file, json: json, by: .own)
        }
        try folder.noteAssumptions()
        try Finding.accept(file, json: json)
      }
    }
  }

  /// `acs keys acs.json [--roll]`
  struct KeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "keys",
      abstract: "Prints the certificates that relying parties trust, and rolls the keys over.",
      discussion: """
        Examples:
          acs keys acs.json > acs.pem
          acs keys acs.json --roll
        """)

    @Argument(help: ArgumentHelp("The service's file.", valueName: "FILE"), completion: .file())
    var file: String
    @Flag(help: "The next key signs from the next start on, and another next one is made.")
    var roll = false
    @Flag(help: "Prints the symmetric key of Simple Web Tokens, a secret, and nothing else.")
    var symmetric = false

    @Flag(help: "Prints the password of the admin pages, a secret, and nothing else.")
    var password = false

    func validate() throws {
      guard !(symmetric && password) else {
        throw ValidationError("--symmetric and --password exclude each other")
      }
    }

    func run() async throws {
      let folder = try ServiceFolder(file)
      let host = folder.file.issuer.origin.host
      let text: String
      do throws(TokenError) {
        let path = folder.located(folder.file.keys)
        let now = SystemTime().now
        let keys =
          roll
          ? try ServiceKeys.roll(path: path, name: host, at: now)
          : try ServiceKeys(
            path: path, name: host, algorithms: folder.file.webAlgorithms, at: now)
        text =
          password
          ? keys.password
          : symmetric
            ? keys.symmetricKey.revealed
            : try keys.namespaceKeys().certificates.map(PEMText.certificate).joined()
      } catch {
        throw CommandFailure(service: [error])
      }
      try Results.write(Array((text.hasSuffix("\n") ? text : text + "\n").utf8))
    }
  }
#else
  import CommandSupport

  /// Without trait Server there is no service, only this message.
  @main
  enum AccessControlCommand {
    static func main() { CommandMessages.own.endWithout(trait: "Server") }
  }
#endif
