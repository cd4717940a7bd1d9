#if Server
  import CommandServer
  import GateService
  import SecurityKeys

  /// The keys of SAML in the files that a gate's file names, each with its certificate.
  struct OwnKeys {
    let keys: SAMLKeys
    /// What is legal and probably not meant.
    let warnings: [String]

    /// - Throws: `gate.file-value`, `key.*`, each with the member and the file.
    init(_ file: GateFile) throws(TokenError) {
      let configuration = file.configuration
      var certificates: [(name: String, certificate: Certificate)] = []
      for name in configuration.certificates {
        let certificate = try file.reading("certificates", name) { octets throws(TokenError) in
          try GateFile.certificate(octets)
        }
        certificates.append((name, certificate))
      }
      func certificate(of key: PublicKey) -> Certificate? {
        certificates.first { $0.certificate.publicKey.isSameKey(as: key) }?.certificate
      }
      var decryption: [PrivateKey] = []
      for name in configuration.decryptKeys {
        decryption.append(try file.privateKey("decryptKeys", name))
      }
      var signing: [SigningKey] = []
      for name in configuration.signingKeys {
        let key = try file.privateKey("signingKeys", name)
        guard let certificate = certificate(of: key.publicKey) else {
          throw TokenError(
            .gateValue, node: "signingKeys, \(name)",
            expected: "the certificate of this key in certificates",
            found: configuration.certificates.isEmpty
              ? "none" : configuration.certificates.joined(separator: ", "))
        }
        signing.append(try SigningKey(key, certificate: certificate))
      }
      let publicKeys = signing.map(\.publicKey) + decryption.map(\.publicKey)
      for (name, certificate) in certificates {
        guard publicKeys.contains(where: { $0.isSameKey(as: certificate.publicKey) }) else {
          throw TokenError(
            .gateValue, node: "certificates, \(name)",
            expected: "the certificate of a key in signingKeys or decryptKeys")
        }
      }
      keys = SAMLKeys(
        signing: signing, decryption: decryption,
        encryptionCertificates: decryption.compactMap { certificate(of: $0.publicKey) })
      warnings =
        decryption.isEmpty || !keys.encryptionCertificates.isEmpty
        ? []
        : ["decryptKeys has no key with a certificate: the metadata has no key to encrypt for"]
    }
  }
#endif
