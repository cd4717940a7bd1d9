import Octets

/// The octets that a token may contain as sent.
enum PairOctets {
  /// The position of the first octet that is not printable ASCII, or is a quotation mark.
  static func firstRefused(_ octets: Span<UInt8>) -> Int? {
    octets.indices.first { !isAllowed(octets[$0]) }
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    byte > 0x20 && byte < 0x7F && byte != 0x22
  }

  /// The position of the first `%` in the pair at `start` that begins no escape.
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
