import Octets

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
