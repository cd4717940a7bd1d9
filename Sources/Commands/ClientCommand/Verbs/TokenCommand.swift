#if Client
  import ArgumentParser
  import CommandSupport
  import Federation
  import FederationClient
  import FederationNetwork
  import HTTPExchange
  import Octets
  import TokenBasics

  /// `claims-client token`
  struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "token", abstract: "Gets a token for a program, without a person.",
      subcommands: [WRAPCommand.self, OAuthCommand.self])
  }

  /// The options of both kinds of token.
  struct TokenOptions: ParsableArguments {
    @OptionGroup var service: ServiceOptions
    @OptionGroup var trust: TrustOption
    @OptionGroup var network: NetworkOptions

    @Flag(help: "Print the token itself, too: anyone who reads it can use it.")
    var reveal = false

    /// Prints the token that `ask` fetches.
    func run(
      _ ask: (AccessControlClient) async throws -> AccessControlToken
    ) async throws {
      let transport = try network.transport()
      let client = AccessControlClient(
        try service.service(), trust: try trust.load(), transport: transport, time: SystemTime(),
        observer: network.observer)
      try write(try await ask(client))
      await transport.shutdown()
    }

    private func write(_ token: AccessControlToken) throws(CommandFailure) {
      let facts = token.verified.facts
      var json = JSONWriter()
      json.object { json in
        json.member("format", token.verified.token.format.name)
        json.member("issuer", facts.issuer)
        if let subject = facts.subject { json.member("subject", subject) }
        if let expires = token.expires { json.member("expires", expires.rfc3339) }
        json.name("claims")
        PrintedJSON.claims(token.verified.projectedClaims, &json)
        let secret = token.secret.revealed
        let digest = DigestAlgorithm.sha256.digest(of: Array(secret.utf8)) ?? []
        json.member(
          "digest", "\(secret.utf8.count) bytes, sha256:\(Hex.encode(digest.prefix(4)))")
        if reveal { json.member("token", secret) }
      }
      try Results.write(line: json.bytes)
    }
  }

  /// `claims-client token wrap`
  struct WRAPCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "wrap",
      abstract: "By OAuth WRAP 0.9: a password or an assertion.",
      discussion: """
        Examples:
          claims-client token wrap --server https://acs.example/ --realm urn:app \\
            --trust trust.json --name uploader --password-file uploader.password
        """)

    @OptionGroup var options: TokenOptions

    @Option(help: ArgumentHelp("The name of the service identity.", valueName: "NAME"))
    var name: String?

    @Option(help: ArgumentHelp("A file with its password.", valueName: "FILE"), completion: .file())
    var passwordFile: String?

    @Option(help: ArgumentHelp("An environment variable with its password.", valueName: "NAME"))
    var passwordEnv: String?

    @Option(
      help: ArgumentHelp(
        "A file with its symmetric key (base64): sends a self-signed SWT.", valueName: "FILE"),
      completion: .file())
    var keyFile: String?

    @Option(
      help: ArgumentHelp("A file with a SAML assertion.", valueName: "FILE"), completion: .file())
    var samlFile: String?

    func validate() throws {
      guard samlFile != nil || name != nil else { throw ValidationError("--name is needed") }
    }

    func run() async throws {
      try await options.run { client in
        let grant = try self.grant()
        StandardError.progress("asking for a token")
        return try await client.token(grant)
      }
    }

    private func grant() throws -> WRAPGrant {
      if let samlFile {
        guard name == nil, keyFile == nil, passwordFile == nil, passwordEnv == nil else {
          throw CommandFailure(.usage, "--saml-file stands alone")
        }
        return .samlAssertion(
          try SecretSource.secret("saml", file: samlFile, environment: nil))
      }
      guard let name else { throw CommandFailure(.usage, "--name is needed") }
      guard let keyFile else {
        return .password(
          name: name,
          password: try SecretSource.secret(
            "password", file: passwordFile, environment: passwordEnv))
      }
      guard passwordFile == nil, passwordEnv == nil else {
        throw CommandFailure(.usage, "--key-file and a password exclude each other")
      }
      let text = try SecretSource.secret("key", file: keyFile, environment: nil).revealed
      guard let octets = try? Base64.decode(Array(text.utf8)) else {
        throw CommandFailure(.usage, "the key is not base64")
      }
      return try .selfSigned(
        issuer: name, key: try SymmetricKey(bytes: octets), at: SystemTime().now)
    }
  }

  /// `claims-client token oauth`
  struct OAuthCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "oauth",
      abstract: "By OAuth 2.0, draft 13: the client's own credentials.",
      discussion: """
        Examples:
          claims-client token oauth --server https://acs.example/ --realm urn:app \\
            --trust trust.json --client-id uploader --client-secret-file uploader.secret
        """)

    @OptionGroup var options: TokenOptions

    @Option(
      name: .customLong("client-id"),
      help: ArgumentHelp("The identifier of the client.", valueName: "ID"))
    var clientID: String

    @Option(help: ArgumentHelp("A file with its secret.", valueName: "FILE"), completion: .file())
    var clientSecretFile: String?

    @Option(help: ArgumentHelp("An environment variable with its secret.", valueName: "NAME"))
    var clientSecretEnv: String?

    func run() async throws {
      try await options.run { client in
        let secret = try SecretSource.secret(
          "client-secret", file: clientSecretFile, environment: clientSecretEnv)
        StandardError.progress("asking for a token")
        return try await client.token(
          .clientCredentials, client: OAuthClient(id: clientID, secret: secret))
      }
    }
  }
#endif
