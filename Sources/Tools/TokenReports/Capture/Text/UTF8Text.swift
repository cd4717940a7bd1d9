/// Characters of octets that may be no UTF-8.
enum UTF8Text {
  /// The character that begins at a place and the number of its octets; nil for octets that are none.
  static func scalar(
    _ octets: ArraySlice<UInt8>, at place: Int
  ) -> (scalar: Unicode.Scalar, count: Int)? {
    let first = octets[place]
    guard first >= 0x80 else { return (Unicode.Scalar(first), 1) }
    let (count, least): (Int, UInt32) =
      switch first {
      case 0xC2...0xDF: (2, 0x80)
      case 0xE0...0xEF: (3, 0x800)
      case 0xF0...0xF4: (4, 0x10000)
      default: (0, 0)
      }
    guard count > 0, octets.endIndex - place >= count else { return nil }
    var value = UInt32(first) & (0x7F >> UInt32(count))
    for next in octets[(place + 1)..<(place + count)] {
      guard next & 0xC0 == 0x80 else { return nil }
      value = value << 6 | UInt32(next & 0x3F)
    }
    guard value >= least, let scalar = Unicode.Scalar(value) else { return nil }
    return (scalar, count)
  }
}
