#if CommandLine
  import ArgumentParser
  import Federation

  struct MintMetadataCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "metadata",
      abstract: "Writes SAML 2.0 metadata of an issuer, with its current and next certificates.",
      discussion: """
        Examples:
          claims mint metadata --issuer https://idp.example/ \\
            --certificate idp.crt --sign-on https://idp.example/sso

        To replace a signing key: publish the next certificate beside the current one, wait until \
        relying parties have read it, sign with the next key, then leave the old certificate out.
        """)

    @Option(
      help: ArgumentHelp(
        "The entity identifier: what tokens name as their issuer.", valueName: "NAME"))
    var issuer: String

    @Option(
      name: .customLong("certificate"),
      help: ArgumentHelp(
        "A certificate of a signing key, the current one first. Repeatable.", valueName: "FILE"),
      completion: .file())
    var certificates: [String]

    @Option(help: ArgumentHelp("The address of the HTTP-Redirect sign-in.", valueName: "URL"))
    var signOn: String

    @Option(
      help: ArgumentHelp(
        "Seconds that readers may keep it; default as long as they like.", valueName: "SECONDS"))
    var lifetime: Int?

    @Option(
      help: ArgumentHelp(
        "When --lifetime begins; default now. RFC 3339, a date (its midnight in UTC) or seconds since 1970.",
        valueName: "INSTANT"))
    var at: String?

    @Option(
      help: ArgumentHelp("The identifier of the document; default unpredictable.", valueName: "ID"))
    var id: String?

    @Option(
      help: ArgumentHelp(
        "The private key that signs it, of one of the certificates; default unsigned.",
        valueName: "FILE"), completion: .file())
    var signingKey: String?

    @Option(help: ArgumentHelp("The signature algorithm, by name or URI.", valueName: "ALGORITHM"))
    var algorithm: String?

    func validate() throws {
      if let lifetime, !TokenDraft.lifetimeRange.contains(lifetime) {
        throw ValidationError("--lifetime must be 1 to \(TokenDraft.lifetimeRange.upperBound)")
      }
      guard algorithm == nil || signingKey != nil else {
        throw ValidationError("--algorithm needs --signing-key")
      }
      guard at == nil || lifetime != nil else { throw ValidationError("--at needs --lifetime") }
    }

    func run() throws {
      let now = try Arguments.instant(at)
      try MintCommand.print { () throws(TokenError) in
        var read: [Certificate] = []
        for path in certificates { read.append(try SigningFiles.certificate(path)) }
        let metadata = IdentityProviderMetadata(
          entityID: issuer, certificates: read, signOn: signOn,
          validUntil: lifetime.map { now.advanced(bySeconds: Int64($0)) })
        return try metadata.document(
          id: id ?? TokenDraft.unpredictableID(), signedWith: signingKey(among: read))
      }
    }

    private func signingKey(among certificates: [Certificate]) throws(TokenError) -> SigningKey? {
      guard let signingKey else { return nil }
      return try SigningFiles.key(signingKey, among: certificates, algorithm: algorithm)
    }
  }
#endif
