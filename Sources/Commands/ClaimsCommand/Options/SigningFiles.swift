import Federation

/// Private keys, certificates and algorithms named by options.
enum SigningFiles {
  /// The key in a file.
  ///
  /// - Throws: `key.*`, `policy.mint-*`, `policy.unknown-algorithm-name`.
  static func key(
    _ path: String, certificate: Certificate?, algorithm: String?
  ) throws(TokenError) -> SigningKey {
    try key(path, algorithm: algorithm) { _ in certificate }
  }

  /// The key in a file, with its own certificate among `certificates`.
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

  /// The recipient to encrypt to, with algorithms by name or URI; nil for the default.
  ///
  /// - Throws: `key.*`, `policy.unknown-algorithm-name`, `policy.mint-encryption-algorithm`.
  static func recipient(
    _ path: String, cipher: String?, keyEncryption: String?
  ) throws(TokenError) -> EncryptionRecipient {
    let cipher = try cipher.map { (name) throws(TokenError) in
      let known = ContentCipher.allCases.first { $0.name == name || $0.uri == name }
      return try require(known, "--encryption-algorithm", ContentCipher.allCases.map(\.name), name)
    }
    let keyEncryption = try keyEncryption.map { (name) throws(TokenError) in
      try require(
        KeyEncryption(rawValue: name), "--key-encryption", KeyEncryption.allCases.map(\.name), name)
    }
    let certificate = try certificate(path)
    do throws(TokenError) {
      return try EncryptionRecipient(
        certificate, cipher: cipher ?? .aes256GCM, keyEncryption: keyEncryption)
    } catch {
      throw error.located(at: path)
    }
  }

  /// The recipient of an encrypted JWT: a certificate or public key in PEM or DER, or `jwk:PATH`; algorithms by name.
  ///
  /// - Throws: `key.*`, `input.json-*`, `policy.unknown-algorithm-name`, `policy.mint-encryption-algorithm`.
  static func recipient(
    ofJWT specification: String, keyManagement: String?, encryption: String?
  ) throws(TokenError) -> JSONWebEncryptionRecipient {
    let algorithm = try keyManagement.map { (name) throws(TokenError) in
      try require(
        KeyManagement(rawValue: name), "--key-management", KeyManagement.allCases.map(\.name), name)
    }
    let content = try encryption.map { (name) throws(TokenError) in
      try require(
        ContentEncryption(rawValue: name), "--encryption", ContentEncryption.allCases.map(\.name),
        name)
    }
    let files = ConfigurationFiles()
    do throws(TokenError) {
      let prefix = "jwk:"
      guard !specification.hasPrefix(prefix) else {
        return try JSONWebEncryptionRecipient(
          jwk: files.read(String(specification.dropFirst(prefix.count))), algorithm: algorithm,
          encryption: content)
      }
      let key = try PublicKey(pemOrDER: files.read(specification))
      return try JSONWebEncryptionRecipient(
        key, algorithm: algorithm, encryption: content ?? .aes256GCM)
    } catch {
      throw error.located(at: specification)
    }
  }

  private static func require<Algorithm>(
    _ known: Algorithm?, _ option: String, _ names: [String], _ name: String
  ) throws(TokenError) -> Algorithm {
    guard let known else {
      throw TokenError(
        .unknownAlgorithmName, node: option, expected: names.joined(separator: ", "),
        found: Arguments.shown(algorithm: name))
    }
    return known
  }

  /// - Throws: `policy.unknown-algorithm-name`.
  static func algorithm(_ name: String) throws(TokenError) -> SignatureAlgorithm {
    try require(
      SignatureAlgorithm(named: name), "--algorithm", [SignatureAlgorithm.namesExpected], name)
  }
}
