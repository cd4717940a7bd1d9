import Octets

/// What DER is by the types of its first elements, without reading a key: it only chooses words.
enum DERShape {
  /// The kind of octets that begin a SEQUENCE which has the length that it says.
  static func kind(_ octets: ArraySlice<UInt8>) -> TextKind? {
    guard octets.first == 0x30, let outer = Element(octets) else { return nil }
    guard outer.isWhole else { return outer.end > 64 ? .derOfAnotherKind : nil }
    let parts = elements(outer.content)
    guard let first = parts.first else { return .derOfAnotherKind }
    switch first.tag {
    case 0x02: return numbered(first, parts)
    case 0x06: return isIdentifier(first.content, pkcs7) ? .pkcs7 : .derOfAnotherKind
    case 0x30: return structured(first, parts)
    default: return .derOfAnotherKind
    }
  }

  /// A version, or the modulus of RSA, comes first.
  private static func numbered(_ first: Element, _ parts: [Element]) -> TextKind {
    if parts.count == 2, parts[1].tag == 0x02, first.content.count > 16 { return .rsaPublicKey }
    switch (Array(first.content), parts.dropFirst().first?.tag) {
    case ([3], 0x30): return .pkcs12
    case ([0], 0x30), ([1], 0x30), ([1], 0x04): return .privateKey
    case ([0], 0x02): return parts.count >= 6 ? .privateKey : .derOfAnotherKind
    default: return .derOfAnotherKind
    }
  }

  /// An algorithm comes first, or what an authority signed.
  private static func structured(_ first: Element, _ parts: [Element]) -> TextKind {
    let inner = elements(first.content)
    if parts.count == 2, inner.first?.tag == 0x06 {
      if parts[1].tag == 0x04 { return .encryptedPrivateKey }
      guard parts[1].tag == 0x03 else { return .derOfAnotherKind }
      return isIdentifier(inner[0].content, mlDSA) ? .postQuantumKey : .publicKey
    }
    guard parts.count == 3, parts[1].tag == 0x30, parts[2].tag == 0x03 else {
      return .derOfAnotherKind
    }
    // RFC 5280, 4.1 and 5.1; RFC 2986, 4.
    let tags = inner.map(\.tag)
    if tags.first == 0xA0 || tags.count == 6 && tags.first == 0x02 { return .certificate }
    if tags.first == 0x02, tags.contains(0xA0) || tags.count == 3,
      inner[0].content.elementsEqual([0])
    {
      return .certificateRequest
    }
    return tags.contains(0x17) || tags.contains(0x18) ? .revocationList : .derOfAnotherKind
  }

  private struct Element {
    let tag: UInt8
    let content: ArraySlice<UInt8>
    /// Bytes that the element takes, header included.
    let end: Int
    let isWhole: Bool

    init?(_ octets: ArraySlice<UInt8>) {
      guard octets.count >= 2 else { return nil }
      let start = octets.startIndex
      tag = octets[start]
      var length = Int(octets[start + 1])
      var header = 2
      if length == 0x80 {
        // BER of an unknown length, which some programs write around PKCS #7 and #12.
        length = octets.count - header
      } else if length > 0x80 {
        let count = length & 0x7F
        guard (1...4).contains(count), octets.count >= 2 + count else { return nil }
        length = octets[(start + 2)..<(start + 2 + count)].reduce(0) { $0 << 8 | Int($1) }
        header += count
      }
      end = header + length
      isWhole = octets.count >= end
      content = octets.dropFirst(header).prefix(length)
    }
  }

  private static func elements(_ octets: ArraySlice<UInt8>) -> [Element] {
    var rest = octets
    var found: [Element] = []
    while found.count < 16, let element = Element(rest), element.isWhole {
      found.append(element)
      rest = rest.dropFirst(element.end)
    }
    return found
  }

  private static func isIdentifier(_ content: ArraySlice<UInt8>, _ beginning: [UInt8]) -> Bool {
    content.starts(with: beginning)
  }

  /// 1.2.840.113549.1.7, RFC 2315, 14.
  private static let pkcs7: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07]
  /// 2.16.840.1.101.3.4.3.17 to 19, RFC 9881, 2.
  private static let mlDSA: [UInt8] = [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x03]
}
