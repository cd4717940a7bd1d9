import Octets

/// Random text in the shape of another: letters for letters of the same case, digits for digits, each in as
/// many octets; host names end in `.example` where there is room. White space and punctuation of ASCII stay,
/// and so do the schemes of URIs; nothing else does.
struct ShapedText {
  private(set) var output: [UInt8] = []
  /// The words and host names that were replaced.
  private(set) var words: [[UInt8]] = []
  private var random: KeyedOctets
  private let avoided: Set<[UInt8]>

  /// - Parameter avoided: What no word of four octets or more is replaced by.
  init(_ random: KeyedOctets, avoiding avoided: Set<[UInt8]> = []) {
    self.random = random
    self.avoided = avoided
  }

  /// Text in the shape of another, that nothing gives again.
  static func random(_ octets: [UInt8]) -> [UInt8] {
    var shaped = ShapedText(KeyedOctets())
    shaped.replace(octets)
    return shaped.output
  }

  mutating func replace(_ octets: [UInt8]) {
    output.reserveCapacity(octets.count)
    var place = 0
    while place < octets.count {
      if let end = hostEnd(octets, place) {
        host(octets[place..<end])
        place = end
      } else if let end = escapesEnd(octets, place) {
        escapes(octets[place..<end])
        place = end
      } else {
        let end = wordEnd(octets, place)
        if end == place {
          place += character(octets[...], place)
        } else {
          if isScheme(octets, place..<end) {
            output += octets[place..<end]
          } else {
            word(octets[place..<end])
          }
          place = end
        }
      }
    }
  }

  private func isScheme(_ octets: [UInt8], _ range: Range<Int>) -> Bool {
    range.upperBound < octets.count && octets[range.upperBound] == UInt8(ascii: ":")
      && range.count < 8
      && PublicText.schemes.contains(String(decoding: octets[range], as: UTF8.self))
  }

  /// Replaces the character at a place, or the octet that is none, and returns how many octets it has.
  private mutating func character(_ octets: ArraySlice<UInt8>, _ place: Int) -> Int {
    guard let (scalar, count) = UTF8Text.scalar(octets, at: place) else {
      output.append(CharacterShape.anotherInvalid(random.next()))
      return 1
    }
    output += CharacterShape.another(scalar, random.next()).utf8
    return count
  }

  private mutating func word(_ word: ArraySlice<UInt8>) {
    words.append(Array(word))
    let start = output.count
    // A short word may become itself, or another that the token has.
    for _ in 0..<64 {
      var place = word.startIndex
      while place < word.endIndex { place += character(word, place) }
      if word.count == 1 || !isAvoided(Array(output[start...]), for: word) { return }
      output.removeLast(output.count - start)
    }
    var place = word.startIndex
    while place < word.endIndex { place += character(word, place) }
  }

  private func isAvoided(_ made: [UInt8], for word: ArraySlice<UInt8>) -> Bool {
    made.elementsEqual(word) || made.count >= 4 && avoided.contains(made)
  }

  private mutating func host(_ name: ArraySlice<UInt8>) {
    words.append(Array(name))
    let isAddress = name.allSatisfy { ASCII.isDigit($0) || $0 == UInt8(ascii: ".") }
    let suffix = Array(".example".utf8)
    let hasRoom = !isAddress && name.count > suffix.count + 1
    let start = output.count
    for label in name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false) {
      word(label)
      output.append(UInt8(ascii: "."))
    }
    output.removeLast()
    guard hasRoom else { return }
    output.removeLast(suffix.count)
    // No label begins or ends with a hyphen or is empty.
    for place in [start, output.count - 1] where !ASCII.isLetter(output[place]) {
      output[place] = UInt8(ascii: "a") + random.next() % 26
    }
    output += suffix
  }

  /// Where the host name ends that begins here, behind `://` or `@`.
  private func hostEnd(_ octets: [UInt8], _ start: Int) -> Int? {
    guard start > 0,
      octets[start - 1] == UInt8(ascii: "@")
        || octets[start - 1] == UInt8(ascii: "/")
          && octets[..<start].suffix(3).elementsEqual("://".utf8)
    else { return nil }
    let end =
      octets[start...].firstIndex {
        !ASCII.isLetter($0) && !ASCII.isDigit($0) && $0 != UInt8(ascii: ".")
          && $0 != UInt8(ascii: "-")
      } ?? octets.count
    guard end - start > 1, octets[start..<end].contains(UInt8(ascii: ".")) else { return nil }
    return end
  }

  private func wordEnd(_ octets: [UInt8], _ start: Int) -> Int {
    var end = start
    while end < octets.count {
      if octets[end] < 0x80 {
        guard ASCII.isLetter(octets[end]) || ASCII.isDigit(octets[end]) else { return end }
        end += 1
      } else {
        guard let (scalar, count) = UTF8Text.scalar(octets[...], at: end),
          CharacterShape.isWord(scalar)
        else { return end }
        end += count
      }
    }
    return end
  }

  // MARK: Percent escapes

  /// Where the percent escapes end that begin here.
  private func escapesEnd(_ octets: [UInt8], _ start: Int) -> Int? {
    var end = start
    while end + 2 < octets.count, octets[end] == ASCII.percent,
      Hex.value(octets[end + 1]) != nil, Hex.value(octets[end + 2]) != nil
    {
      end += 3
    }
    return end == start ? nil : end
  }

  /// Escapes keep their number and the case of their digits.
  private mutating func escapes(_ source: ArraySlice<UInt8>) {
    let plain = stride(from: source.startIndex, to: source.endIndex, by: 3).map { place in
      (Hex.value(source[place + 1]) ?? 0) << 4 | (Hex.value(source[place + 2]) ?? 0)
    }
    if plain.count > 1 { words.append(plain) }
    let start = output.count
    var place = 0
    while place < plain.count { place += character(plain[...], place) }
    let made = Array(output[start...])
    output.removeLast(made.count)
    for (place, byte) in zip(stride(from: source.startIndex, to: source.endIndex, by: 3), made) {
      let isLower = source[(place + 1)...(place + 2)].contains { $0 > 0x60 }
      output += [ASCII.percent] + Array(Hex.encode([byte], isLower ? .lowercase : .uppercase).utf8)
    }
  }
}

