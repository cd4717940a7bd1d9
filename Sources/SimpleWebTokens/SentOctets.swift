import Octets

/// The octets that a token may contain as sent: printable ASCII without spaces and quotation marks.
enum SentOctets {
  /// The position of the first other octet.
  static func firstRefused(_ octets: Span<UInt8>) -> Int? {
    // Three passes of vectors are faster than one octet by octet.
    let areAllowed =
      ASCII.isPrintable(octets) && octets.firstIndex(of: ASCII.space, from: 0) == nil
      && octets.firstIndex(of: quotationMark, from: 0) == nil
    return areAllowed ? nil : octets.indices.first { !isAllowed(octets[$0]) }
  }

  private static func isAllowed(_ octet: UInt8) -> Bool {
    octet > ASCII.space && octet < 0x7F && octet != quotationMark
  }

  private static var quotationMark: UInt8 { UInt8(ascii: "\"") }
}
