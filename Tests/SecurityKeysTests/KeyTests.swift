import Octets
import SecurityKeys
import TestSupport
import Testing
import TokenBasics

@Suite("Keys")
struct KeyTests {
  func key(_ path: String) throws -> VerificationKey {
    try VerificationKey(pemOrDER: TestVector.bytes("keys/" + path))
  }

  @Test("A certificate and its bare key are the same key, in PEM and in DER")
  func forms() throws {
    let fingerprint = try key("idp-rsa.crt").fingerprint
    #expect(try key("idp-rsa.pub").fingerprint == fingerprint)
    #expect(try key("idp-rsa.der").fingerprint == fingerprint)
    #expect(fingerprint.hasPrefix("sha256:"))
    #expect(fingerprint.utf8.count == 7 + 64)
    #expect(try key("evil-rsa.crt").fingerprint != fingerprint)
  }

  @Test("An RSA key has one encoding, also when read without the NULL of its algorithm")
  func encoding() throws {
    let pem = String(decoding: TestVector.bytes("keys/idp-rsa.pub"), as: UTF8.self)
    let body = pem.split(separator: "\n").dropFirst().dropLast().joined()
    let written = try Base64.decode(Array(body.utf8).span)
    #expect(try PublicKey(der: written).der == written)
    // Both lengths around the two omitted octets.
    var short = written
    short.removeSubrange(17..<19)
    short[3] -= 2
    short[5] -= 2
    #expect(try PublicKey(der: short).der == written)
  }

  @Test(
    "Input that is no key is refused",
    arguments: [
      "", "x", "-----BEGIN CERTIFICATE-----\n",
      "-----BEGIN CERTIFICATE-----\n!!\n-----END CERTIFICATE-----\n",
      "-----BEGIN NONSENSE-----\nAAAA\n-----END NONSENSE-----\n",
    ])
  func nonsense(text: String) {
    #expect(throws: TokenError(.unreadableKey)) {
      try VerificationKey(pemOrDER: Array(text.utf8))
    }
  }

  @Test("Bytes after a DER certificate are detected")
  func trailingBytes() throws {
    let der = TestVector.bytes("keys/idp-rsa.der")
    _ = try VerificationKey(pemOrDER: der)
    #expect(throws: TokenError(.unreadableKey)) { try VerificationKey(pemOrDER: der + [0]) }
  }

  @Test("A private key is not a verification key")
  func privateKey() {
    #expect(throws: TokenError(.unreadableKey)) { try key("idp-rsa.key") }
  }

  @Test("An empty secret is refused, a short one needs an exception")
  func secrets() throws {
    #expect(throws: TokenError(.hmacKeyLength)) { try SymmetricKey(bytes: []) }
    let ring = KeyRing([TrustedKey(.secret(try SymmetricKey(bytes: [1, 2, 3])))])
    #expect(throws: TokenError(.hmacKeyLength)) {
      try ring.match(
        [0], over: [UInt8]().span, .hmacSHA256, at: Instant(secondsSinceEpoch: 0))
    }
  }

  @Test("A secret does not show itself")
  func description() throws {
    let bytes = Array("correct horse battery staple !!!".utf8)
    let key = VerificationKey.secret(try SymmetricKey(bytes: bytes))
    #expect(!"\(key)".contains("horse"))
    #expect(!String(reflecting: key.fingerprint).contains("horse"))
    #expect(key.fingerprint.utf8.count == 7 + 8)
  }

  @Test("An RSA key with e = 1 is refused: a bare padded hash would verify")
  func exponentOne() {
    // SubjectPublicKeyInfo of a 2048-bit modulus with the exponent 1, made by hand.
    var modulus = [UInt8](repeating: 0xC7, count: 256)
    modulus[255] = 0xC5
    let key = RSAKeyInfo.der(modulus: modulus, exponent: [1])
    #expect(throws: TokenError(.weakKey)) { try PublicKey(der: key) }
    #expect(throws: TokenError(.weakKey)) {
      try PublicKey(der: RSAKeyInfo.der(modulus: modulus, exponent: [2]))
    }
    #expect(throws: Never.self) {
      try PublicKey(der: RSAKeyInfo.der(modulus: modulus, exponent: [1, 0, 1]))
    }
  }

  @Test("A key of less than 1024 bits is refused, one of more than 8192 too")
  func sizes() {
    #expect(throws: TokenError(.weakKey)) {
      try PublicKey(
        der: RSAKeyInfo.der(modulus: [UInt8](repeating: 0xC7, count: 64), exponent: [1, 0, 1]))
    }
    #expect(throws: TokenError(.unsupportedKey)) {
      try PublicKey(
        der: RSAKeyInfo.der(modulus: [UInt8](repeating: 0xC7, count: 2048), exponent: [1, 0, 1]))
    }
  }

  @Test("CRY-10, SWT-29, SW-20 Comparison in constant time compares every byte")
  func constantTime() {
    #expect(ConstantTime.areEqual([1, 2, 3], [1, 2, 3]))
    #expect(ConstantTime.areEqual([], []))
    #expect(!ConstantTime.areEqual([1, 2, 3], [1, 2]))
    for index in 0..<32 {
      var changed = [UInt8](repeating: 7, count: 32)
      changed[index] ^= 1
      #expect(!ConstantTime.areEqual(changed, [UInt8](repeating: 7, count: 32)))
    }
  }

  @Test("An expired certificate warns by default and is refused with `enforce`")
  func certificateDates() throws {
    let key = try key("expired.crt")
    let now = try Instant(dateTime: "2030-01-01T12:00:00Z")
    let trusted = TrustedKey(key, certificateDates: .enforce)
    #expect(!trusted.hasValidDates(at: now))
    #expect(throws: TokenError(.certificateDates)) {
      try KeyRing([trusted]).match([0], over: [UInt8]().span, .rsaSHA256, at: now)
    }
    #expect(throws: TokenError(.signatureInvalid)) {
      try KeyRing([TrustedKey(key)]).match([0], over: [UInt8]().span, .rsaSHA256, at: now)
    }
  }

  @Test("A key verifies only algorithms of its own type")
  func types() throws {
    let now = Instant(secondsSinceEpoch: 0)
    let rsa = KeyRing([TrustedKey(try key("idp-rsa.crt"))])
    let secret = KeyRing([
      TrustedKey(.secret(try SymmetricKey(bytes: [UInt8](repeating: 1, count: 32))))
    ])
    for algorithm in [SignatureAlgorithm.hmacSHA256, .ecdsaSHA256] {
      #expect(throws: TokenError(.algorithmKeyMismatch)) {
        try rsa.match([0], over: [UInt8]().span, algorithm, at: now)
      }
    }
    #expect(throws: TokenError(.algorithmKeyMismatch)) {
      try secret.match([0], over: [UInt8]().span, .rsaSHA256, at: now)
    }
    #expect(throws: TokenError(.noKey)) {
      try KeyRing([]).match([0], over: [UInt8]().span, .rsaSHA256, at: now)
    }
  }
}

