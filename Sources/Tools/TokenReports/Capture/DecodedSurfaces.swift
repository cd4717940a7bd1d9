import Octets

/// What a text has behind percent-encoding, hexadecimal digits and base64.
///
/// Decoding the text once takes as long as the text is; encoding each original in every way would take that
/// for each.
enum DecodedSurfaces {
  static func of(_ text: [UInt8]) -> [[UInt8]] {
    var surfaces: [[UInt8]] = []
    if text.contains(ASCII.percent) { surfaces.append(ReversibleText(percent: text[...]).decoded) }
    var place = 0
    while place < text.count {
      let end = text[place...].firstIndex { digit($0) == nil } ?? text.count
      if end - place >= 6 { surfaces += base64(text[place..<end]) }
      place = end + 1
    }
    place = 0
    while place < text.count {
      let end = text[place...].firstIndex { Hex.value($0) == nil } ?? text.count
      if end - place >= 8 { surfaces += hexadecimal(text[place..<end]) }
      place = end + 1
    }
    return surfaces
  }

  /// The octets of a run of digits, which may begin with any of four.
  private static func base64(_ run: ArraySlice<UInt8>) -> [[UInt8]] {
    (0..<4).map { skipped in
      var octets: [UInt8] = []
      octets.reserveCapacity(run.count)
      var (bits, count) = (UInt32(0), 0)
      for byte in run.dropFirst(skipped) {
        bits = bits << 6 | UInt32(digit(byte) ?? 0)
        count += 6
        guard count >= 8 else { continue }
        count -= 8
        octets.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
      return octets
    }
  }

  private static func hexadecimal(_ run: ArraySlice<UInt8>) -> [[UInt8]] {
    (0..<2).map { skipped in
      let digits = run.dropFirst(skipped).compactMap(Hex.value)
      return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
  }

  /// The value of a digit of base64 in either alphabet.
  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x41...0x5A: byte - 0x41
    case 0x61...0x7A: byte - 0x61 + 26
    case 0x30...0x39: byte - 0x30 + 52
    case ASCII.plus, UInt8(ascii: "-"): 62
    case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
    default: nil
    }
  }
}
