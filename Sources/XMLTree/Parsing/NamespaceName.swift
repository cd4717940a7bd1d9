import Octets

/// What may name a namespace.
enum NamespaceName {
  /// Whether `text` is an absolute URI in RFC 3986's characters.
  ///
  /// Relative names have no canonical form (Canonical XML 1.0, 1.3) and make libxml2 digest nothing.
  static func isAbsolute(_ text: [UInt8]) -> Bool {
    guard let colon = text.firstIndex(of: UInt8(ascii: ":")), let first = text.first,
      ASCII.isLetter(first),
      text[..<colon].allSatisfy({
        ASCII.isLetter($0) || ASCII.isDigit($0) || "+-.".utf8.contains($0)
      })
    else { return false }
    return text.allSatisfy { byte in
      byte > 0x20 && byte < 0x7F && !"\"<>\\^`{|}".utf8.contains(byte)
    }
  }
}
