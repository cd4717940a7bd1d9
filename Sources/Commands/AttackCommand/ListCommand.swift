#if Server
  import ArgumentParser
  import CommandSupport
  import SignInAttack
  import TokenBasics

  /// `claims-attack list [--protocol P]`
  struct ListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: "The variants, a JSON object a line: what is changed, the clause, what it means.",
      discussion: """
        Examples:
          claims-attack list
          claims-attack list --protocol saml20
        """)

    @Option(
      name: .customLong("protocol"),
      help: ArgumentHelp("saml20, wsfederation or openid; all without it.", valueName: "PROTOCOL"))
    var protocolName: ProtocolArgument?

    func run() async throws {
      let now = SystemTime().now
      let keys = try ProviderKeys(at: now)
      let names = protocolName.map { [$0.name] } ?? AttackConfiguration.SignInProtocol.allCases
      for name in names {
        let origin = try HTTPURL("http://127.0.0.1:9400")
        var example = AttackConfiguration(
          name, listen: HostPort(host: "127.0.0.1", port: 9400), origin: origin, start: origin,
          probe: AttackConfiguration.Probe(origin),
          person: AttackConfiguration.Person("alice", claims: [("email", "alice@example.org")]),
          attacker: "admin")
        example.logout = origin
        example.frontChannelLogout = origin
        example.second = origin
        example.rereading = AttackConfiguration.Rereading(nil, seconds: 30)
        var json = JSONWriter()
        for variant in try VariantList.all(of: RogueProvider(example, keys)) {
          AttackRecord.write(variant, of: name, to: &json)
        }
        try Results.write(json.bytes)
      }
    }
  }

  /// The name of a protocol.
  struct ProtocolArgument: ExpressibleByArgument {
    let name: AttackConfiguration.SignInProtocol

    init?(argument: String) {
      guard let name = AttackConfiguration.SignInProtocol(rawValue: argument) else { return nil }
      self.name = name
    }

    static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }

    static var allValueStrings: [String] {
      AttackConfiguration.SignInProtocol.allCases.map(\.rawValue)
    }
  }
#endif
