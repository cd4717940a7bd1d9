import Octets
import TokenBasics

/// Base 64 in the layout of a text: line ends, spaces and references to them stay where they are. Sections of CDATA
/// and comments do not.
struct Base64Layout {
  private let source: [UInt8]
  private let isURL: Bool
  private let isUnpadded: Bool
  /// What it decodes to; nil for no base64.
  let octets: [UInt8]?

  /// - Parameter hasURLDigits: Whether its alphabet is that of URLs, which a text without `-` and `_` does not show.
  init(_ source: ArraySlice<UInt8>, hasURLDigits: Bool = false) {
    let plain = Array(source)
    // Digits behind references or in sections are those that a reader sees.
    let isPlain = !plain.contains(ASCII.lessThan) && Self.digits(plain) != nil
    self.source = isPlain ? plain : ReversibleText(content: source)?.decoded ?? plain
    guard let digits = Self.digits(self.source) else {
      (isURL, isUnpadded, octets) = (false, false, nil)
      return
    }
    isURL =
      hasURLDigits || digits.contains { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
    let bare = digits.filter { $0 != ASCII.equals }
    if let decoded = try? Base64.decode(digits.span) {
      octets = decoded
    } else {
      octets = try? Base64.decode(bare.span, .url)
    }
    isUnpadded = !digits.contains(ASCII.equals)
  }

  /// The digits without white space and references to it; nil where there are other references.
  private static func digits(_ source: [UInt8]) -> [UInt8]? {
    var digits: [UInt8] = []
    var place = 0
    while place < source.count {
      if source[place] == ASCII.ampersand {
        guard let space = Escape.reference(source[place...]),
          space.meaning.allSatisfy(ASCII.isWhiteSpace)
        else { return nil }
        place += space.length
      } else {
        if !ASCII.isWhiteSpace(source[place]) { digits.append(source[place]) }
        place += 1
      }
    }
    return digits
  }

  /// Base 64 of other octets. More digits than before continue the lines at the width of the first.
  func encoding(_ octets: [UInt8]) -> [UInt8] {
    var digits = Array(Base64.encode(octets, isURL ? .url : .standard).utf8)
    if isURL, !isUnpadded {
      while digits.count % 4 != 0 { digits.append(ASCII.equals) }
    }
    return filling(digits[...])
  }

  private func filling(_ digits: ArraySlice<UInt8>) -> [UInt8] {
    var digits = digits
    var result: [UInt8] = []
    var separator: [UInt8] = []
    var width = 0
    var isReference = false
    let lastDigit = source.lastIndex { !ASCII.isWhiteSpace($0) } ?? source.count
    var lineWidth = 0
    var lineEnd: [UInt8] = []
    var tail: [UInt8] = []
    for (place, byte) in source.enumerated() {
      if byte == ASCII.ampersand { isReference = true }
      let isDigit = !isReference && !ASCII.isWhiteSpace(byte)
      if byte == UInt8(ascii: ";") { isReference = false }
      guard isDigit else {
        if place > lastDigit { tail.append(byte) } else { separator.append(byte) }
        continue
      }
      if !separator.isEmpty {
        if width > 0, lineWidth == 0 { (lineWidth, lineEnd) = (width, separator) }
        if !digits.isEmpty { result += separator }
        separator = []
        width = 0
      }
      if let digit = digits.first {
        result.append(digit)
        digits = digits.dropFirst()
      }
      width += 1
    }
    while !digits.isEmpty {
      guard lineWidth > 0 else {
        result += digits
        break
      }
      if width >= lineWidth {
        result += lineEnd
        width = 0
      }
      let part = digits.prefix(lineWidth - width)
      digits = digits.dropFirst(part.count)
      result += part
      width += part.count
    }
    return result + separator + tail
  }

  /// As many random octets; where these would have other digits than the original, or it is no base64, each
  /// letter and figure becomes another.
  func withOtherOctets() -> [UInt8] {
    if let octets, encoding(octets) == source {
      return encoding(SystemRandom.octets(octets.count))
    }
    let text = ReversibleText(xml: source[...])
    return text.encoding(ShapedText.random(text.decoded))
  }
}
