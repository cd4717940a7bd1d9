import Octets

/// Texts that a terminal, an editor or a dump wrote something into, line by line.
enum LinedText {
  static func recognise(_ sample: TextSample) -> RecognisedText? {
    terminal(sample) ?? shownEnds(sample) ?? numbered(sample) ?? HexDump.recognise(sample)
  }

  // MARK: Terminals

  private static let escape: UInt8 = 0x1B

  /// A text with the escape sequences that colour it (ECMA-48), or that end and begin a paste.
  private static func terminal(_ sample: TextSample) -> RecognisedText? {
    guard sample.octets.contains(escape),
      sample.octets.allSatisfy({
        $0 >= 0x20 || ASCII.isWhiteSpace($0) || [escape, 0x07, 0x08].contains($0)
      })
    else { return nil }
    let inside = withoutSequences(sample.octets)
    let inner = RecognisedText.of(inside, inside: sample)
    let name = inner.kind == .other ? "a text" : inner.shown
    var text = RecognisedText(
      .terminalText, detail: inner.kind.rawValue,
      name: "\(name) with escape sequences of a terminal (colours)")
    text.tokens = inner.kind == .token ? [] : inner.tokens
    return text
  }

  /// The text without `ESC [ ... letter` and `ESC ] ... BEL`.
  static func withoutSequences(_ octets: ArraySlice<UInt8>) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(octets.count)
    var rest = octets
    while let byte = rest.popFirst() {
      guard byte == escape else {
        text.append(byte)
        continue
      }
      switch rest.popFirst() {
      case UInt8(ascii: "[")?:
        rest = rest.drop { (0x20...0x3F).contains($0) }.dropFirst()
      case UInt8(ascii: "]")?:
        rest = rest.drop { $0 != 0x07 && $0 != escape }.dropFirst()
      default: break
      }
    }
    return text
  }

  // MARK: Ends of lines

  /// A text as `cat -A` shows it: `$` at the end of each line, `^I` for a tab and `^M` for a carriage return.
  private static func shownEnds(_ sample: TextSample) -> RecognisedText? {
    let dollar = UInt8(ascii: "$")
    guard sample.octets.last == dollar, sample.octets.contains(ASCII.lineFeed) else { return nil }
    let lines = sample.octets.split(separator: ASCII.lineFeed, omittingEmptySubsequences: false)
    guard lines.allSatisfy({ $0.last == dollar }) else { return nil }
    let text = lines.map { line -> ArraySlice<UInt8> in
      line.hasSuffix("^M$") ? line.dropLast(3) : line.dropLast()
    }.joined(separator: [ASCII.lineFeed])
    let inner = RecognisedText.of(withTabs(Array(text)[...]), inside: sample)
    guard inner.kind == .numberedLines || numberedKinds.contains(inner.kind) else { return nil }
    var shown = RecognisedText(
      .shownEnds, detail: inner.kind.rawValue,
      name: "\(inner.shown), with $ at the end of each line (cat -A)")
    shown.tokens = inner.tokens
    return shown
  }

  private static func withTabs(_ octets: ArraySlice<UInt8>) -> [UInt8] {
    var text: [UInt8] = []
    var rest = octets
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "^"), rest.first == UInt8(ascii: "I") {
        rest = rest.dropFirst()
        text.append(ASCII.tab)
      } else {
        text.append(byte)
      }
    }
    return text
  }

  // MARK: Numbers

  /// A key or document with a number before each line, as editors, viewers and listings show it.
  private static func numbered(_ sample: TextSample) -> RecognisedText? {
    guard let first = sample.first, ASCII.isDigit(first),
      let inside = withoutNumbers(sample.octets)
    else { return nil }
    let inner = RecognisedText.of(inside, inside: sample)
    guard numberedKinds.contains(inner.kind) else { return nil }
    var text = RecognisedText(
      .numberedLines, detail: inner.kind.rawValue,
      name: "\(inner.shown) with a number before each line")
    text.tokens = inner.tokens
    return text
  }

  /// Texts that have no numbers of their own before their lines; a history of commands or a list has.
  private static let numberedKinds: Set<TextKind> = [
    .certificate, .certificates, .publicKey, .rsaPublicKey, .privateKey, .encryptedPrivateKey,
    .opensshPrivateKey, .certificateRequest, .pkcs7, .pgp, .metadata, .token, .wrapped, .jwk,
    .jwkSet, .trustFile, .discovery, .json, .otherDocument, .environment, .settingsFile,
    .jsonMember, .xml, .yaml, .kubernetes, .kubeconfig,
  ]

  /// The lines without the numbers before them, which count up by one; nil where a line has none.
  static func withoutNumbers(_ octets: ArraySlice<UInt8>) -> [UInt8]? {
    let lines = octets.split(separator: ASCII.lineFeed, omittingEmptySubsequences: false)
    guard lines.count >= 3 else { return nil }
    return numbersBefore(lines) ?? numbersBetween(lines)
  }

  private static func numbersBefore(_ lines: [ArraySlice<UInt8>]) -> [UInt8]? {
    var next: Int?
    var inside: [ArraySlice<UInt8>] = []
    for line in lines {
      let start = line.drop { ASCII.isWhiteSpace($0) }
      let digits = start.prefix { ASCII.isDigit($0) }
      guard !digits.isEmpty, digits.count <= 6,
        let number = Int(String(decoding: digits, as: UTF8.self)), next == nil || number == next
      else { return nil }
      next = number + 1
      let behind = start.dropFirst(digits.count)
      guard behind.first.map({ !TextSample.isDigit($0) || $0 == UInt8(ascii: "-") }) ?? true else {
        return nil
      }
      inside.append(withoutMark(behind))
    }
    return Array(inside.joined(separator: [ASCII.lineFeed]))
  }

  /// What stands behind a number, without the sign between them: grep has - for a line around those it found, and bat
  /// a vertical bar.
  private static func withoutMark(_ behind: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let hyphen = UInt8(ascii: "-")
    if behind.first == hyphen, behind.dropFirst().first != hyphen { return behind.dropFirst() }
    let rest = behind.drop { ASCII.isWhiteSpace($0) || ":|.)".utf8.contains($0) }
    guard rest.starts(with: "\u{2502}".utf8) else { return rest }
    return rest.dropFirst(3).drop(while: ASCII.isWhiteSpace)
  }

  /// The lines without those between them that hold a number alone, which count up by one: `sed =` writes them so.
  private static func numbersBetween(_ lines: [ArraySlice<UInt8>]) -> [UInt8]? {
    guard lines.count >= 4 else { return nil }
    var next: Int?
    var inside: [ArraySlice<UInt8>] = []
    for index in stride(from: 0, to: lines.count - 1, by: 2) {
      let digits = lines[index].filter { !ASCII.isWhiteSpace($0) }
      guard digits.count <= 6, digits.allSatisfy(ASCII.isDigit),
        let number = Int(String(decoding: digits, as: UTF8.self)), next == nil || number == next
      else { return nil }
      next = number + 1
      inside.append(lines[index + 1])
    }
    return Array(inside.joined(separator: [ASCII.lineFeed]))
  }
}

