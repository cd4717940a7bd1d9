import COpenSSL
package import TokenBasics

extension PublicKey {
  /// An RSA key of big-endian components (RFC 7518, 6.3.1).
  ///
  /// - Throws: `key.unreadable`, `key.unsupported`, `key.weak`.
  package init(rsaModulus modulus: [UInt8], exponent: [UInt8]) throws(TokenError) {
    try self.init(der: Self.rsaDER(modulus: modulus, exponent: exponent))
  }

  /// Modulus and public exponent of an RSA key, big-endian without leading zeros (RFC 7518, 6.3.1); nil for other keys.
  package var rsaComponents: (modulus: [UInt8], exponent: [UInt8])? {
    guard let modulus = storage.number(OSSL_PKEY_PARAM_RSA_N),
      let exponent = storage.number(OSSL_PKEY_PARAM_RSA_E)
    else { return nil }
    return (modulus, exponent)
  }

  static func rsaDER(modulus: [UInt8], exponent: [UInt8]) -> [UInt8] {
    let key = ASN1.sequence(ASN1.integer(modulus) + ASN1.integer(exponent))
    return ASN1.sequence(ASN1.rsaEncryption + ASN1.bitString(key))
  }

  /// An EC key of affine coordinates, each as wide as the curve (RFC 7518, 6.2.1).
  ///
  /// - Throws: `key.unreadable`, `key.unsupported`.
  package init(ecCurve curve: String, x: [UInt8], y: [UInt8]) throws(TokenError) {
    guard let (_, width) = ASN1.curves[curve] else {
      throw TokenError(.unsupportedKey, expected: "P-256, P-384 or P-521")
    }
    guard x.count == width, y.count == width else {
      throw TokenError(.unreadableKey, expected: "coordinates of \(width) bytes")
    }
    try self.init(point: [0x04] + x + y)
  }

  /// An Ed25519 key of 32 octets (RFC 8032, 5.1.5).
  ///
  /// - Throws: `key.unreadable`.
  package init(ed25519 octets: [UInt8]) throws(TokenError) {
    try self.init(raw: octets, 32, ASN1.ed25519, EVP_PKEY_ED25519)
  }

  /// An Ed448 key of 57 octets (RFC 8032, 5.2.5).
  ///
  /// - Throws: `key.unreadable`.
  package init(ed448 octets: [UInt8]) throws(TokenError) {
    try self.init(raw: octets, 57, ASN1.ed448, EVP_PKEY_ED448)
  }

  /// An X25519 key of 32 octets (RFC 7748, 5).
  ///
  /// - Throws: `key.unreadable`.
  package init(x25519 octets: [UInt8]) throws(TokenError) {
    try self.init(raw: octets, 32, ASN1.x25519, EVP_PKEY_X25519)
  }

  /// A key that is its octets alone (RFC 8410, 4).
  private init(
    raw octets: [UInt8], _ length: Int, _ identifier: [UInt8], _ type: Int32
  ) throws(TokenError) {
    guard octets.count == length else {
      throw TokenError(.unreadableKey, expected: "\(length) bytes", found: "\(octets.count)")
    }
    try self.init(
      Storage(raw: octets, type: type),
      info: ASN1.sequence(ASN1.sequence(identifier) + ASN1.bitString(octets)))
  }

  /// The 32 octets of an Ed25519 or X25519 key; nil for other keys.
  package var curve25519Octets: [UInt8]? {
    kind == .ed25519 || kind == .x25519 ? storage.rawOctets : nil
  }
}

/// As much DER (X.690) as a SubjectPublicKeyInfo and a private key (RFC 5958, RFC 8017 A.1.2) need; OpenSSL parses
/// and checks the result.
enum ASN1 {
  static let rsaEncryption: [UInt8] = [
    0x30, 0x0D, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01, 0x05, 0x00,
  ]
  static let ecPublicKey: [UInt8] = [0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]
  static let ed25519: [UInt8] = [0x06, 0x03, 0x2B, 0x65, 0x70]
  static let ed448: [UInt8] = [0x06, 0x03, 0x2B, 0x65, 0x71]
  static let x25519: [UInt8] = [0x06, 0x03, 0x2B, 0x65, 0x6E]
  static let curves: [String: ([UInt8], Int)] = [
    "P-256": ([0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07], 32),
    "P-384": ([0x06, 0x05, 0x2B, 0x81, 0x04, 0x00, 0x22], 48),
    "P-521": ([0x06, 0x05, 0x2B, 0x81, 0x04, 0x00, 0x23], 66),
  ]

  static func sequence(_ content: [UInt8]) -> [UInt8] { tagged(0x30, content) }
  static func octetString(_ content: [UInt8]) -> [UInt8] { tagged(0x04, content) }
  static func bitString(_ content: [UInt8]) -> [UInt8] { tagged(0x03, [0x00] + content) }

  /// A positive integer: no superfluous leading zero, one where the sign bit is set.
  static func integer(_ bytes: [UInt8]) -> [UInt8] {
    let significant = Array(bytes.drop { $0 == 0 })
    guard let first = significant.first else { return tagged(0x02, [0x00]) }
    return tagged(0x02, (first & 0x80 == 0 ? [] : [0x00]) + significant)
  }

  private static func tagged(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    let count = content.count
    if count < 0x80 { return [tag, UInt8(truncatingIfNeeded: count)] + content }
    var length: [UInt8] = []
    var rest = count
    while rest > 0 {
      length.insert(UInt8(truncatingIfNeeded: rest), at: 0)
      rest >>= 8
    }
    return [tag, 0x80 | UInt8(truncatingIfNeeded: length.count)] + length + content
  }
}