/// Classes of characters that a replacement keeps.
///
/// White space and punctuation of ASCII stay; every other character becomes another of its class, in as many
/// octets of UTF-8. The classes are what readers of tokens tell apart: case, the decimal digits of one script,
/// and what begins a name of XML, continues one, or does neither.
enum CharacterShape {
  static func another(_ scalar: Unicode.Scalar, _ random: UInt8) -> Unicode.Scalar {
    let choice = UInt32(random)
    let value: UInt32 =
      switch scalar.value {
      case 0x30...0x39: 0x30 + choice % 10
      case 0x41...0x5A: 0x41 + choice % 26
      case 0x61...0x7A: 0x61 + choice % 26
      case 0x01...0x08, 0x0B, 0x0C, 0x0E...0x1F: 0x01 + choice % 8
      case 0..<0x80, 0xB7, 0xFEFF, 0xFFFE, 0xFFFF: scalar.value
      default: digitZero(scalar).map { $0 + choice % 10 } ?? beyondASCII(scalar, choice)
      }
    return Unicode.Scalar(value) ?? scalar
  }

  /// An octet that is part of no UTF-8, for one that is not either.
  static func anotherInvalid(_ random: UInt8) -> UInt8 {
    let choice = random % 13
    return choice < 2 ? 0xC0 + choice : 0xF3 + choice
  }

  /// Whether the character belongs to a word.
  static func isWord(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    case 0..<0x80: false
    default:
      scalar.properties.isAlphabetic || scalar.properties.numericType != nil
        || [.nonspacingMark, .spacingMark, .enclosingMark].contains(
          scalar.properties.generalCategory)
    }
  }

  /// The zero of the script whose decimal digit it is.
  private static func digitZero(_ scalar: Unicode.Scalar) -> UInt32? {
    guard scalar.properties.numericType == .decimal, let value = scalar.properties.numericValue,
      (0...9).contains(value), scalar.value > 9
    else { return nil }
    return scalar.value - UInt32(value)
  }

  private static func beyondASCII(_ scalar: Unicode.Scalar, _ choice: UInt32) -> UInt32 {
    switch scalar.value {
    case 0x80..<0xA0: 0x80 + choice % 0x20
    case 0x300..<0x370: 0x300 + choice % 0x70
    case 0xA0..<0xC0, 0xD7, 0xF7, 0x37E: 0xA1 + choice % 9
    case 0xC0..<0x800: (scalar.properties.isUppercase ? 0xC0 : 0xE0) + choice % 23
    // Joiners and ties continue a name.
    case 0x200C, 0x200D: 0x200C + choice % 2
    case 0x203F, 0x2040: 0x203F + choice % 2
    case 0x2000..<0x2070, 0x2190..<0x2C00, 0x2FF0...0x3000, 0xD800..<0xF900, 0xFDD0..<0xFDF0:
      0x2190 + choice % 112
    case 0x800..<0x10000: 0x4E00 + choice * 61
    case 0x10000..<0xF0000:
      scalar.properties.isAlphabetic ? 0x20000 + choice * 61 : 0x1F600 + choice % 80
    default: 0xF0000 + choice
    }
  }
}

/// Characters of octets that may be no UTF-8.
enum UTF8Text {
  /// The character that begins at a place and the number of its octets; nil for octets that are none.
  static func scalar(
    _ octets: ArraySlice<UInt8>, at place: Int
  ) -> (scalar: Unicode.Scalar, count: Int)? {
    let first = octets[place]
    guard first >= 0x80 else { return (Unicode.Scalar(first), 1) }
    let (count, least): (Int, UInt32) =
      switch first {
      case 0xC2...0xDF: (2, 0x80)
      case 0xE0...0xEF: (3, 0x800)
      case 0xF0...0xF4: (4, 0x10000)
      default: (0, 0)
      }
    guard count > 0, octets.endIndex - place >= count else { return nil }
    var value = UInt32(first) & (0x7F >> UInt32(count))
    for next in octets[(place + 1)..<(place + count)] {
      guard next & 0xC0 == 0x80 else { return nil }
      value = value << 6 | UInt32(next & 0x3F)
    }
    guard value >= least, let scalar = Unicode.Scalar(value) else { return nil }
    return (scalar, count)
  }
}
