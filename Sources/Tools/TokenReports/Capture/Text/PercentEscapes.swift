import Octets

/// How a text escapes the digits of base 64 that are neither letters nor figures.
struct PercentEscapes {
  private let letters: Hex.Letters

  init(of source: ArraySlice<UInt8>) {
    let isLower = source.indices.contains { place in
      source[place] == ASCII.percent
        && source[place...].prefix(3).contains { (0x61...0x66).contains($0) }
    }
    letters = isLower ? .lowercase : .uppercase
  }

  func encoding(_ octets: [UInt8]) -> [UInt8] {
    PercentEncoding.encode(octets, letters) { byte in
      ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == UInt8(ascii: "-")
        || byte == UInt8(ascii: "_")
    }
  }
}
