/// Classes of characters that a replacement keeps.
enum CharacterShape {
  /// Another character of the class of `scalar`, in as many octets of UTF-8; one that is neither letter
  /// nor digit stays.
  static func another(_ scalar: Unicode.Scalar, _ random: UInt8) -> Unicode.Scalar {
    let choice = UInt32(random)
    switch scalar.value {
    case 0x30...0x39: return made(0x30 + choice % 10, scalar)
    case 0x41...0x5A: return made(0x41 + choice % 26, scalar)
    case 0x61...0x7A: return made(0x61 + choice % 26, scalar)
    case 0xFF10...0xFF19: return made(0xFF10 + choice % 10, scalar)
    case 0..<0x80: return scalar
    default: break
    }
    guard scalar.properties.isAlphabetic else { return scalar }
    switch scalar.value {
    case 0x80..<0x800:
      return made((scalar.properties.isUppercase ? 0xC0 : 0xE0) + choice % 23, scalar)
    case 0x800..<0x10000: return made(0x4E00 + choice * 61, scalar)
    default: return made(0x20000 + choice * 61, scalar)
    }
  }

  /// Whether the character belongs to a word.
  static func isWord(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0xFF10...0xFF19: true
    case 0..<0x80: false
    default: scalar.properties.isAlphabetic
    }
  }

  private static func made(_ value: UInt32, _ otherwise: Unicode.Scalar) -> Unicode.Scalar {
    Unicode.Scalar(value) ?? otherwise
  }
}
