#if Server
  package import SecurityKeys
  package import SignIn
  package import TokenBasics

  /// The keys of a server's own side of SAML.
  package struct SAMLKeys: Sendable {
    /// Keys that sign requests, each with its certificate.
    package let signing: [SigningKey]
    /// Keys that decrypt.
    package let decryption: [PrivateKey]
    /// The certificates of keys that decrypt. Identity providers encrypt for the certificates in metadata, so one without
    /// its key would make assertions that the server cannot read.
    package let encryptionCertificates: [Certificate]

    package init(
      signing: [SigningKey], decryption: [PrivateKey], encryptionCertificates: [Certificate]
    ) {
      self.signing = signing
      self.decryption = decryption
      self.encryptionCertificates = encryptionCertificates
    }

    /// One key that signs and decrypts.
    ///
    /// - Throws: `key.*`.
    package init(_ key: PrivateKey, _ certificate: Certificate) throws(TokenError) {
      self.init(
        signing: [try SigningKey(key, certificate: certificate)], decryption: [key],
        encryptionCertificates: [certificate])
    }

    /// The service provider that has these keys.
    ///
    /// - Parameters:
    ///   - entityID: Its name.
    ///   - settings: Where its endpoints are.
    /// - Throws: As the initializer of ``ServiceProvider``.
    package func service(
      _ entityID: String, _ settings: SiteSettings
    ) throws(TokenError) -> ServiceProvider {
      try ServiceProvider(
        entityID: entityID, consumer: settings.address("saml/acs"),
        logout: settings.address("saml/slo"), signingKeys: signing, decryptionKeys: decryption,
        encryptionCertificates: encryptionCertificates)
    }
  }
#endif
