/// Percent-encoding (RFC 3986, 2.1), with upper-case digits as that section has them.
package enum PercentEncoding {
  /// Whether the octet is one of RFC 3986's unreserved characters (2.3).
  package static func isUnreserved(_ octet: UInt8) -> Bool {
    ASCII.isLetter(octet) || ASCII.isDigit(octet) || octet == UInt8(ascii: "-")
      || octet == UInt8(ascii: ".") || octet == UInt8(ascii: "_") || octet == UInt8(ascii: "~")
  }

  /// The octets, of which those that are not kept become `%XX`.
  package static func encode(
    _ octets: some Sequence<UInt8>, _ letters: Hex.Letters = .uppercase,
    keeping isKept: (UInt8) -> Bool = isUnreserved
  ) -> [UInt8] {
    var encoded: [UInt8] = []
    for octet in octets {
      if isKept(octet) {
        encoded.append(octet)
      } else {
        encoded.append(ASCII.percent)
        Hex.append(octet, letters, to: &encoded)
      }
    }
    return encoded
  }

  /// The text, of which octets that are not kept become `%XX`.
  package static func encode(
    _ text: String, keeping isKept: (UInt8) -> Bool = isUnreserved
  ) -> String {
    String(decoding: encode(text.utf8, keeping: isKept), as: UTF8.self)
  }
}
