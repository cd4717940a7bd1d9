import Octets

/// Tokens one behind another without anything between them, and one with other characters directly before it.
enum GluedText {
  static func recognise(_ sample: TextSample) -> RecognisedText? {
    compact(sample.octets) ?? base64(sample) ?? before(sample)
  }

  /// A second header inside the last part of the first token.
  private static func compact(_ octets: ArraySlice<UInt8>) -> RecognisedText? {
    guard octets.starts(with: beginning.utf8),
      octets.allSatisfy({ TextSample.isDigit($0) || ".=~".utf8.contains($0) })
    else { return nil }
    let parts = octets.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count > 3, TokenShape.isHeader(parts[0]) else { return nil }
    for part in parts.dropFirst(2).prefix(4) {
      if let start = header(in: part), start > octets.startIndex {
        return several(at: start - octets.startIndex)
      }
    }
    return nil
  }

  /// Where the header of a compact token begins inside a part.
  private static func header(in part: ArraySlice<UInt8>) -> Int? {
    var rest = part
    for _ in 0..<8 {
      guard let start = rest.firstRange(ofBytes: beginning)?.lowerBound else { return nil }
      if TokenShape.isHeader(rest[start...]) { return start }
      rest = rest[(start + 1)...]
    }
    return nil
  }

  /// Digits behind the padding.
  private static func base64(_ sample: TextSample) -> RecognisedText? {
    guard sample.first == UInt8(ascii: "P"), sample.isBase64,
      let padding = sample.octets.firstIndex(of: ASCII.equals)
    else { return nil }
    let rest = sample.octets[padding...].drop { $0 == ASCII.equals || ASCII.isWhiteSpace($0) }
    guard rest.first == UInt8(ascii: "P") else { return nil }
    return several(at: rest.startIndex - sample.octets.startIndex)
  }

  /// A second document behind the end of the first one.
  static func markup(_ octets: ArraySlice<UInt8>, root: String) -> RecognisedText? {
    guard let end = octets.firstRange(ofBytes: "</\(root)>") else { return nil }
    let rest = octets[end.upperBound...].drop(while: ASCII.isWhiteSpace)
    guard rest.starts(with: "<\(root)".utf8) || rest.starts(with: "<?xml".utf8) else { return nil }
    return several(at: rest.startIndex - octets.startIndex)
  }

  private static func several(at offset: Int) -> RecognisedText {
    RecognisedText(
      .severalTokens, detail: "byte \(offset)",
      name: "two tokens without anything between them", node: "byte \(offset)")
  }

  /// A whole token behind a word, such as `Bearer`, without a space.
  private static func before(_ sample: TextSample) -> RecognisedText? {
    guard sample.words.count == 1,
      let start = sample.octets.prefix(64).firstRange(ofBytes: beginning)?.lowerBound
    else { return nil }
    let offset = start - sample.octets.startIndex
    guard offset > 0, sample.octets[..<start].allSatisfy(TextSample.isDigit),
      TokenShape.compact(sample.octets[start...]) != nil
    else { return nil }
    return RecognisedText(
      .textAroundToken, detail: "byte \(offset) and behind it",
      name: "a token with \(offset) other characters directly before it")
  }

  /// The base64url of `{"`.
  private static let beginning = "eyJ"
}
