import Octets
import SecurityKeys

/// The names of RFC 7518, 3.1 and RFC 8037, 3.1.
enum JWSAlgorithm {
  /// The algorithm of exactly this name. `none` is not among them.
  static func named(_ name: Span<UInt8>) -> SignatureAlgorithm? {
    for (known, algorithm) in known where name.hasBytes(of: known) { return algorithm }
    return nil
  }

  static let known = SignatureAlgorithm.namesInJOSE

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
