#if CommandLine
  import ArgumentParser
  import CommandSupport
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
      help: ArgumentHelp(
        """
        The private key, unencrypted PEM or DER; or jwk:PATH for a private JWK of ML-DSA (AKP), in a build \
        with trait PostQuantum.
        """, valueName: "FILE"), completion: .file())
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

    @Option(
      help: ArgumentHelp(
        """
        Encrypts the signed token to this key: a certificate or public key (PEM or DER file), or \
        jwk:PATH for a JWK, which may be a shared secret (oct). What goes with it is new every time, so \
        the bytes are never the same twice.
        """, valueName: "CERT|jwk:PATH"))
    var encryptTo: String?

    @Option(
      help: ArgumentHelp(
        """
        How the content is encrypted (enc): A256GCM (the default), A192GCM, A128GCM, A256CBC-HS512, \
        A192CBC-HS384 or A128CBC-HS256.
        """, valueName: "ENC"))
    var encryption: String?

    @Option(
      help: ArgumentHelp(
        """
        How the content's key is encrypted (alg): RSA-OAEP-256 (the default for RSA), RSA-OAEP, \
        ECDH-ES+A256KW (the default for EC and X25519) and its kind, ECDH-ES; with a secret A256KW and \
        its kind, A256GCMKW and its kind, dir.
        """, valueName: "ALG"))
    var keyManagement: String?

    func validate() throws {
      guard encryptTo != nil || (encryption == nil && keyManagement == nil) else {
        throw ValidationError("--encryption and --key-management need --encrypt-to")
      }
      guard (key == nil) != (signingKey == nil) else {
        throw ValidationError("name a secret with --key or a private key with --signing-key")
      }
      guard certificate == nil || signingKey != nil else {
        throw ValidationError("--certificate needs --signing-key")
      }
    }

    func run() throws {
      let recipient = try encryptTo.map { (specification) throws(CommandFailure) in
        do throws(TokenError) {
          return try SigningFiles.recipient(
            ofJWT: specification, keyManagement: keyManagement, encryption: encryption)
        } catch {
          throw CommandFailure(usage: error)
        }
      }
      let sign: (TokenDraft) throws(TokenError) -> [UInt8]
      do throws(TokenError) { sign = try signer() } catch { throw CommandFailure(usage: error) }
      try MintCommand.print(draft, id: id, notBefore: try validity.beginning()) {
        (draft) throws(TokenError) in
        let token = try sign(draft)
        guard let recipient else { return token }
        return try EncryptedJSONWebToken.encrypt(token, to: recipient)
      }
    }

    /// Reads the key once, for one token or many.
    private func signer() throws(TokenError) -> (TokenDraft) throws(TokenError) -> [UInt8] {
      guard let path = signingKey else { return try withSecret() }
      if path.hasPrefix("jwk:") { return try postQuantum(String(path.dropFirst(4))) }
      let certificate = try certificate.map(SigningFiles.certificate)
      let key = try SigningFiles.key(path, certificate: certificate, algorithm: algorithm)
      return { (draft) throws(TokenError) in
        try JSONWebToken.mint(draft, key: key, keyID: keyID)
      }
    }

    private func postQuantum(
      _ path: String
    ) throws(TokenError) -> (TokenDraft) throws(TokenError) -> [UInt8] {
      do throws(TokenError) {
        let read = try PostQuantumSigningKey.read(jwk: ConfigurationFiles().read(path))
        return { (draft) throws(TokenError) in
          do throws(TokenError) {
            return try JSONWebToken.mint(draft, key: read.key, keyID: keyID ?? read.keyID)
          } catch {
            throw error.located(at: path)
          }
        }
      } catch {
        throw error.located(at: path)
      }
    }

    private func withSecret() throws(TokenError) -> (TokenDraft) throws(TokenError) -> [UInt8] {
      let read = try KeySpecification.key(key ?? "", files: ConfigurationFiles())
      guard case .secret(let secret) = read.material else {
        throw TokenError(.unreadableKey, node: "--key", expected: "hmac:BASE64 or hmac-file:PATH")
      }
      let named = try algorithm.map(SigningFiles.algorithm) ?? .hmacSHA256
      return { (draft) throws(TokenError) in
        try JSONWebToken.mint(draft, key: secret, algorithm: named, keyID: keyID)
      }
    }
  }
#endif
