import Octets

/// An address of the Internet Protocol, of version 4 or 6 (RFC 4291, 2.2).
package struct IPAddress: Hashable, Sendable {
  /// 4 or 16 octets; an IPv4 address that is written as one of IPv6 (`::ffff:…`) has 4.
  package let octets: [UInt8]

  /// Reads an address; nil for anything else, such as a name, a zone or a number with a leading zero.
  package init?(_ text: Substring) {
    guard let octets = Self.version4(text) ?? Self.version6(text) else { return nil }
    let mapped =
      octets.count == 16 && octets.prefix(10).allSatisfy { $0 == 0 }
      && octets[10] == 0xFF && octets[11] == 0xFF
    self.octets = mapped ? Array(octets.suffix(4)) : octets
  }

  private static func version4(_ text: Substring) -> [UInt8]? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 4 else { return nil }
    var octets: [UInt8] = []
    for part in parts {
      guard part.utf8.allSatisfy(ASCII.isDigit), let octet = UInt8(part),
        part.utf8.count == 1 || part.utf8.first != UInt8(ascii: "0")
      else { return nil }
      octets.append(octet)
    }
    return octets
  }

  private static func version6(_ text: Substring) -> [UInt8]? {
    guard let gap = text.firstRange(of: "::") else {
      return groups(text, hasTail: true).flatMap { $0.count == 16 ? $0 : nil }
    }
    guard let before = groups(text[..<gap.lowerBound], hasTail: false),
      let behind = groups(text[gap.upperBound...], hasTail: true),
      before.count + behind.count <= 14
    else { return nil }
    return before + Array(repeating: 0, count: 16 - before.count - behind.count) + behind
  }

  /// Groups of up to four hexadecimal digits, of which the last may be an IPv4 address.
  private static func groups(_ text: Substring, hasTail: Bool) -> [UInt8]? {
    guard !text.isEmpty else { return [] }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    var octets: [UInt8] = []
    for (number, part) in parts.enumerated() {
      if hasTail, number == parts.count - 1, let tail = version4(part) {
        octets += tail
        continue
      }
      guard (1...4).contains(part.utf8.count), part.utf8.allSatisfy(Hex.isDigit),
        let group = UInt16(part, radix: 16)
      else { return nil }
      octets += [UInt8(group >> 8), UInt8(group & 0xFF)]
    }
    return octets.count <= 16 ? octets : nil
  }

}
