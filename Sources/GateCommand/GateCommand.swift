#if Server
  import ArgumentParser
  import GateService
  import LocalFiles

  /// The `claims-gate` command.
  @main
  struct GateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "claims-gate",
      abstract:
        "Forward authentication by SAML 2.0, WS-Federation and OpenID Connect for nginx, Caddy and others.",
      discussion: "Exit codes: 0 done, 1 a finding, 2 wrong usage or configuration.",
      subcommands: [
        CheckCommand.self, RunCommand.self, MetadataCommand.self, DoctorCommand.self,
        TryCommand.self, SessionsCommand.self,
      ])

    /// The help of the command and of each verb, which lists every option.
    private static var wholeHelp: String {
      var help = ""
      var waiting: [any ParsableCommand.Type] = [Self.self]
      while let command = waiting.popLast() {
        help += helpMessage(for: command, columns: 400)
        waiting += command.configuration.subcommands
      }
      return help
    }

    /// ArgumentParser exits with 64 on wrong usage; scripts rely on 2.
    static func main() async {
      do {
        var command = try await asyncParseAsRoot()
        if var command = command as? any AsyncParsableCommand {
          try await command.run()
        } else {
          try command.run()
        }
      } catch let failure as GateFailure {
        failure.report()
        exit(withError: ExitCode(2))
      } catch {
        guard exitCode(for: error) == .validationFailure else { exit(withError: error) }
        let message = UsageMessage(
          arguments: Array(CommandLine.arguments.dropFirst()),
          words: configuration.subcommands.compactMap { $0.configuration.commandName },
          help: wholeHelp
        ).line(message(for: error))
        StandardError.line("claims-gate: error: \(message)")
        StandardError.line("claims-gate: hint: see --help")
        exit(withError: ExitCode(2))
      }
    }
  }

  /// `claims-gate check gate.json`
  struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "check", abstract: "Says what is wrong with the file, and with those it names.")

    @Argument(help: "The gate's file.") var file: String

    func run() async throws {
      let file = try GateFile(self.file)
      _ = try GateAssembly(file)
      for warning in file.configuration.warnings {
        StandardError.write("claims-gate: warning: \(warning)")
      }
      print("\(self.file): ok")
    }
  }

  /// `claims-gate run gate.json`
  struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "run", abstract: "Serves until SIGTERM or SIGINT, which end it without an error."
    )

    @Argument(help: "The gate's file.") var file: String

    func run() async throws {
      let file = try GateFile(self.file)
      let assembly = try GateAssembly(file)
      for warning in file.configuration.warnings {
        StandardError.write("claims-gate: warning: \(warning)")
      }
      try await GateServer(assembly: assembly).run()
    }
  }

  /// `claims-gate metadata gate.json`
  struct MetadataCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "metadata",
      abstract: "Prints the SAML metadata to hand to an identity provider.")

    @Argument(help: "The gate's file.") var file: String

    func run() async throws {
      let assembly = try GateAssembly(GateFile(file))
      let service = assembly.gate.site.providers.lazy.compactMap { provider -> ServiceProvider? in
        if case .saml(let service, _) = provider.exchange { service } else { nil }
      }.first
      guard let service else {
        throw GateFailure([
          TokenError(.gateValue, node: "providers", expected: "a provider of SAML 2.0")
        ])
      }
      let document = try service.metadata().document(signedWith: service.signingKeys.first)
      try OpenFile.standardOutput.write(document + [0x0A])
    }
  }
#endif