/// Hexadecimal digits with an offset before each line, and maybe the characters behind.
enum HexDump {
  static func recognise(_ sample: TextSample) -> RecognisedText? {
    guard sample.octets.contains(ASCII.lineFeed) else { return nil }
    guard let octets = content(of: sample) else {
      // `od` writes octal offsets and numbers.
      let isOctal = sample.begins("0000000 ") && sample.has("\n0000020 ")
      return isOctal ? RecognisedText(.hexDump, name: "a dump of od") : nil
    }
    let inner = RecognisedText.of(octets, inside: sample)
    let isNamed = ![.other, .binary, .hexDump].contains(inner.kind)
    return RecognisedText(
      .hexDump, detail: inner.kind.rawValue,
      name: isNamed ? "a hex dump of \(inner.shown)" : TextKind.hexDump.rawValue)
  }

  /// What the lines of a dump stand for; nil where a line is none.
  private static func content(of sample: TextSample) -> [UInt8]? {
    var octets: [UInt8] = []
    var last = -1
    let lines = sample.lines
    // A sniffer or console may write a heading.
    guard let first = lines.prefix(6).firstIndex(where: isDump) else { return nil }
    for line in lines[first...] {
      // `hexdump` writes * for lines that repeat.
      if line == "*" { continue }
      guard let offset = number(before: line), offset > last else {
        // The next packet.
        break
      }
      last = offset
      octets += digits(behind: line)
    }
    return octets.count >= 16 ? octets : nil
  }

  private static func isDump(_ line: Substring) -> Bool {
    number(before: line) == 0 && digits(behind: line).count >= 4
  }

  /// The number at the beginning of a line, of four to ten digits.
  private static func number(before line: Substring) -> Int? {
    var text = line.utf8[...]
    if text.starts(with: "0x".utf8) { text = text.dropFirst(2) }
    let digits = text.prefix(while: Hex.isDigit)
    guard (4...10).contains(digits.count) else { return nil }
    let behind = text.dropFirst(digits.count)
    guard let mark = behind.first, mark == UInt8(ascii: ":") || ASCII.isWhiteSpace(mark) else {
      return nil
    }
    return Int(String(Substring(digits)), radix: 16)
  }

  /// The octets of the groups of digits behind the offset, up to the column of characters.
  private static func digits(behind line: Substring) -> [UInt8] {
    var text = line.utf8[...]
    if text.starts(with: "0x".utf8) { text = text.dropFirst(2) }
    text = text.drop(while: Hex.isDigit).drop { $0 == UInt8(ascii: ":") }
    text = text.drop { ASCII.isWhiteSpace($0) }
    var octets: [UInt8] = []
    var width: Int?
    while octets.count < 32 {
      let group = text.prefix(while: Hex.isDigit)
      guard [2, 4, 8].contains(group.count), width == nil || group.count <= width ?? 0 else {
        break
      }
      width = width ?? group.count
      for start in stride(from: 0, to: group.count, by: 2) {
        guard let value = Hex.number(group.dropFirst(start).prefix(2)) else { break }
        octets.append(UInt8(truncatingIfNeeded: value))
      }
      text = text.dropFirst(group.count)
      let spaces = text.prefix { $0 == ASCII.space || $0 == ASCII.tab }
      text = text.dropFirst(spaces.count)
      // Two spaces stand in the middle of a line too, where eight octets are to each side.
      guard spaces.count == 1 || spaces.count == 2 && octets.count == 8 else { break }
    }
    return octets
  }
}
