import Octets

/// What octets of a token as it travels may be.
enum PairOctets {
  /// Where the first stands that is not allowed: printable ASCII is, but quotation marks.
  static func firstRefused(_ octets: Span<UInt8>) -> Int? {
    octets.indices.first { !isAllowed(octets[$0]) }
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    byte > 0x20 && byte < 0x7F && byte != 0x22
  }

  /// Where the first `%` of the pair at `start` stands that begins no escape.
  static func firstBrokenEscape(_ token: Span<UInt8>, from start: Int) -> Int? {
    let end = token.firstIndex(of: ASCII.ampersand, from: start) ?? token.count
    var place = start
    while let percent = token.firstIndex(of: ASCII.percent, in: place..<end) {
      guard percent + 2 < end, Hex.value(token[percent + 1]) != nil,
        Hex.value(token[percent + 2]) != nil
      else { return percent }
      place = percent + 3
    }
    return nil
  }
}
