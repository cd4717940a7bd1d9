import Foundation
import SecurityKeys
import TestSupport
import Testing
import TokenBasics

/// Keys under which a signature is valid for more than one message.
@Suite("Ed25519 and Ed448 points of small order")
struct SmallOrderTests {
  /// y of the points of order 1, 2, 4 and 8, and the two of them that can be written above the
  /// prime too.
  static let ordinates = [
    "0000000000000000000000000000000000000000000000000000000000000000",
    "0100000000000000000000000000000000000000000000000000000000000000",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  ]

  /// Each of them with both signs of x.
  static let encodings: [[UInt8]] = ordinates.flatMap { text -> [[UInt8]] in
    let octets = stride(from: 0, to: text.utf8.count, by: 2).map { place -> UInt8 in
      let start = text.index(text.startIndex, offsetBy: place)
      return UInt8(text[start..<text.index(start, offsetBy: 2)], radix: 16) ?? 0
    }
    return [octets, octets.dropLast() + [octets[31] | 0x80]]
  }

  /// The prefix of a SubjectPublicKeyInfo (RFC 8410, 4).
  private static let header: [UInt8] = [
    0x30, 0x2A, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x03, 0x21, 0x00,
  ]

  private func pem(_ label: String, _ der: [UInt8]) -> [UInt8] {
    Array("-----BEGIN \(label)-----\n\(Base64.encode(der))\n-----END \(label)-----\n".utf8)
  }

  @Test(
    "CTX-4 Each is refused when the key is read, from DER, PEM and raw octets", arguments: encodings
  )
  func refused(point: [UInt8]) {
    #expect(throws: TokenError(.weakKey)) { try PublicKey(ed25519: point) }
    let der = Self.header + point
    #expect(throws: TokenError(.weakKey)) { try PublicKey(der: der) }
    #expect(throws: TokenError(.weakKey)) { try VerificationKey(pemOrDER: der) }
    #expect(throws: TokenError(.weakKey)) { try VerificationKey(pemOrDER: pem("PUBLIC KEY", der)) }
  }

  @Test("CTX-4 Each is refused in a certificate", arguments: encodings)
  func certificate(point: [UInt8]) throws {
    let key = try PrivateKey(pemOrDER: TestVector.bytes("keys/idp-ed25519.key"))
    let certificate = try TestCertificate.ed25519(key.publicKey)
    _ = try VerificationKey(pemOrDER: certificate)
    let own = Array(key.publicKey.der.suffix(32))
    let start = try #require(
      certificate.indices.first { certificate[$0...].starts(with: own) })
    let other = Array(certificate[..<start]) + point + Array(certificate[(start + 32)...])
    #expect(throws: TokenError(.weakKey)) { try VerificationKey(pemOrDER: other) }
    #expect(throws: TokenError(.weakKey)) {
      try VerificationKey(pemOrDER: pem("CERTIFICATE", other))
    }
  }

  /// y of Ed448's points of order 1, 2 and 4, and two of them above the prime 2^448 - 2^224 - 1.
  static let encodings448: [[UInt8]] = {
    let zeros = [UInt8](repeating: 0, count: 27)
    let ones = [UInt8](repeating: 0xFF, count: 27)
    let ordinates: [[UInt8]] = [
      [0] + zeros + [0] + zeros, [1] + zeros + [0] + zeros, [0xFE] + ones + [0xFE] + ones,
      [0xFF] + ones + [0xFE] + ones, [0] + zeros + [0xFF] + ones,
    ]
    return ordinates.flatMap { [$0 + [0], $0 + [0x80]] }
  }()

  @Test("CTX-4 Each of Ed448 is refused, and what is beside it is read", arguments: encodings448)
  func refused448(point: [UInt8]) throws {
    #expect(throws: TokenError(.weakKey)) { try PublicKey(ed448: point) }
    var other = point
    other[15] ^= 1
    _ = try PublicKey(ed448: other)
  }

  @Test("Ed448 signs and verifies messages, and neither Ed25519's nor a longer signature passes")
  func ed448() throws {
    let key = try SigningKey(PrivateKey(pemOrDER: TestVector.bytes("keys/idp-ed448.key")))
    #expect(key.algorithm == .ed448)
    let message = Array("message".utf8)
    let signature = try key.sign(message)
    let ring = KeyRing([TrustedKey(.publicKey(key.publicKey))])
    let now = Instant(secondsSinceEpoch: 0)
    _ = try ring.match(signature, over: message.span, .ed448, at: now)
    #expect(throws: TokenError(.signatureInvalid)) {
      try ring.match(signature + [0], over: message.span, .ed448, at: now)
    }
    #expect(throws: TokenError(.signatureInvalid)) {
      try ring.match(signature, over: Array("other".utf8).span, .ed448, at: now)
    }
    #expect(throws: TokenError(.algorithmKeyMismatch)) {
      try ring.match(signature, over: message.span, .ed25519, at: now)
    }
  }

  @Test("Generated keys, and points beside those, are read")
  func others() throws {
    _ = try VerificationKey(pemOrDER: TestVector.bytes("keys/idp-ed25519.pub"))
    for _ in 0..<16 {
      _ = try PrivateKey(generating: .ed25519)
      _ = try PrivateKey(generating: .ed448)
    }
    for point in Self.encodings {
      var other = point
      other[15] ^= 1
      _ = try PublicKey(ed25519: other)
    }
  }
}

/// Certificates that no generator here makes.
enum TestCertificate {
  /// A certificate around an Ed25519 key, with a signature of zeros, which nobody checks.
  static func ed25519(_ key: PublicKey) throws -> [UInt8] {
    let algorithm: [UInt8] = [0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70]
    let name = sequence(
      tagged(0x31, sequence([0x06, 0x03, 0x55, 0x04, 0x03] + tagged(0x0C, Array("t".utf8)))))
    let time = { (text: String) in tagged(0x17, Array(text.utf8)) }
    let body = sequence(
      tagged(0xA0, [0x02, 0x01, 0x02]) + [0x02, 0x01, 0x01] + algorithm + name
        + sequence(time("200101000000Z") + time("400101000000Z")) + name + key.der)
    return sequence(body + algorithm + tagged(0x03, [UInt8](repeating: 0, count: 65)))
  }

  private static func sequence(_ content: [UInt8]) -> [UInt8] { tagged(0x30, content) }

  private static func tagged(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    let count = UInt8(truncatingIfNeeded: content.count)
    return content.count < 0x80
      ? [tag, count] + content
      : content.count < 0x100
        ? [tag, 0x81, count] + content
        : [tag, 0x82, UInt8(truncatingIfNeeded: content.count >> 8), count] + content
  }
}
