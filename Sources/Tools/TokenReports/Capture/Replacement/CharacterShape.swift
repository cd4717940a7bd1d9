/// Classes of characters that a replacement keeps.
///
/// White space and punctuation of ASCII stay; every other character becomes another of its class, in as many
/// octets of UTF-8. The classes are what readers of tokens tell apart: case, the decimal digits of one script,
/// and what begins a name of XML, continues one, or does neither.
enum CharacterShape {
  static func another(_ scalar: Unicode.Scalar, _ random: UInt8) -> Unicode.Scalar {
    let choice = UInt32(random)
    let value: UInt32 =
      switch scalar.value {
      case 0x30...0x39: 0x30 + choice % 10
      case 0x41...0x5A: 0x41 + choice % 26
      case 0x61...0x7A: 0x61 + choice % 26
      case 0x01...0x08, 0x0B, 0x0C, 0x0E...0x1F: 0x01 + choice % 8
      case 0..<0x80, 0xB7, 0xFEFF, 0xFFFE, 0xFFFF: scalar.value
      default: digitZero(scalar).map { $0 + choice % 10 } ?? beyondASCII(scalar, choice)
      }
    return Unicode.Scalar(value) ?? scalar
  }

  /// An octet that is part of no UTF-8, for one that is not either.
  static func anotherInvalid(_ random: UInt8) -> UInt8 {
    let choice = random % 13
    return choice < 2 ? 0xC0 + choice : 0xF3 + choice
  }

  /// Whether the character belongs to a word.
  static func isWord(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    case 0..<0x80: false
    default:
      scalar.properties.isAlphabetic || scalar.properties.numericType != nil
        || [.nonspacingMark, .spacingMark, .enclosingMark].contains(
          scalar.properties.generalCategory)
    }
  }

  /// The zero of the script whose decimal digit it is.
  private static func digitZero(_ scalar: Unicode.Scalar) -> UInt32? {
    guard scalar.properties.numericType == .decimal, let value = scalar.properties.numericValue,
      (0...9).contains(value), scalar.value > 9
    else { return nil }
    return scalar.value - UInt32(value)
  }

  private static func beyondASCII(_ scalar: Unicode.Scalar, _ choice: UInt32) -> UInt32 {
    switch scalar.value {
    case 0x80..<0xA0: 0x80 + choice % 0x20
    case 0x300..<0x370: 0x300 + choice % 0x70
    case 0xA0..<0xC0, 0xD7, 0xF7, 0x37E: 0xA1 + choice % 9
    case 0xC0..<0x800: (scalar.properties.isUppercase ? 0xC0 : 0xE0) + choice % 23
    // Joiners and ties continue a name.
    case 0x200C, 0x200D: 0x200C + choice % 2
    case 0x203F, 0x2040: 0x203F + choice % 2
    case 0x2000..<0x2070, 0x2190..<0x2C00, 0x2FF0...0x3000, 0xD800..<0xF900, 0xFDD0..<0xFDF0:
      0x2190 + choice % 112
    case 0x800..<0x10000: 0x4E00 + choice * 61
    case 0x10000..<0xF0000:
      scalar.properties.isAlphabetic ? 0x20000 + choice * 61 : 0x1F600 + choice % 80
    default: 0xF0000 + choice
    }
  }
}
