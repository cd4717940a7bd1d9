import Octets

/// Tokens: whole ones, several, and ones that something happened to.
enum TokenText {
  /// Several tokens, on lines of their own or one behind another.
  static func severalLines(_ sample: TextSample) -> RecognisedText? {
    let octets = sample.octets
    // The beginning of a long file of lines tells enough.
    let part = octets.count > Self.looked ? wholeLines(octets.prefix(Self.looked)) : octets
    let lines = part.split(separator: ASCII.lineFeed).map(TextSample.trimmed)
      .filter { !$0.isEmpty }
    if lines.count > 1, isToken(lines[0]), isToken(lines[1]) {
      return RecognisedText(.severalTokens, name: "several tokens, one on each line")
    }
    guard let first = octets.first, !"<{[".utf8.contains(first) else { return nil }
    let pieces = part.split { ASCII.isWhiteSpace($0) || ",;|".utf8.contains($0) }
      .map { $0.drop { "\"'".utf8.contains($0) } }.filter { $0.count > 16 }
    guard pieces.count > 1, pieces.allSatisfy({ isToken($0.trimmingQuotes) }),
      !isTable(sample)
    else { return nil }
    return RecognisedText(.severalTokens, name: "several tokens, one behind another")
  }

  /// Whether the first line names the columns below it.
  private static func isTable(_ sample: TextSample) -> Bool {
    let heading = sample.lines.first ?? ""
    return heading.utf8.count < 512 && !heading.contains("eyJ") && ForeignText.table(sample) != nil
  }

  private static let looked = 1 << 18

  private static func wholeLines(_ part: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    part.lastIndex(of: ASCII.lineFeed).map { part[..<$0] } ?? part
  }

  /// Whether a line is a token, or an object with one.
  private static func isToken(_ line: ArraySlice<UInt8>) -> Bool {
    if line.first == UInt8(ascii: "{") {
      guard let json = try? JSONParser.parse(Array(line)) else { return false }
      return json["token"]?.string != nil || json["token64"]?.string != nil
    }
    if TokenShape(line) != nil { return true }
    // Also one whose parts are of no sense: their number tells lines from a broken token.
    return line.starts(with: "eyJ".utf8) && line.count { $0 == UInt8(ascii: ".") } >= 2
  }

  /// One token, as it travels or with something around it.
  static func recognise(_ sample: TextSample) -> RecognisedText? {
    let octets = sample.octets
    switch TokenShape(octets) {
    case .jwt?, .sdjwt?, .encryptedJWT?, .swt?, .xml?, .base64OfXML?: return RecognisedText(.token)
    case nil: break
    }
    if DamagedText.isShortened(sample) { return nil }
    let found = TokenSearch.tokens(in: octets)
    guard let first = found.first else { return nil }
    if found.count > 1 {
      return RecognisedText(.severalTokens, name: "\(found.count) tokens in one text")
    }
    if isSpaced(octets, first.octets) { return RecognisedText(.wrapped) }
    return encoded(sample, first)
      ?? RecognisedText(
        .textAroundToken, detail: first.place == "the text" ? nil : first.place)
  }

  /// Whether the text is the token with white space inside of it.
  private static func isSpaced(_ octets: ArraySlice<UInt8>, _ token: [UInt8]) -> Bool {
    octets.filter { !ASCII.isWhiteSpace($0) }.elementsEqual(
      token.filter { !ASCII.isWhiteSpace($0) })
  }

  /// The encoding around a token, where the text has nothing else.
  private static func encoded(
    _ sample: TextSample, _ found: TokenSearch.Found
  ) -> RecognisedText? {
    let octets = sample.octets
    if octets.firstRange(ofBytes: "&lt;") != nil || sample.begins("&#") {
      return RecognisedText(.escapedMarkup)
    }
    if sample.beginsLowercased("%25") || sample.hasLowercased("%252") {
      return RecognisedText(.percentEncodedTwice)
    }
    if sample.beginsLowercased("%3c") { return RecognisedText(.percentEncodedMarkup) }
    if sample.words.count == 1, octets.contains(ASCII.percent), sample.begins("ey") {
      return RecognisedText(
        .percentEncodedMarkup, detail: "a token", name: "a percent-encoded token")
    }
    if sample.hasLowercased("=\n") || sample.hasLowercased("=\r\n") {
      return RecognisedText(.quotedPrintable)
    }
    if octets.allSatisfy({ Hex.isDigit($0) || ASCII.isWhiteSpace($0) || $0 == UInt8(ascii: ":") }) {
      return RecognisedText(.hexadecimal)
    }
    if sample.isBase64 {
      return RecognisedText(found.octets.starts(with: "ey".utf8) ? .base64OfToken : .base64Twice)
    }
    return sample.has("\\\"") || sample.has("\\u00") || sample.has("\\n")
      ? RecognisedText(.jsonString) : nil
  }
}

extension ArraySlice where Element == UInt8 {
  /// Without quotation marks at the end.
  fileprivate var trimmingQuotes: Self {
    var text = self
    while let last = text.last, "\"'".utf8.contains(last) { text.removeLast() }
    return text
  }
}
