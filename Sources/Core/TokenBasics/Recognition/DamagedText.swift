import Octets

/// Tokens that are not whole: what is missing cannot be guessed.
enum DamagedText {
  static func recognise(_ sample: TextSample) -> RecognisedText? {
    if let glued = GluedText.recognise(sample) { return glued }
    if isShortened(sample) { return RecognisedText(.shortened) }
    if isMasked(sample) { return RecognisedText(.masked) }
    if let character = hidden(sample) { return character }
    return compact(sample) ?? base64(sample) ?? changedCase(sample) ?? withoutBeginning(sample)
  }

  // MARK: Beginnings

  /// A token whose letters are all small or all capital, or that begins with a capital letter.
  private static func changedCase(_ sample: TextSample) -> RecognisedText? {
    guard sample.words.count == 1 else { return nil }
    if sample.beginsLowercased("eyj"), !sample.begins("eyJ"), sample.has(".") {
      return RecognisedText(.changedCase)
    }
    guard ["phnhbwx", "pd94bwwg", "pfjlc3bv", "pefzc2vy"].contains(where: sample.beginsLowercased),
      sample.isBase64
    else { return nil }
    let isMixed =
      sample.octets.contains { $0 >= 0x61 && ASCII.isLetter($0) }
      && sample.octets.contains { $0 < 0x61 && ASCII.isLetter($0) }
    return isMixed ? nil : RecognisedText(.changedCase)
  }

  /// A token whose first one to three letters were not copied.
  private static func withoutBeginning(_ sample: TextSample) -> RecognisedText? {
    guard sample.words.count == 1, sample.octets.count > 32 else { return nil }
    let header = sample.octets.prefix { $0 != UInt8(ascii: ".") }
    if header.count < sample.octets.count {
      let isMissing = ["e", "ey", "eyJ"].contains {
        TokenShape.isHeader((Array($0.utf8) + header)[...])
      }
      return isMissing ? RecognisedText(.withoutBeginning) : nil
    }
    guard sample.isBase64 else { return nil }
    let starts = ["HNhbWxw", "D94bWwg", "NhbWxwO", "94bWwgd", "FJlc3Bv", "EFzc2Vy"]
    return starts.contains(where: sample.begins) ? RecognisedText(.withoutBeginning) : nil
  }

  private static let beginnings = [
    "ey", "PHN", "PD94", "PFJ", "PEF", "PHR", "PHdz", "PHN0", "<", "%3C",
  ]

  /// Whether the text begins as a token does.
  private static func beginsAsToken(_ sample: TextSample) -> Bool {
    beginnings.contains { sample.begins($0) } || sample.has("HMACSHA256=")
  }

  /// Whether an ellipsis stands in it.
  static func isShortened(_ sample: TextSample) -> Bool {
    let hasMark =
      sample.has("...") || sample.has("\u{2026}") || sample.has("&hellip;")
      || sample.has("<truncated") || sample.has("<snip")
      || ["truncated", "snip", "cut", "shortened", "omitted", "+"].contains { word in
        "[({".contains { sample.hasLowercased("\($0)\(word)") }
      }
    return hasMark && beginsAsToken(sample)
  }

  /// Whether characters were written over.
  static func isMasked(_ sample: TextSample) -> Bool {
    guard beginsAsToken(sample) || sample.words.count == 1 else { return false }
    return sample.has("***") || sample.has("\u{2022}\u{2022}") || sample.has("\u{25CF}")
      || sample.hasLowercased("xxxxxx") || sample.hasLowercased("redacted")
      || sample.hasLowercased("[masked]") || sample.hasLowercased("<secret>")
      || sample.hasLowercased("[filtered]") || sample.hasLowercased("<token>")
  }

  /// A character of another kind in a token: which and where.
  private static func hidden(_ sample: TextSample) -> RecognisedText? {
    guard beginsAsToken(sample), !sample.begins("<") else { return nil }
    var place = 0
    for scalar in sample.text.unicodeScalars {
      if !scalar.isASCII {
        let name = "U+" + String(scalar.value, radix: 16, uppercase: true).leftPadded(4)
        let isHidden = scalar.isHidden
        let other = replacements.first { $0.scalars.contains(scalar) }
        return RecognisedText(
          isHidden ? .invisible : .typographic, detail: isHidden ? nil : other?.meant,
          name: isHidden
            ? "\(name), a character that cannot be seen"
            : "\(name), \(other?.name ?? "a character") that is not ASCII",
          node: "byte \(place)")
      }
      place += scalar.utf8.count
    }
    return nil
  }

