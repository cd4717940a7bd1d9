import Octets

/// The octets of a text, and the position of each in the original, so that what is found in the unescaped
/// text can be located in the original.
///
/// Escapes are percent-escapes (RFC 3986, 2.1), character references of HTML by number and by the five
/// names of XML, and those of JSON strings (RFC 8259, 7). Other octets are unchanged.
struct EscapedText {
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
      if let (meaning, length) = escape(at: index) {
        for octet in meaning {
          output.append(octet)
          places.append(starts[index])
        }
        index += length
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

  private func escape(at index: Int) -> (meaning: [UInt8], length: Int)? {
    switch octets[index] {
    case ASCII.percent: percent(index)
    case ASCII.ampersand: reference(index)
    case UInt8(ascii: "\\"): json(index)
    default: nil
    }
  }

  private func percent(_ index: Int) -> ([UInt8], Int)? {
    guard let value = number(octets[(index + 1)...].prefix(2), digits: 2, radix: 16) else {
      return nil
    }
    return ([UInt8(truncatingIfNeeded: value)], 3)
  }

  private func reference(_ index: Int) -> ([UInt8], Int)? {
    let rest = octets[(index + 1)...].prefix(12)
    guard let end = rest.firstIndex(of: UInt8(ascii: ";")) else { return nil }
    let name = rest[..<end]
    let length = end - index + 1
    if name.first == UInt8(ascii: "#") {
      let isHexadecimal = name.dropFirst().first.map { $0 | 0x20 } == UInt8(ascii: "x")
      let digits = name.dropFirst(isHexadecimal ? 2 : 1)
      guard let value = number(digits, digits: nil, radix: isHexadecimal ? 16 : 10) else {
        return nil
      }
      return Self.utf8(value).map { ($0, length) }
    }
    for (known, meaning) in Self.names where name.elementsEqual(known.utf8) {
      return ([meaning], length)
    }
    return nil
  }

  private func json(_ index: Int) -> ([UInt8], Int)? {
    guard index + 1 < octets.count else { return nil }
    switch octets[index + 1] {
    case UInt8(ascii: "u"):
      guard let first = number(octets[(index + 2)...].prefix(4), digits: 4, radix: 16) else {
        return nil
      }
      // The high half of a surrogate pair; alone it has no value.
      if (0xD800..<0xDC00).contains(first), octets[(index + 6)...].starts(with: Array("\\u".utf8)),
        let second = number(octets[(index + 8)...].prefix(4), digits: 4, radix: 16),
        (0xDC00..<0xE000).contains(second)
      {
        return Self.utf8(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)).map { ($0, 12) }
      }
      return Self.utf8(first).map { ($0, 6) }
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"):
      return ([octets[index + 1]], 2)
    case UInt8(ascii: "b"): return ([0x08], 2)
    case UInt8(ascii: "f"): return ([0x0C], 2)
    case UInt8(ascii: "n"): return ([0x0A], 2)
    case UInt8(ascii: "r"): return ([0x0D], 2)
    case UInt8(ascii: "t"): return ([0x09], 2)
    default: return nil
    }
  }

  /// The value of at most seven digits, so that it cannot overflow.
  private func number(_ digits: ArraySlice<UInt8>, digits count: Int?, radix: UInt32) -> UInt32? {
    guard (1...7).contains(digits.count), count == nil || digits.count == count else { return nil }
    var value: UInt32 = 0
    for digit in digits {
      guard let next = Self.value(of: digit), next < radix else { return nil }
      value = value * radix + next
    }
    return value
  }

  private static func value(of digit: UInt8) -> UInt32? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(digit - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(digit - UInt8(ascii: "A") + 10)
    default: nil
    }
  }

  private static func utf8(_ value: UInt32) -> [UInt8]? {
    Unicode.Scalar(value).map { Array(String(Character($0)).utf8) }
  }

  private static let names: [(String, UInt8)] = [
    ("amp", UInt8(ascii: "&")), ("lt", UInt8(ascii: "<")), ("gt", UInt8(ascii: ">")),
    ("quot", UInt8(ascii: "\"")), ("apos", UInt8(ascii: "'")),
  ]
}
