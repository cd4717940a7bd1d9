#if CommandLine
  import ArgumentParser
  import CommandSupport
  import Federation
  import SecurityKeys

  struct MintSWTCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "swt",
      abstract: "Issues a Simple Web Token, encoded as ACS encodes it.",
      discussion: """
        Examples:
          claims mint swt --issuer https://acs.example/ --audience urn:app \\
            --subject ada --key hmac-file:swt.key

        Values of one claim type are joined with commas into one pair, as ACS joins them; no reader \
        can tell the join from a comma in a value. The subject becomes the nameidentifier claim.
        """)

    @OptionGroup var draft: DraftOptions

    @Option(
      help: ArgumentHelp(
        "The shared secret: hmac:BASE64 or hmac-file:PATH, 32 bytes or more.", valueName: "SPEC"),
      completion: .file())
    var key: String

    @Option(
      help: ArgumentHelp("The algorithm; the format has one, hmac-sha256.", valueName: "ALGORITHM"))
    var algorithm = SignatureAlgorithm.hmacSHA256.name

    @Option(
      help: ArgumentHelp(
        "An identifier, taken as the other formats take it; this one has no place for it.",
        valueName: "ID"))
    var id: String?

    func validate() throws {
      let only = SignatureAlgorithm.hmacSHA256
      guard SignatureAlgorithm(named: algorithm) == only else {
        throw ValidationError("--algorithm must be \(only.name) in a Simple Web Token")
      }
    }

    func run() throws {
      let secret: SymmetricKey
      do throws(TokenError) {
        let key = try KeySpecification.key(key, files: ConfigurationFiles())
        guard case .secret(let material) = key.material else {
          throw TokenError(.unreadableKey, node: "--key", expected: "hmac:BASE64 or hmac-file:PATH")
        }
        secret = material
      } catch {
        throw CommandFailure(usage: error)
      }
      try MintCommand.print(draft) { (draft) throws(TokenError) in
        try SimpleWebToken.mint(draft, key: secret)
      }
    }
  }
#endif