  /// What word processors and chats write in place of characters of ASCII.
  private static let replacements:
    [(scalars: String.UnicodeScalarView, name: String, meant: String)] =
      [
        (
          "\u{2013}\u{2014}\u{2010}\u{2011}\u{2212}".unicodeScalars, "a dash (typographic)",
          "a hyphen (-), or two where one dash stands for them,"
        ),
        (
          "\u{201C}\u{201D}\u{201E}\u{AB}\u{BB}\u{2018}\u{2019}".unicodeScalars,
          "a typographic quotation mark", "the mark of ASCII, or nothing,"
        ),
      ]

  // MARK: Cut

  private static func compact(_ sample: TextSample) -> RecognisedText? {
    guard sample.begins("ey") else { return nil }
    let joined = sample.octets.filter { !ASCII.isWhiteSpace($0) }
    guard joined.allSatisfy({ TextSample.isDigit($0) || ".~=".utf8.contains($0) }) else {
      return nil
    }
    let parts = joined.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let isHeader = parts.first.map { TokenShape.isHeader($0[...]) } ?? false
    let isEncrypted = isHeader && TokenShape.isHeader(parts[0], isEncrypted: true)
    if isHeader, !sample.has("~"), parts.count > 3 || isEncrypted && parts.count > 1,
      !(isEncrypted && parts.count == 5)
    {
      return RecognisedText(
        .lostPart,
        name: "\(isEncrypted ? "an encrypted" : "a signed") token of \(parts.count) parts")
    }
    switch parts.count {
    case 1: return isHeader || parts[0].count > 40 ? RecognisedText(.cut) : nil
    case 2: return isHeader ? half(parts[1]) : nil
    case 3 where parts[2].isEmpty: return nil
    default: return nil
    }
  }

  /// A token of two parts: the second is whole, or it was cut.
  private static func half(_ payload: ArraySlice<UInt8>) -> RecognisedText {
    let isWhole =
      TextSample.decoded(payload).map { (try? JSONParser.parse($0)) != nil } ?? false
    return RecognisedText(isWhole ? .withoutSignature : .cut)
  }

  private static func base64(_ sample: TextSample) -> RecognisedText? {
    guard beginsAsToken(sample) || sample.begins("7V") || sample.begins("nV") || sample.begins("fZ")
    else { return nil }
    if let lost = lostPlus(sample) { return lost }
    guard sample.isBase64 else { return nil }
    // Without what is missing of the last group.
    let digits = sample.octets.filter { !ASCII.isWhiteSpace($0) && $0 != ASCII.equals }
    let whole = TextSample.decoded(digits.prefix(digits.count / 4 * 4)[...])
    guard let content = whole, content.first == ASCII.lessThan else { return nil }
    return MarkupShape.isClosed(content[...]) && digits.count % 4 != 1 ? nil : RecognisedText(.cut)
  }

  /// Single spaces where digits belong, so that the rest has no length of base64.
  private static func lostPlus(_ sample: TextSample) -> RecognisedText? {
    guard sample.octets.contains(ASCII.space),
      !sample.octets.contains(ASCII.lineFeed), sample.isBase64
    else { return nil }
    let repaired = sample.octets.map { $0 == ASCII.space ? ASCII.plus : $0 }
    guard let content = TextSample.decoded(repaired[...]), content.first == ASCII.lessThan,
      MarkupShape.isClosed(content[...])
    else { return nil }
    let place = sample.octets.firstIndex(of: ASCII.space).map { $0 - sample.octets.startIndex }
    return RecognisedText(.lostPlus, node: place.map { "byte \($0)" })
  }
}

extension String {
  /// With zeros before it, up to this many characters.
  fileprivate func leftPadded(_ width: Int) -> String {
    String(repeating: "0", count: max(0, width - count)) + self
  }
}
