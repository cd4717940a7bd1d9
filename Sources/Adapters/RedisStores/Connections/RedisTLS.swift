#if Redis
  import NIOSSL

  /// What a connection trusts, and with what it names itself.
  enum RedisTLS {
    /// - Throws: `store.address`, which names the file.
    static func context(_ settings: RedisSettings) throws(TokenError) -> NIOSSLContext {
      var configuration = TLSConfiguration.makeClientConfiguration()
      configuration.minimumTLSVersion = .tlsv12
      if let path = settings.trustedRoots {
        configuration.trustRoots = .certificates(
          try read("trustedRoots", "certificates in PEM") {
            try NIOSSLCertificate.fromPEMFile(path)
          })
      }
      guard (settings.certificate == nil) == (settings.privateKey == nil) else {
        throw TokenError(.storeAddress, node: "certificate", expected: "beside its privateKey")
      }
      if let path = settings.certificate, let key = settings.privateKey {
        configuration.certificateChain = try read("certificate", "a certificate in PEM") {
          try NIOSSLCertificate.fromPEMFile(path).map { .certificate($0) }
        }
        configuration.privateKey = .privateKey(
          try read("privateKey", "a private key in PEM") {
            try NIOSSLPrivateKey(file: key, format: .pem)
          })
      }
      return try read("certificate", "one that belongs to its privateKey") {
        try NIOSSLContext(configuration: configuration)
      }
    }

    private static func read<Value>(
      _ node: String, _ expected: String, _ body: () throws -> Value
    ) throws(TokenError) -> Value {
      do {
        return try body()
      } catch {
        throw TokenError(
          .storeAddress, node: node, expected: expected, found: "\(type(of: error))")
      }
    }
  }
#endif
