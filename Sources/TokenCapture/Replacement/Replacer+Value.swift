import Octets

extension Replacer {
  /// The value with its words replaced, octet for octet as long; what is public stays.
  ///
  /// - Parameter place: What the report counts it as; nil for a part of a value that is counted.
  func value(_ octets: [UInt8], _ place: String?) -> [UInt8] {
    guard !PublicText.isPublic(octets) else { return octets }
    let result = words(octets)
    if result != octets, let place { count(place, original: octets) }
    return result
  }

  /// A name, whose parts around a colon are replaced alike wherever they occur.
  func name(_ octets: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    for (place, part) in octets.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
      .enumerated()
    {
      if place > 0 { result.append(UInt8(ascii: ":")) }
      let isKept = PublicText.names.contains(String(decoding: part, as: UTF8.self))
      result += isKept ? Array(part) : words(Array(part))
    }
    return result
  }

  private func words(_ octets: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var place = 0
    while place < octets.count {
      if let end = hostEnd(octets, place) {
        result += host(octets[place..<end])
        place = end
      } else if let byte = percentEscaped(octets, place) {
        result += escape(byte, isLower: octets[place + 1...place + 2].contains { $0 > 0x60 })
        place += 3
      } else {
        let end = wordEnd(octets, place)
        let isScheme =
          end < octets.count && octets[end] == UInt8(ascii: ":")
          && PublicText.schemes.contains(String(decoding: octets[place..<end], as: UTF8.self))
        if end == place {
          result.append(octets[place])
          place += 1
        } else {
          result += isScheme ? Array(octets[place..<end]) : word(octets[place..<end])
          place = end
        }
      }
    }
    return result
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

  /// Where the host name ends that begins here, behind `://` or `@`.
  private func hostEnd(_ octets: [UInt8], _ start: Int) -> Int? {
    let isHost =
      octets[..<start].suffix(3).elementsEqual("://".utf8)
      || octets[..<start].last == UInt8(ascii: "@")
    guard isHost else { return nil }
    let end = octets[start...].firstIndex { !isHostCharacter($0) } ?? octets.count
    guard end - start > 1, octets[start..<end].contains(UInt8(ascii: ".")) else { return nil }
    return end
  }

  private func isHostCharacter(_ byte: UInt8) -> Bool {
    ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == UInt8(ascii: ".")
      || byte == UInt8(ascii: "-")
  }

  /// The letter or digit that a percent escape stands for.
  private func percentEscaped(_ octets: [UInt8], _ place: Int) -> UInt8? {
    guard octets[place] == ASCII.percent, place + 2 < octets.count,
      let high = Hex.value(octets[place + 1]), let low = Hex.value(octets[place + 2])
    else { return nil }
    return high << 4 | low
  }

  private func escape(_ byte: UInt8, isLower: Bool) -> [UInt8] {
    let isWord = ASCII.isLetter(byte) || ASCII.isDigit(byte)
    let digits = Hex.encode(isWord ? word([byte]) : [byte])
    return [ASCII.percent] + Array((isLower ? digits : digits.uppercased()).utf8)
  }
}
