#if CommandLine
  import ArgumentParser
  import Federation

  struct MintMetadataCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "metadata",
      abstract: "Writes SAML 2.0 metadata of an issuer, with its current and next certificates.",
      discussion: """
        To replace a signing key: publish the next certificate beside the current one, wait until \
        relying parties have read it, sign with the next key, then leave the old certificate out.
        """)

    @Option(help: "The entity identifier: what tokens name as their issuer.")
    var issuer: String

    @Option(
      name: .customLong("certificate"),
      help: "A certificate of a signing key, the current one first. Repeatable.")
    var certificates: [String]

    @Option(help: "The address of the HTTP-Redirect sign-in.")
    var signOn: String

    @Option(help: "Seconds that readers may keep it; default as long as they like.")
    var lifetime: Int?

    @Option(help: "When it is issued (RFC 3339); default now. Matters with --lifetime alone.")
    var at: String?

    @Option(help: "The identifier of the document; default unpredictable.")
    var id: String?

    @Option(help: "The private key that signs it, of one of the certificates; default unsigned.")
    var signingKey: String?

    @Option(help: "The signature algorithm, by name or URI.")
    var algorithm: String?

    func validate() throws {
      if let lifetime, !TokenDraft.lifetimeRange.contains(lifetime) {
        throw ValidationError("--lifetime must be 1 to \(TokenDraft.lifetimeRange.upperBound)")
      }
      guard algorithm == nil || signingKey != nil else {
        throw ValidationError("--algorithm needs --signing-key")
      }
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
