import SecurityKeys
import TestSupport
import Testing
import TokenBasics

/// Keys of coordinates and of octets, as JSON Web Keys and XML Signature have them, which no decoder of OpenSSL reads.
@Suite("Keys of points")
struct PointKeyTests {
  enum Curve: String, CaseIterable {
    case p256 = "P-256"
    case p384 = "P-384"
    case p521 = "P-521"

    var kind: PrivateKey.NewKind {
      switch self {
      case .p256: .ec256
      case .p384: .ec384
      case .p521: .ec521
      }
    }
  }

  private func coordinates(_ key: PublicKey) throws -> (x: [UInt8], y: [UInt8]) {
    let point = try #require(key.curveAndPoint).point
    let width = point.count / 2
    return (Array(point.dropFirst().prefix(width)), Array(point.suffix(width)))
  }

  @Test("A key of coordinates is the key of its encoding", arguments: Curve.allCases)
  func coordinates(curve: Curve) throws {
    let own = try PrivateKey(generating: curve.kind)
    let (x, y) = try coordinates(own.publicKey)
    let key = try PublicKey(ecCurve: curve.rawValue, x: x, y: y)
    #expect(key.kind == own.publicKey.kind && key.isSameKey(as: own.publicKey))
    #expect(key.isFullySound)
    #expect(try PublicKey(der: key.der).isSameKey(as: key))
    let message = Array("message".utf8)
    let signature = try #require(own.sign(message, .ecdsaSHA256))
    let digest = DigestAlgorithm.sha256.value(of: message.span)
    let isValid = digest.map { key.isValid(signature.span, forDigest: $0, .ecdsaSHA256) }
    #expect(isValid == true)
  }

  @Test(
    "The encoding is the one in the certificate",
    arguments: ["idp-ec256", "idp-ec384", "idp-ec521", "rp-ec256"])
  func encoding(name: String) throws {
    let pem = String(decoding: TestVector.bytes("keys/\(name).crt"), as: UTF8.self)
    let body = pem.split(separator: "\n").dropFirst().dropLast().joined()
    let octets = try Base64.decode(Array(body.utf8).span)
    let der = try PublicKey(pemOrDER: octets).der
    #expect((0...octets.count - der.count).contains { octets[$0...].starts(with: der) })
  }

  @Test("A compressed point is the key of the whole one")
  func compressed() throws {
    let (x, y) = try coordinates(PrivateKey(generating: .ec256).publicKey)
    let whole = try PublicKey(ecCurve: "P-256", x: x, y: y)
    var written = Array(whole.der.prefix(27)) + x
    written[1] = 0x39
    written[24] = 0x22
    written[26] = y[31] & 1 == 0 ? 2 : 3
    let key = try PublicKey(der: written)
    #expect(key.isSameKey(as: whole) && key.der == whole.der && key.kind == whole.kind)
  }

  @Test("A point beside the curve is no key", arguments: Curve.allCases)
  func beside(curve: Curve) throws {
    let (x, y) = try coordinates(PrivateKey(generating: curve.kind).publicKey)
    _ = try PublicKey(ecCurve: curve.rawValue, x: x, y: y)
    let zero = [UInt8](repeating: 0, count: x.count)
    let changed = Array(y.dropLast()) + [(y.last ?? 0) ^ 1]
    // Above the field of each curve.
    let largest = [UInt8](repeating: 0xFF, count: x.count)
    for (x, y) in [(x, changed), (y, x), (zero, zero), (largest, y), (x, largest)] {
      #expect(throws: TokenError(.unreadableKey)) {
        try PublicKey(ecCurve: curve.rawValue, x: x, y: y)
      }
    }
  }

  @Test("A coordinate with the field's prime added is refused, the same one without is read")
  func unreduced() throws {
    // Zero is the first coordinate of a point of P-256, and the prime has room in its place.
    let second: [UInt8] = [
      0x66, 0x48, 0x5C, 0x78, 0x0E, 0x2F, 0x83, 0xD7, 0x24, 0x33, 0xBD, 0x5D, 0x84, 0xA0, 0x6B,
      0xB6, 0x54, 0x1C, 0x2A, 0xF3, 0x1D, 0xAE, 0x87, 0x17, 0x28, 0xBF, 0x85, 0x6A, 0x17, 0x4F,
      0x93, 0xF4,
    ]
    let prime =
      [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 1] + [UInt8](repeating: 0, count: 12)
      + [UInt8](repeating: 0xFF, count: 12)
    let zero = [UInt8](repeating: 0, count: 32)
    #expect(try PublicKey(ecCurve: "P-256", x: zero, y: second).isFullySound)
    #expect(throws: TokenError(.unreadableKey)) {
      try PublicKey(ecCurve: "P-256", x: prime, y: second)
    }
  }

  @Test("Both sides of an agreement derive one key", arguments: Curve.allCases)
  func agreement(curve: Curve) throws {
    let (ours, theirs) = (
      try PrivateKey(generating: curve.kind), try PrivateKey(generating: curve.kind)
    )
    func peer(_ key: PrivateKey) throws -> PublicKey {
      let (x, y) = try coordinates(key.publicKey)
      return try PublicKey(ecCurve: curve.rawValue, x: x, y: y)
    }
    let derivation = ConcatKDF(digest: .sha256, otherInfo: [1])
    let one = try #require(ours.agree(with: peer(theirs), derivation, length: 32))
    #expect(try theirs.agree(with: peer(ours), derivation, length: 32) == one)
    for other in Curve.allCases where other != curve {
      let stranger = try PrivateKey(generating: other.kind).publicKey
      #expect(ours.agree(with: stranger, derivation, length: 32) == nil)
    }
  }

  @Test("A key of octets is the key of its encoding")
  func octets() throws {
    let agrees = try PrivateKey(generating: .x25519).publicKey
    let same = try PublicKey(x25519: #require(agrees.curve25519Octets))
    #expect(same.isSameKey(as: agrees) && same.kind == .x25519 && same.der == agrees.der)
    let signs = try PrivateKey(generating: .ed25519).publicKey
    #expect(try PublicKey(ed25519: #require(signs.curve25519Octets)).isSameKey(as: signs))
    let long = try PrivateKey(generating: .ed448).publicKey
    #expect(try PublicKey(ed448: Array(long.der.suffix(57))).isSameKey(as: long))
  }
}
