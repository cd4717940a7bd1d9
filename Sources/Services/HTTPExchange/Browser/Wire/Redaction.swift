import Octets
import TokenBasics

/// Masks known secrets in text of a server: services repeat client secrets and tokens in their messages.
package struct Redaction {
  /// The secrets, plain and in base64 and hexadecimal digits, the longest first, so that no pattern leaves
  /// the end of another one unmasked.
  private let patterns: [[UInt8]]

  /// Masks these secrets, also if the server escaped their characters, once or several times
  /// (``UnescapedLayer``), and as base64, base64url and hexadecimal digits, alone or within a longer encoded
  /// text.
  package init(_ secrets: [Secret]) {
    var patterns: Set<[UInt8]> = []
    for secret in secrets.map({ Array($0.revealed.utf8) }) where !secret.isEmpty {
      // Forms send a space as a plus sign.
      patterns.formUnion([secret, secret.map { $0 == 0x20 ? UInt8(ascii: "+") : $0 }])
      // Shorter encodings occur in any text.
      guard secret.count >= 6 else { continue }
      // An escape in the secret itself is decoded along with those of the text.
      if let plain = UnescapedLayer(secret).unescaped()?.octets, plain.count >= 6 {
        patterns.insert(plain)
      }
      for shift in 0..<3 { patterns.formUnion(Self.base64(secret, shift)) }
      for letters in [Hex.Letters.lowercase, .uppercase] {
        patterns.insert(Array(Hex.encode(secret, letters).utf8))
      }
    }
    self.patterns = patterns.sorted { $0.count > $1.count }
  }

  /// The text with `***` in place of each secret.
  package func mask(_ text: String) -> String { mask(Array(text.utf8)) }

  package func mask(_ bytes: [UInt8]) -> String {
    guard !patterns.isEmpty else { return String(decoding: bytes, as: UTF8.self) }
    // Ranges of the original that contain a secret, found in any layer of escapes.
    var hits: [Range<Int>] = []
    var layer = UnescapedLayer(bytes)
    for _ in 0..<4 {
      find(in: layer, &hits)
      guard let next = layer.unescaped() else { break }
      layer = next
    }
    return Self.masked(bytes, hits)
  }

  /// A server's message, masked and shortened for an error.
  package func excerpt(_ text: String) -> String { TokenError.excerpt(mask(text)) }

  private func find(in layer: UnescapedLayer, _ hits: inout [Range<Int>]) {
    let octets = layer.octets
    var index = 0
    while index < octets.count {
      if let hit = patterns.first(where: { octets[index...].starts(with: $0) }) {
        hits.append(layer.source(of: index..<(index + hit.count)))
        index += hit.count
      } else {
        index += 1
      }
    }
  }

  private static func masked(_ bytes: [UInt8], _ hits: [Range<Int>]) -> String {
    var output: [UInt8] = []
    var index = 0
    for hit in hits.sorted(by: { $0.lowerBound < $1.lowerBound }) where hit.upperBound > index {
      if hit.lowerBound >= index {
        output += bytes[index..<hit.lowerBound]
        output += Array("***".utf8)
      }
      index = hit.upperBound
    }
    output += bytes[index...]
    return String(decoding: output, as: UTF8.self)
  }

  /// Base64 of the secret after `shift` other octets: only the digits that depend on the secret alone, in
  /// both alphabets. For the secret at the very beginning also the encoding of the secret alone.
  private static func base64(_ secret: [UInt8], _ shift: Int) -> [[UInt8]] {
    let whole = Array(Base64.encode([UInt8](repeating: 0, count: shift) + secret).utf8)
    let first = shift == 0 ? 0 : shift + 1
    // Each octet that is missing in the last group of three makes one digit uncertain, and pads.
    let missing = (3 - (shift + secret.count) % 3) % 3
    let last = whole.count - (missing == 0 ? 0 : missing + 1)
    var forms = [Array(whole[first..<last])]
    if shift == 0, missing > 0 { forms += [whole, Array(whole.dropLast(missing))] }
    return forms + forms.map { $0.map(urlDigit) }
  }

  private static func urlDigit(_ digit: UInt8) -> UInt8 {
    switch digit {
    case UInt8(ascii: "+"): UInt8(ascii: "-")
    case UInt8(ascii: "/"): UInt8(ascii: "_")
    default: digit
    }
  }
}

extension String {
  /// Whether the text contains ASCII `words`, letters compared without case.
  package func mentions(_ words: StaticString) -> Bool {
    let wanted = String(describing: words).utf8.map { $0 | 0x20 }
    let text = utf8.map { $0 | 0x20 }
    guard text.count >= wanted.count else { return false }
    return (0...text.count - wanted.count).contains { text[$0...].starts(with: wanted) }
  }
}

/// The octets of a text, and the position of each in the original, so that what is found in the unescaped
/// text can be located in the original.
///
/// Escapes are percent-escapes (RFC 3986, 2.1), character references of HTML by number and by the five
/// names of XML, and those of JSON strings (RFC 8259, 7). Other octets are unchanged.
struct UnescapedLayer {
  let octets: [UInt8]
  /// The position in the original of each octet, and of the end.
  private let starts: [Int]

  init(_ octets: [UInt8]) {
    self.octets = octets
    starts = Array(0...octets.count)
  }

  private init(_ octets: [UInt8], _ starts: [Int]) {
    self.octets = octets
    self.starts = starts
  }

  /// The range in the original of a range of the octets.
  func source(of range: Range<Int>) -> Range<Int> {
    starts[range.lowerBound]..<starts[range.upperBound]
  }

  /// The text with each escape replaced by its value; nil if there is none.
  func unescaped() -> Self? {
    guard
      octets.contains(where: {
        $0 == ASCII.percent || $0 == ASCII.ampersand || $0 == UInt8(ascii: "\\")
      })
    else { return nil }
    var output: [UInt8] = []
    var places: [Int] = []
    output.reserveCapacity(octets.count)
    places.reserveCapacity(octets.count + 1)
    var index = 0
    var isChanged = false
    while index < octets.count {
      if let escape = escape(at: index) {
        for octet in escape.meaning {
          output.append(octet)
          places.append(starts[index])
        }
        index += escape.length
        isChanged = true
      } else {
        output.append(octets[index])
        places.append(starts[index])
        index += 1
      }
    }
    places.append(starts[octets.count])
    return isChanged ? Self(output, places) : nil
  }

  private func escape(at index: Int) -> Escape? {
    let rest = octets[index...]
    return switch octets[index] {
    case ASCII.percent: Escape.percent(rest)
    case ASCII.ampersand: Escape.reference(rest, isHTML: true)
    case UInt8(ascii: "\\"): Escape.json(rest)
    default: nil
    }
  }
}