/// Builds a SubjectPublicKeyInfo for keys that no program generates.
enum RSAKeyInfo {
  static func der(modulus: [UInt8], exponent: [UInt8]) -> [UInt8] {
    let key = tagged(0x30, tagged(0x02, [0] + modulus) + tagged(0x02, exponent))
    let rsaEncryption: [UInt8] = [
      0x30, 0x0D, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01, 0x05, 0x00,
    ]
    return tagged(0x30, rsaEncryption + tagged(0x03, [0] + key))
  }

  private static func tagged(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    let count = content.count
    let length: [UInt8] =
      count < 128
      ? [UInt8(count)]
      : count < 256 ? [0x81, UInt8(count)] : [0x82, UInt8(count >> 8), UInt8(count & 255)]
    return [tag] + length + content
  }
}

@Suite("Private keys")
struct PrivateKeyTests {
  @Test(
    "A certificate's key verifies its private key's signatures",
    arguments: [
      ("idp-rsa", SignatureAlgorithm.rsaSHA256), ("idp-rsa", .rsaPSSSHA256),
      ("idp-ec256", .ecdsaSHA256), ("idp-ec384", .ecdsaSHA384), ("idp-ec521", .ecdsaSHA512),
    ])
  func signs(name: String, algorithm: SignatureAlgorithm) throws {
    let key = try PrivateKey(pemOrDER: TestVector.bytes("keys/\(name).key"))
    let certificate = try VerificationKey(pemOrDER: TestVector.bytes("keys/\(name).crt"))
    let digest = try #require(algorithm.digest.digest(of: Array("message".utf8)))
    let signature = try #require(key.sign(digest: digest, algorithm))
    let ring = KeyRing([TrustedKey(certificate)])
    let match = try ring.match(
      signature, over: Array("message".utf8).span, algorithm, at: Instant(secondsSinceEpoch: 0))
    #expect(match.key.fingerprint == certificate.fingerprint)
    #expect(throws: TokenError(.signatureInvalid)) {
      try ring.match(
        signature, over: Array("massage".utf8).span, algorithm, at: Instant(secondsSinceEpoch: 0))
    }
  }

  @Test("A certificate is not a private key, and a key does not show itself")
  func refuses() throws {
    #expect(throws: TokenError(.unreadableKey)) {
      try PrivateKey(pemOrDER: TestVector.bytes("keys/idp-rsa.crt"))
    }
    let key = try PrivateKey(pemOrDER: TestVector.bytes("keys/idp-rsa.key"))
    #expect(!"\(key)".contains("PRIVATE"))
    #expect(key.sign(digest: [UInt8](repeating: 0, count: 32), .ecdsaSHA256) == nil)
  }
}
