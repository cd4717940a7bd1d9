import Octets

/// Random text in the shape of another: letters for letters of the same case, digits for digits, each in as
/// many octets; host names end in `.example` where there is room. What is neither letter nor digit stays, and
/// so do the schemes of URIs.
struct ShapedText {
  private(set) var output: [UInt8] = []
  /// The words and host names that were replaced.
  private(set) var words: [[UInt8]] = []
  private var random: RandomOctets

  init(_ random: RandomOctets) { self.random = random }

  mutating func replace(_ octets: [UInt8]) {
    var place = 0
    while place < octets.count {
      if let end = hostEnd(octets, place) {
        host(octets[place..<end])
        place = end
      } else if let byte = percentEscaped(octets, place) {
        escape(byte, isLower: octets[(place + 1)...(place + 2)].contains { $0 > 0x60 })
        place += 3
      } else {
        let end = wordEnd(octets, place)
        if end == place {
          output.append(octets[place])
          place += 1
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
      && PublicText.schemes.contains(String(decoding: octets[range], as: UTF8.self))
  }

  private mutating func word(_ word: ArraySlice<UInt8>) {
    words.append(Array(word))
    for scalar in String(decoding: word, as: UTF8.self).unicodeScalars {
      output += Array(String(Character(CharacterShape.another(scalar, random.next()))).utf8)
    }
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
    let before = octets[..<start]
    guard before.suffix(3).elementsEqual("://".utf8) || before.last == UInt8(ascii: "@") else {
      return nil
    }
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
        let length = octets[end] >= 0xF0 ? 4 : octets[end] >= 0xE0 ? 3 : 2
        let text = String(decoding: octets[end..<min(end + length, octets.count)], as: UTF8.self)
        guard let scalar = text.unicodeScalars.first, scalar != "\u{FFFD}",
          text.utf8.count == length, CharacterShape.isWord(scalar)
        else { return end }
        end += length
      }
    }
    return end
  }

  /// The octet that a percent escape stands for.
  private func percentEscaped(_ octets: [UInt8], _ place: Int) -> UInt8? {
    guard octets[place] == ASCII.percent, place + 2 < octets.count,
      let high = Hex.value(octets[place + 1]), let low = Hex.value(octets[place + 2])
    else { return nil }
    return high << 4 | low
  }

  /// Escapes keep their number and the case of their digits; octets of longer characters keep their high bits.
  private mutating func escape(_ byte: UInt8, isLower: Bool) {
    var made = byte
    if ASCII.isLetter(byte) || ASCII.isDigit(byte) {
      let scalar = CharacterShape.another(Unicode.Scalar(byte), random.next())
      made = UInt8(truncatingIfNeeded: scalar.value)
    } else if byte >= 0x80, byte < 0xC0 {
      made = byte & 0xE0 | random.next() & 0x1F
    }
    output += [ASCII.percent] + HexDigits.encode([made], isLower: isLower)
  }
}
