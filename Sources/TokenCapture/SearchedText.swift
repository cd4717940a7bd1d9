import Octets

/// A text in which originals are looked for. Which four octets follow one another in it rules most out.
struct SearchedText {
  private let text: [UInt8]
  private var fours: Set<UInt32> = []

  init(_ text: [UInt8]) {
    self.text = text
    var four: UInt32 = 0
    for (place, byte) in text.enumerated() {
      four = four << 8 | UInt32(byte)
      if place >= 3 { fours.insert(four) }
    }
  }

  /// - Parameter asWord: Whether it counts only where no letter or digit is beside it.
  func contains(_ wanted: [UInt8], asWord: Bool) -> Bool {
    contains(wanted) { place in
      let end = place + wanted.count
      let isPart =
        place > 0 && Self.isWord(text[place - 1]) || end < text.count && Self.isWord(text[end])
      return !asWord || !isPart
    }
  }

  /// Whether it is there percent-encoded, in hexadecimal digits or in base64.
  func containsEncoded(_ wanted: [UInt8]) -> Bool {
    var forms = [true, false].map { HexDigits.encode(wanted, isLower: $0) }
    let escaped = Array(FormEncoding.encode(String(decoding: wanted, as: UTF8.self)).utf8)
    if escaped != wanted { forms.append(escaped) }
    if forms.contains(where: { contains($0) { _ in true } }) { return true }
    for offset in 0..<3 {
      for alphabet in [Base64.Alphabet.standard, .url]
      where containsBase64(wanted, offset, alphabet) {
        return true
      }
    }
    return false
  }

  /// - Parameter offset: How many octets are before it in the three that four digits stand for.
  ///
  /// The digits that no octet beside it changes are looked for, and what they are part of is decoded then:
  /// they have no more than some bits of the first and the last octet. Fewer than five of them occur by
  /// chance, which leaves out a value of four octets at one offset.
  private func containsBase64(
    _ wanted: [UInt8], _ offset: Int, _ alphabet: Base64.Alphabet
  ) -> Bool {
    let whole = [UInt8](repeating: 0, count: offset) + wanted
    let digits = Base64.encode(whole, alphabet).utf8.filter { $0 != ASCII.equals }
    let start = [0, 2, 3][offset]
    let own = Array(digits.dropFirst(start).dropLast(whole.count % 3 == 0 ? 0 : 1))
    guard own.count >= 5 else { return false }
    return contains(own) { place in
      let first = place - start
      let end = first + (whole.count + 2) / 3 * 4
      guard first >= 0, end <= text.count,
        let decoded = try? Base64.decode(text[first..<end].span, alphabet),
        decoded.count >= whole.count
      else { return true }
      return decoded[offset..<whole.count].elementsEqual(wanted)
    }
  }

  /// Whether it is at a place that counts.
  private func contains(_ wanted: [UInt8], where counts: (Int) -> Bool) -> Bool {
    guard let first = wanted.first, wanted.count >= 4,
      fours.contains(wanted.prefix(4).reduce(0) { $0 << 8 | UInt32($1) })
    else { return false }
    var place = 0
    while let found = text.firstIndex(of: first, from: place), found + wanted.count <= text.count {
      if text[found..<(found + wanted.count)].elementsEqual(wanted), counts(found) { return true }
      place = found + 1
    }
    return false
  }

  private static func isWord(_ byte: UInt8) -> Bool { ASCII.isLetter(byte) || ASCII.isDigit(byte) }
}
