public import TokenBasics

/// A private key, the algorithm it signs with, and the certificate that accompanies its signatures.
public struct SigningKey: Sendable {
  /// The algorithm it signs with.
  public let algorithm: SignatureAlgorithm
  /// The certificate of the key, if signatures include it.
  public let certificate: Certificate?
  private let key: PrivateKey

  /// A key that signs.
  ///
  /// Without `algorithm`, RSA signs with `rsa-sha256` (PKCS #1 v1.5) and EC with the digest of the
  /// curve's strength. RSA PKCS #1 v1.5 gives the same signature every time; OpenSSL 3.0 randomises
  /// `rsa-pss-` and `ecdsa-`.
  ///
  /// - Throws: `policy.mint-algorithm` for an algorithm of another type of key or with SHA-1,
  ///   `policy.mint-certificate` for another key's certificate, `key.weak` for RSA under 2048 bits or
  ///   with an exponent under 65537.
  public init(
    _ key: PrivateKey, certificate: Certificate? = nil, algorithm: SignatureAlgorithm? = nil
  ) throws(TokenError) {
    let algorithm = algorithm ?? Self.defaultAlgorithm(for: key.publicKey)
    guard key.publicKey.accepts(algorithm), !algorithm.isLegacy else {
      throw TokenError(
        .mintAlgorithm, expected: Self.algorithms(of: key.publicKey), found: algorithm.name)
    }
    guard key.publicKey.exceptions.isEmpty else {
      throw TokenError(
        .weakKey, expected: "RSA of 2048 bits or more with e of 65537 or more",
        found: VerificationKey.publicKey(key.publicKey).kindName)
    }
    if let certificate, !certificate.publicKey.isSameKey(as: key.publicKey) {
      throw TokenError(
        .mintCertificate, expected: VerificationKey.publicKey(key.publicKey).fingerprint,
        found: VerificationKey.certificate(certificate).fingerprint)
    }
    self.key = key
    self.certificate = certificate
    self.algorithm = algorithm
  }

  /// The same key for another of its algorithms; nil for one that it does not sign with.
  package func signing(by algorithm: SignatureAlgorithm) -> Self? {
    try? Self(key, certificate: certificate, algorithm: algorithm)
  }

  /// The public half.
  public var publicKey: PublicKey { key.publicKey }

  /// The signature of `message`; ECDSA as r‖s of fixed width.
  ///
  /// - Throws: `policy.mint-signature`.
  package func sign(_ message: [UInt8]) throws(TokenError) -> [UInt8] {
    guard let signature = key.sign(message, algorithm) else {
      throw TokenError(.mintSignature, found: algorithm.name)
    }
    return signature
  }

  private static func defaultAlgorithm(for key: PublicKey) -> SignatureAlgorithm {
    switch key.kind {
    case .rsa: .rsaSHA256
    case .ec(coordinateBytes: 48): .ecdsaSHA384
    case .ec(coordinateBytes: 66): .ecdsaSHA512
    case .ec: .ecdsaSHA256
    case .ed25519, .x25519: .ed25519
    case .ed448: .ed448
    }
  }

  private static func algorithms(of key: PublicKey) -> String {
    SignatureAlgorithm.all.filter { key.accepts($0) && !$0.isLegacy }.map(\.name)
      .joined(separator: ", ")
  }
}
