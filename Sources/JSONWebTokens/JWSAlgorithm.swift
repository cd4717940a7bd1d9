import Octets
import SecurityKeys

/// The names of RFC 7518, 3.1 and RFC 8037, 3.1.
enum JWSAlgorithm {
  /// The algorithm of exactly this name. `none` is not among them and cannot be.
  static func named(_ name: Span<UInt8>) -> SignatureAlgorithm? {
    for (known, algorithm) in known where name.hasBytes(of: known) { return algorithm }
    return nil
  }

  static let known: [(name: StaticString, algorithm: SignatureAlgorithm)] = [
    ("HS256", .hmacSHA256), ("HS384", .hmacSHA384), ("HS512", .hmacSHA512),
    ("RS256", .rsaSHA256), ("RS384", .rsaSHA384), ("RS512", .rsaSHA512),
    ("PS256", .rsaPSSSHA256), ("PS384", .rsaPSSSHA384), ("PS512", .rsaPSSSHA512),
    ("ES256", .ecdsaSHA256), ("ES384", .ecdsaSHA384), ("ES512", .ecdsaSHA512),
    ("EdDSA", .ed25519),
  ]

  /// RFC 7518, 3.4 ties each ECDSA name to one curve.
  static func coordinateBytes(of algorithm: SignatureAlgorithm) -> Int? {
    switch algorithm {
    case .ecdsaSHA256: 32
    case .ecdsaSHA384: 48
    case .ecdsaSHA512: 66
    default: nil
    }
  }
}
