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
