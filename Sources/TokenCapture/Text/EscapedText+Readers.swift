import Octets

extension EscapedText {
  /// Text of XML with references.
  init(xml source: ArraySlice<UInt8>) {
    var place = source.startIndex
    while place < source.endIndex {
      guard source[place] == ASCII.ampersand,
        let end = source[place...].prefix(16).firstIndex(of: UInt8(ascii: ";"))
      else {
        append([source[place]], .literal)
        place += 1
        continue
      }
      let name = String(decoding: source[(place + 1)..<end], as: UTF8.self)
      let whole = Array(source[place...end])
      if let plain = Self.predefined[name] {
        append([plain], .verbatim(whole))
      } else if name.hasPrefix("#x"), let value = UInt32(name.dropFirst(2), radix: 16),
        let scalar = Unicode.Scalar(value)
      {
        let isLower = name.dropFirst(2).utf8.contains { $0 > 0x60 }
        append(
          Array(String(Character(scalar)).utf8),
          .hexadecimalReference(digits: name.utf8.count - 2, isLower: isLower))
      } else if name.hasPrefix("#"), let value = UInt32(name.dropFirst()),
        let scalar = Unicode.Scalar(value)
      {
        append(
          Array(String(Character(scalar)).utf8), .decimalReference(digits: name.utf8.count - 1))
      } else {
        for byte in whole { append([byte], .literal) }
      }
      place = end + 1
    }
  }

  private static let predefined: [String: UInt8] = [
    "amp": ASCII.ampersand, "lt": ASCII.lessThan, "gt": UInt8(ascii: ">"),
    "quot": UInt8(ascii: "\""), "apos": UInt8(ascii: "'"),
  ]

  /// Text with percent escapes; `+` is a character.
  init(percent source: ArraySlice<UInt8>) {
    var place = source.startIndex
    while place < source.endIndex {
      if source[place] == ASCII.percent, place + 2 < source.endIndex,
        let high = Hex.value(source[place + 1]), let low = Hex.value(source[place + 2])
      {
        let isLower = source[(place + 1)...(place + 2)].contains { $0 > 0x60 }
        append([high << 4 | low], .percent(isLower: isLower))
        place += 3
      } else {
        append([source[place]], .literal)
        place += 1
      }
    }
  }

  /// The text between the quotes of a JSON string.
  init(json source: ArraySlice<UInt8>) {
    var place = source.startIndex
    while place < source.endIndex {
      guard source[place] == UInt8(ascii: "\\"), place + 1 < source.endIndex else {
        append([source[place]], .literal)
        place += 1
        continue
      }
      if source[place + 1] == UInt8(ascii: "u"), place + 5 < source.endIndex {
        let digits = source[(place + 2)...(place + 5)]
        let value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
        let scalar = value.flatMap(Unicode.Scalar.init)
        let form: Form =
          scalar == nil
          ? .verbatim(Array(source[place...(place + 5)]))
          : .jsonUnicode(isLower: digits.contains { $0 > 0x60 })
        append(scalar.map { Array(String(Character($0)).utf8) } ?? [], form)
        place += 6
      } else {
        let plain = Self.jsonEscapes[source[place + 1]] ?? source[place + 1]
        append([plain], .verbatim([source[place], source[place + 1]]))
        place += 2
      }
    }
  }

  private static let jsonEscapes: [UInt8: UInt8] = [
    UInt8(ascii: "n"): 0x0A, UInt8(ascii: "r"): 0x0D, UInt8(ascii: "t"): 0x09,
    UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0C,
  ]
}
