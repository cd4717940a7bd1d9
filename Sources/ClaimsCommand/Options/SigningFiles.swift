import Federation

/// Private keys, certificates and algorithms as a person names them.
enum SigningFiles {
  /// The key in a file.
  ///
  /// - Throws: `key.*`, `policy.mint-*`, `policy.unknown-algorithm-name`.
  static func key(
    _ path: String, certificate: Certificate?, algorithm: String?
  ) throws(TokenError) -> SigningKey {
    try key(path, algorithm: algorithm) { _ in certificate }
  }

  /// The key in a file, with that one of `certificates` that is its own.
  ///
  /// - Throws: as ``key(_:certificate:algorithm:)``; `policy.mint-certificate` when none is.
  static func key(
    _ path: String, among certificates: [Certificate], algorithm: String?
  ) throws(TokenError) -> SigningKey {
    try key(path, algorithm: algorithm) { key in
      certificates.first { $0.publicKey.isSameKey(as: key.publicKey) } ?? certificates.first
    }
  }

  private static func key(
    _ path: String, algorithm: String?, certificate: (PrivateKey) -> Certificate?
  ) throws(TokenError) -> SigningKey {
    let named = try algorithm.map(Self.algorithm)
    do {
      let key = try PrivateKey(pemOrDER: ConfigurationFiles().read(path))
      return try SigningKey(key, certificate: certificate(key), algorithm: named)
    } catch {
      throw error.located(at: path)
    }
  }

  /// The certificate in a file.
  ///
  /// - Throws: `key.*`.
  static func certificate(_ path: String) throws(TokenError) -> Certificate {
    do throws(TokenError) {
      let key = try VerificationKey(pemOrDER: ConfigurationFiles().read(path))
      guard case .certificate(let certificate) = key.material else {
        throw TokenError(.unreadableKey, expected: "a certificate", found: "a bare public key")
      }
      return certificate
    } catch {
      throw error.located(at: path)
    }
  }

  /// - Throws: `policy.unknown-algorithm-name`.
  static func algorithm(_ nameOrURI: String) throws(TokenError) -> SignatureAlgorithm {
    let known = SignatureAlgorithm.all.first { $0.name == nameOrURI || $0.uri == nameOrURI }
    guard let known else {
      throw TokenError(
        .unknownAlgorithmName, node: "--algorithm",
        expected: SignatureAlgorithm.all.filter { !$0.isLegacy }.map(\.name)
          .joined(separator: ", "), found: TokenError.excerpt(nameOrURI))
    }
    return known
  }
}
