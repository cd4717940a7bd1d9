#if Server
  import ArgumentParser
  import CommandServer
  import CommandSupport
  import SignInAttack
  import TokenBasics

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
        the same addresses itself. A file that has "second" has a second provider below /second, \
        which the service has to trust too. The first run makes keys for tests in a file beside attack.json; \
        never trust them outside of a test.
        """)

    @Argument(help: ArgumentHelp("The driver's file.", valueName: "FILE"), completion: .file())
    var file: String

    @Flag(
      help: "Writes the metadata, or for OpenID Connect the discovery document, and does not serve."
    )
    var print = false

    @Flag(help: "With --print, those of the second provider.")
    var second = false

    func run() async throws {
      let file = try AttackFile(self.file)
      let provider = RogueProvider(file.configuration, file.keys)
      let path = RogueProvider.Path.document(of: file.configuration.protocolName)
      guard !print else {
        let answer = provider.respond(
          to: WebRequest(
            method: "GET", path: (second ? ProviderParty.second : .first).prefix + path),
          at: SystemTime().now)
        return try Results.write(line: answer.body)
      }
      let greeting =
        Self.greeting(file.configuration, .first, path)
        + (file.configuration.second == nil
          ? [] : [0x0A] + Self.greeting(file.configuration, .second, path))
      try await Listener.run([ProviderServer(provider: provider).listener()]) {
        // Once it listens: addresses that nothing answers at help no one.
        try? Results.write(line: greeting)
      }
    }

    private static func greeting(
      _ configuration: AttackConfiguration, _ party: ProviderParty, _ path: String
    ) -> [UInt8] {
      var json = JSONWriter()
      json.object { json in
        json.member("issuer", configuration.issuer(of: party))
        json.member(
          named: configuration.protocolName == .openID ? "discovery" : "metadata",
          configuration.address(path, of: party))
        json.member(
          "certificate", configuration.address(RogueProvider.Path.certificate, of: party))
      }
      return json.bytes
    }
  }
#endif
