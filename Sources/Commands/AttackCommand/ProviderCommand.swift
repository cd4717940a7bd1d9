#if Server
  import ArgumentParser
  import CommandServer
  import CommandSupport
  import Octets
  import SignInAttack

  /// `claims-attack provider attack.json`
  struct ProviderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "provider",
      abstract: "Writes what to enter at the service, then serves until SIGTERM or SIGINT.",
      discussion: """
        Examples:
          claims-attack provider attack.json
          claims-attack provider --print attack.json > provider.xml

        It signs in the person of the file, honestly. End it before claims-attack run, which serves \
        the same addresses itself. The first run makes keys for tests in a file beside attack.json; \
        never trust them outside of a test.
        """)

    @Argument(help: ArgumentHelp("The driver's file.", valueName: "FILE"), completion: .file())
    var file: String

    @Flag(
      help: "Writes the metadata, or for OpenID Connect the discovery document, and does not serve."
    )
    var print = false

    func run() async throws {
      let file = try AttackFile(self.file)
      let provider = RogueProvider(file.configuration, file.keys)
      let path =
        switch file.configuration.protocolName {
        case .saml20: RogueProvider.Path.metadata
        case .wsFederation: RogueProvider.Path.passiveMetadata
        case .openID: RogueProvider.Path.discovery
        }
      guard !print else {
        let answer = provider.respond(
          to: WebRequest(method: "GET", path: path), at: SystemTime().now)
        return try Results.write(line: answer.body)
      }
      let greeting = Self.greeting(file.configuration, path)
      try await Listener.run([ProviderServer(provider: provider).listener()]) {
        // Once it listens: addresses that nothing answers at help no one.
        try? Results.write(line: greeting)
      }
    }

    private static func greeting(_ configuration: AttackConfiguration, _ path: String) -> [UInt8] {
      var json = JSONWriter()
      json.object { json in
        json.member("issuer", configuration.issuer)
        json.member(
          named: configuration.protocolName == .openID ? "discovery" : "metadata",
          configuration.address(path))
        json.member("certificate", configuration.address(RogueProvider.Path.certificate))
      }
      return json.bytes
    }
  }
#endif
