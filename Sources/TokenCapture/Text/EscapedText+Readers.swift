import Octets

extension EscapedText {
  /// Text of XML with references.
  init(xml source: ArraySlice<UInt8>) {
    var place = source.startIndex
    while place < source.endIndex {
      let next = source[place...].firstIndex(of: ASCII.ampersand) ?? source.endIndex
      if next > place { append(source[place..<next], .literal) }
      guard next < source.endIndex else { return }
      guard let end = source[next...].prefix(16).firstIndex(of: UInt8(ascii: ";")) else {
        append([ASCII.ampersand], .literal)
        place = next + 1
        continue
      }
      appendReference(source[next...end])
      place = end + 1
    }
  }

  private mutating func appendReference(_ whole: ArraySlice<UInt8>) {
    let name = String(decoding: whole.dropFirst().dropLast(), as: UTF8.self)
    if let plain = Self.predefined[name] {
      append([plain], .verbatim(Array(whole)))
    } else if name.hasPrefix("#x"), let value = UInt32(name.dropFirst(2), radix: 16),
      let scalar = Unicode.Scalar(value)
    {
      let isLower = name.dropFirst(2).utf8.contains { $0 > 0x60 }
      append(
        Array(scalar.utf8),
        .hexadecimalReference(digits: name.utf8.count - 2, isLower: isLower))
    } else if name.hasPrefix("#"), let value = UInt32(name.dropFirst()),
      let scalar = Unicode.Scalar(value)
    {
      append(Array(scalar.utf8), .decimalReference(digits: name.utf8.count - 1))
    } else {
      append(whole, .literal)
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
        let rest = source[(place + 1)...]
        let next = rest.firstIndex(of: ASCII.percent) ?? source.endIndex
        append(source[place..<next], .literal)
        place = next
      }
    }
  }

  /// The text between the quotes of a JSON string.
  init(json source: ArraySlice<UInt8>) {
    let backslash = UInt8(ascii: "\\")
    var place = source.startIndex
    while place < source.endIndex {
      let next = source[place...].firstIndex(of: backslash) ?? source.endIndex
      if next > place { append(source[place..<next], .literal) }
      guard next < source.endIndex else { return }
      place = appendEscape(source[next...])
    }
  }

  /// Appends what a backslash begins, and returns the place behind it.
  private mutating func appendEscape(_ source: ArraySlice<UInt8>) -> Int {
    let start = source.startIndex
    guard let escaped = source.dropFirst().first else {
      append(source, .literal)
      return source.endIndex
    }
    if escaped == UInt8(ascii: "u") { return appendUnicode(source) }
    if let plain = Self.jsonEscapes[escaped] {
      append([plain], .verbatim(Array(source.prefix(2))))
    } else if escaped < 0x80 {
      append([escaped], .backslash)
    } else {
      append(source.prefix(1), .literal)
      return start + 1
    }
    return start + 2
  }

  private mutating func appendUnicode(_ source: ArraySlice<UInt8>) -> Int {
    let start = source.startIndex
    guard let first = Self.codeUnit(source) else {
      append([], .verbatim(Array(source.prefix(2))))
      return start + 2
    }
    let isLower = source.prefix(6).dropFirst(2).contains { $0 > 0x60 }
    if let scalar = Unicode.Scalar(UInt32(first)) {
      append(Array(scalar.utf8), .jsonUnicode(isLower: isLower))
      return start + 6
    }
    if UTF16.isLeadSurrogate(first), let second = Self.codeUnit(source.dropFirst(6)),
      UTF16.isTrailSurrogate(second)
    {
      let value = 0x10000 + (UInt32(first) & 0x3FF) << 10 + UInt32(second) & 0x3FF
      append(Array((Unicode.Scalar(value) ?? " ").utf8), .jsonUnicode(isLower: isLower))
      return start + 12
    }
    // Half of a pair stands for nothing, and becomes another half.
    let other = UTF16.isLeadSurrogate(first) ? "\\ud800" : "\\udc00"
    append([], .verbatim(Array((isLower ? other : "\\u" + other.dropFirst(2).uppercased()).utf8)))
    return start + 6
  }

  /// The code unit of a `\u` escape.
  private static func codeUnit(_ source: ArraySlice<UInt8>) -> UInt16? {
    let escape = source.prefix(6)
    guard escape.count == 6, escape.starts(with: "\\u".utf8),
      escape.dropFirst(2).allSatisfy({ Hex.value($0) != nil })
    else { return nil }
    return UInt16(String(decoding: escape.dropFirst(2), as: UTF8.self), radix: 16)
  }
}
