#if Server
  import AccessControl
  import ArgumentParser
  import CommandSupport
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

    static func main() async {
      await runToEnd { error in
        switch error {
        case let failure as ServiceFailure: failure.lines
        case let error as TokenError: ServiceFailure([error]).lines
        default: nil
        }
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
      for fault in folder.file.faults {
        StandardError.write("acs: warning: \(file): \(fault.description)")
      }
      let assembly = try ServiceAssembly(folder)
      do throws(TokenError) {
        try await assembly.stores?.check(at: SystemTime().now)
      } catch {
        // Until that is over the service refuses what it cannot vouch for.
        StandardError.line("acs: warning: the shared store: \(error)")
      }
      let file = folder.file
      let tls = file.tls.map {
        TLSFiles(certificate: folder.located($0.certificate), key: folder.located($0.key))
      }
      let scheme = tls == nil ? "http" : "https"
      try await AccessControlServer(site: assembly.site, listen: file.listen, tls: tls).run {
        StandardError.write("acs: listening at \(scheme)://\(file.listen)")
        StandardError.write("acs: \(file.issuer.text) is ready")
      }
    }
  }

  /// `acs check acs.json`
  struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "check", abstract: "Says what is wrong with the file, with line numbers.")

    @Argument(help: "The service's file.") var file: String

    func run() async throws {
      let folder = try ServiceFolder(file)
      try folder.checkFiles(includingFaults: true)
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
        let now = SystemTime().now
        let keys =
          roll
          ? try ServiceKeys.roll(path: path, name: host, at: now)
          : try ServiceKeys(path: path, name: host, at: now)
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
