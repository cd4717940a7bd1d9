#if CommandLine
  import ArgumentParser
  import Federation

  struct MintJWTCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "jwt",
      abstract: "Issues a JSON Web Token in compact form.",
      discussion: """
        Examples:
          claims mint jwt --issuer https://idp.example/ --audience urn:app \\
            --subject ada --claim role=staff --signing-key idp.key

        Several values of one claim type become an array. The subject becomes sub.
        """)

    @OptionGroup var draft: DraftOptions
    @OptionGroup var validity: ValidityOptions

    @Option(
      help: ArgumentHelp(
        "The token's identifier (jti); default an unpredictable one.", valueName: "ID"))
    var id: String?

    @Option(
      help: ArgumentHelp(
        "A shared secret, hmac:BASE64 or hmac-file:PATH; excludes --signing-key.", valueName: "SPEC"
      ), completion: .file())
    var key: String?

    @Option(
      help: ArgumentHelp("The private key, unencrypted PEM or DER.", valueName: "FILE"),
      completion: .file())
    var signingKey: String?

    @Option(
      help: ArgumentHelp(
        "The key's certificate, to check that it belongs to the key.", valueName: "FILE"),
      completion: .file())
    var certificate: String?

    @Option(
      help: ArgumentHelp(
        "The signature algorithm, by name or URI; default by the key.", valueName: "ALGORITHM"))
    var algorithm: String?

    @Option(help: ArgumentHelp("The identifier of the key (kid).", valueName: "ID"))
    var keyID: String?

    func validate() throws {
      guard (key == nil) != (signingKey == nil) else {
        throw ValidationError("name a secret with --key or a private key with --signing-key")
      }
      guard certificate == nil || signingKey != nil else {
        throw ValidationError("--certificate needs --signing-key")
      }
    }

    func run() throws {
      let draft = try draft.draft(id: id, notBefore: try validity.beginning())
      try MintCommand.print { () throws(TokenError) in
        guard let path = signingKey else { return try withSecret(draft) }
        let certificate = try certificate.map(SigningFiles.certificate)
        let key = try SigningFiles.key(path, certificate: certificate, algorithm: algorithm)
        return try JSONWebToken.mint(draft, key: key, keyID: keyID)
      }
    }

    private func withSecret(_ draft: TokenDraft) throws(TokenError) -> [UInt8] {
      let read = try KeySpecification.key(key ?? "", files: ConfigurationFiles())
      guard case .secret(let secret) = read.material else {
        throw TokenError(.unreadableKey, node: "--key", expected: "hmac:BASE64 or hmac-file:PATH")
      }
      let named = try algorithm.map(SigningFiles.algorithm) ?? .hmacSHA256
      return try JSONWebToken.mint(draft, key: secret, algorithm: named, keyID: keyID)
    }
  }
#endif
