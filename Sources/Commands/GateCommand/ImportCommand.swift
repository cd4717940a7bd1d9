#if Server
  import ArgumentParser
  import CommandSupport
  import GateService
  import LocalFiles
  import Octets
  import SecurityKeys
  import SignIn
  import TokenBasics

  /// `claims-gate import KIND FILE`
  struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "import",
      abstract:
        "Writes gate.json from the configuration of another gate, and names what it left out.",
      discussion: """
        Examples:
          claims-gate import oauth2-proxy oauth2-proxy.cfg
          claims-gate import oauth2-proxy oauth2-proxy.cfg --output gate

        Existing files are never replaced. Exit 1 where a setting has no counterpart: each one is named with its line. \
        The new file lets in nobody whom the old one kept out.
        """)

    /// The gates whose configuration is read.
    enum Kind: String, ExpressibleByArgument, CaseIterable {
      case oauth2Proxy = "oauth2-proxy"
    }

    @Argument(help: ArgumentHelp("oauth2-proxy.", valueName: "KIND")) var kind: Kind
    @Argument(help: ArgumentHelp("Its configuration file.", valueName: "FILE"), completion: .file())
    var file: String
    @Option(
      help: ArgumentHelp("The folder to write into, this one by default.", valueName: "FOLDER"),
      completion: .directory)
    var output = "."

    func run() async throws {
      let octets: [UInt8]
      do throws(TokenError) {
        octets = try GateFile.contents(file)
      } catch {
        throw CommandFailure(usage: error)
      }
      let folder = file.lastIndex(of: "/").map { String(file[...$0]) } ?? ""
      let made = OAuth2ProxyImport(String(decoding: octets, as: UTF8.self)) { name in
        let path = name.hasPrefix("/") ? name : folder + name
        guard let list = try? GateFile.contents(path) else { return nil }
        return String(decoding: list, as: UTF8.self).split(whereSeparator: \.isNewline)
          .map { $0.filter { !$0.isWhitespace } }.filter { !$0.isEmpty }
      }
      let (configuration, errors) = GateConfiguration.read(Array(made.text.utf8))
      var files = NewFiles(in: output)
      files.add("gate.json", made.text)
      files.add("cookies.keys", Base64.encode(SystemRandom.octets(SealingKey.length)) + "\n")
      if let secret = made.secret { files.add("client.secret", secret + "\n") }
      try files.write()
      for note in made.notes {
        let place = note.line > 0 ? "\(ShownPath.of(file)):\(note.line): " : ""
        CommandMessages.own.warning("\(place)\(note.setting): \(note.text)")
      }
      // What cannot be read yet is for the operator to complete: check says it with lines.
      for error in errors {
        CommandMessages.own.warning(error.inFile(files.path(of: "gate.json")).description)
      }
      try Results.write(
        line: files.names.map { files.path(of: $0) }.joined(separator: "\n"))
      if let configuration {
        let application = made.application.map {
          " --application \(configuration.origin)=\($0)"
        }
        try Results.write(
          line:
            "next: register \(configuration.origin)\(configuration.prefix)openid/login/callback "
            + "at the provider, then claims-gate check \(files.path(of: "gate.json")) and "
            + "claims-gate recipe \(files.path(of: "gate.json"))\(application ?? "")")
      }
      if !made.notes.isEmpty || !errors.isEmpty { throw ExitCode(1) }
    }
  }
#endif
