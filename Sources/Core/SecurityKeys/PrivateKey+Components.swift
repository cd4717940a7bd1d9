package import TokenBasics

extension PrivateKey {
  /// The components of an RSA key, big-endian (RFC 7518, 6.3.2).
  package struct RSAComponents: Sendable {
    package var modulus: [UInt8] = []
    package var publicExponent: [UInt8] = []
    package var privateExponent: [UInt8] = []
    package var primes: (p: [UInt8], q: [UInt8]) = ([], [])
    package var exponents: (p: [UInt8], q: [UInt8]) = ([], [])
    package var coefficient: [UInt8] = []

    package init() {}
  }

  /// An RSA key of its components (RFC 8017, A.1.2).
  ///
  /// - Throws: `key.unreadable`, `key.unsupported`, `key.weak`.
  package init(rsa parts: RSAComponents) throws(TokenError) {
    let numbers = [
      parts.modulus, parts.publicExponent, parts.privateExponent, parts.primes.p, parts.primes.q,
      parts.exponents.p, parts.exponents.q, parts.coefficient,
    ]
    try self.init(
      Storage(der: ASN1.sequence(ASN1.integer([]) + numbers.flatMap { ASN1.integer($0) })))
  }

  /// An EC key of its number, as wide as the curve (RFC 7518, 6.2.2; RFC 5915, 3).
  ///
  /// - Throws: `key.unreadable`, `key.unsupported`, `key.weak`.
  package init(ecCurve curve: String, number: [UInt8]) throws(TokenError) {
    guard let (identifier, width) = ASN1.curves[curve] else {
      throw TokenError(.unsupportedKey, expected: "P-256, P-384 or P-521")
    }
    guard number.count == width else {
      throw TokenError(.unreadableKey, expected: "a number of \(width) bytes")
    }
    let key = ASN1.sequence(ASN1.integer([1]) + ASN1.octetString(number))
    try self.init(Self.storage(ASN1.ecPublicKey + identifier, key))
  }

  /// An X25519 key of 32 octets (RFC 8037, 2; RFC 8410, 7).
  ///
  /// - Throws: `key.unreadable`.
  package init(x25519 octets: [UInt8]) throws(TokenError) {
    guard octets.count == 32 else {
      throw TokenError(.unreadableKey, expected: "32 bytes", found: "\(octets.count)")
    }
    try self.init(Self.storage(ASN1.x25519, ASN1.octetString(octets)))
  }

  /// PKCS #8 (RFC 5958, 2).
  private static func storage(_ algorithm: [UInt8], _ key: [UInt8]) -> Storage? {
    Storage(
      der: ASN1.sequence(
        ASN1.integer([]) + ASN1.sequence(algorithm) + ASN1.octetString(key)))
  }
}
