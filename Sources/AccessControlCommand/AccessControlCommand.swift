#if Server
  import AccessControl
  import ArgumentParser
  import LocalFiles
  import ProviderAssembly

  /// The `acs` command.
  @main
  struct AccessControlCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "acs",
      abstract:
        "A local Access Control Service: it issues SWT, JWT, SAML 1.1 and SAML 2.0 by rules.",
      discussion: "Exit codes: 0 done, 1 a failure, 2 wrong usage or a file that is refused.",
      subcommands: [
        RunCommand.self, CheckCommand.self, KeysCommand.self, DemoCommand.self,
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
      } catch let failure as ServiceFailure {
        failure.report()
        exit(withError: ExitCode(2))
      } catch {
        guard exitCode(for: error) == .validationFailure else { exit(withError: error) }
        let message = UsageMessage(
          arguments: Array(CommandLine.arguments.dropFirst()),
          words: configuration.subcommands.compactMap { $0.configuration.commandName },
          help: wholeHelp
        ).line(message(for: error))
        StandardError.line("acs: error: \(message)")
        StandardError.line("acs: hint: see --help")
        exit(withError: ExitCode(2))
      }
    }
  }

  /// `acs run acs.json`
  struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "run",
      abstract: "Serves until SIGTERM or SIGINT; the first run makes the keys.")

    @Argument(help: "The service's file.") var file: String

    func run() async throws {
      let folder = try ServiceFolder(file)
      try folder.checkFiles()
      let assembly = try ServiceAssembly(folder)
      do throws(TokenError) {
        try await assembly.stores?.check(at: SystemTime().now)
      } catch {
        // Until that is over the service refuses what it cannot vouch for.
        StandardError.write("acs: warning: the shared store: \(error)")
      }
      let tls = folder.file.tls.map { (folder.located($0.certificate), folder.located($0.key)) }
      try await AccessControlServer(
        site: assembly.site, listen: folder.file.listen, tls: tls,
        ready: "acs: \(folder.file.issuer.text) is ready"
      ).run()
    }
  }

  /// `acs check acs.json`
  struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "check", abstract: "Says what is wrong with the file, with line numbers.")

    @Argument(help: "The service's file.") var file: String

    func run() async throws {
      let folder = try ServiceFolder(file)
      try folder.checkFiles()
      print("\(file): ok")
    }
  }

  /// `acs keys acs.json [--roll]`
  struct KeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "keys",
      abstract: "Prints the certificates that relying parties trust, and rolls the keys over.")

    @Argument(help: "The service's file.") var file: String
    @Flag(help: "The next key signs from the next start on, and another next one is made.")
    var roll = false
    @Flag(help: "Prints the symmetric key of Simple Web Tokens, a secret, and nothing else.")
    var symmetric = false

    @Flag(help: "Prints the password of the admin pages, a secret, and nothing else.")
    var password = false

    func run() async throws {
      let folder = try ServiceFolder(file)
      let host = folder.file.issuer.origin.host
      do throws(TokenError) {
        let path = folder.located(folder.file.keys)
        var keys = try ServiceKeys(path: path, name: host, at: SystemTime().now)
        if roll {
          try keys.roll(name: host, at: SystemTime().now)
          try keys.write(to: path)
        }
        if password {
          print(keys.password)
          return
        }
        if symmetric {
          print(keys.symmetricKey.revealed)
          return
        }
        for certificate in try keys.namespaceKeys().certificates {
          print(PEMText.certificate(certificate), terminator: "")
        }
      } catch {
        throw ServiceFailure([error])
      }
    }
  }
#endif
