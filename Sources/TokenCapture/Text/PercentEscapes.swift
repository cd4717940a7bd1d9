import Octets

/// How a text escapes the digits of base 64 that are neither letters nor figures.
struct PercentEscapes {
  private let isLower: Bool

  init(of source: ArraySlice<UInt8>) {
    var isLower = false
    for (place, byte) in zip(source.indices, source) where byte == ASCII.percent {
      isLower = isLower || source[place...].prefix(3).contains { (0x61...0x66).contains($0) }
    }
    self.isLower = isLower
  }

  func encoding(_ octets: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    for byte in octets {
      if ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == UInt8(ascii: "-")
        || byte == UInt8(ascii: "_")
      {
        result.append(byte)
      } else {
        result += [ASCII.percent] + HexDigits.encode([byte], isLower: isLower)
      }
    }
    return result
  }
}
