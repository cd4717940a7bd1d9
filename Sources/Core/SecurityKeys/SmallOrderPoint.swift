/// The points of Ed25519 and Ed448 whose order divides the cofactor, 8 and 4. Under such a key one signature is
/// valid for many messages, or for all (RFC 8032, 8.9; Chalkias, Garillot and Nikolaenko, "Taming
/// the many EdDSAs", 2020).
enum SmallOrderPoint {
  /// Whether the octets of a key, 32 of Ed25519 (RFC 8032, 5.1.5) or 57 of Ed448 (5.2.5), encode one of them,
  /// canonically or not.
  static func isEncoded(by key: [UInt8]) -> Bool {
    var y = key
    guard let last = y.popLast() else { return false }
    // The highest bit is the sign of x: with it each y has two encodings.
    y.append(last & 0x7F)
    return ordinates.contains(y) || ordinates448.contains(y)
  }

  /// y of the eight points in little-endian order, five values, and two of them once more above the
  /// prime 2^255 - 19, which readers reduce.
  private static let ordinates: [[UInt8]] = [
    edges(0x00, 0x00, 0x00),
    edges(0x01, 0x00, 0x00),
    [
      0x26, 0xE8, 0x95, 0x8F, 0xC2, 0xB2, 0x27, 0xB0, 0x45, 0xC3, 0xF4, 0x89, 0xF2, 0xEF, 0x98,
      0xF0,
      0xD5, 0xDF, 0xAC, 0x05, 0xD3, 0xC6, 0x33, 0x39, 0xB1, 0x38, 0x02, 0x88, 0x6D, 0x53, 0xFC,
      0x05,
    ],
    [
      0xC7, 0x17, 0x6A, 0x70, 0x3D, 0x4D, 0xD8, 0x4F, 0xBA, 0x3C, 0x0B, 0x76, 0x0D, 0x10, 0x67,
      0x0F,
      0x2A, 0x20, 0x53, 0xFA, 0x2C, 0x39, 0xCC, 0xC6, 0x4E, 0xC7, 0xFD, 0x77, 0x92, 0xAC, 0x03,
      0x7A,
    ],
    edges(0xEC, 0xFF, 0x7F),
    edges(0xED, 0xFF, 0x7F),
    edges(0xEE, 0xFF, 0x7F),
  ]

  /// The same of Ed448: four points, three values, and two of them once more above the prime 2^448 - 2^224 - 1.
  private static let ordinates448: [[UInt8]] = [
    edges448(0x00, 0x00, 0x00),
    edges448(0x01, 0x00, 0x00),
    edges448(0xFE, 0xFF, 0xFE),
    edges448(0xFF, 0xFF, 0xFE),
    edges448(0x00, 0x00, 0xFF),
  ]

  /// The first octet, 27 behind it, the one at 2^224, 27 behind that, and the octet of the sign.
  private static func edges448(_ first: UInt8, _ low: UInt8, _ middle: UInt8) -> [UInt8] {
    let high: UInt8 = middle == 0 ? 0 : 0xFF
    return [first] + [UInt8](repeating: low, count: 27) + [middle]
      + [UInt8](repeating: high, count: 27) + [0]
  }

  /// The first octet, thirty in the middle, and the last one.
  private static func edges(_ first: UInt8, _ middle: UInt8, _ last: UInt8) -> [UInt8] {
    [first] + [UInt8](repeating: middle, count: 30) + [last]
  }
}
