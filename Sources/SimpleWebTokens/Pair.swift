import Claims
import Octets

/// The position of a pair, in a token and in the decoded octets.
struct Pair {
  /// Its name as sent, empty where it has none or no `=` follows.
  let sentName: Range<Int>
  /// What follows the first `=`.
  let sentValue: Range<Int>

  private(set) var name = ClaimText.empty
  private(set) var value = ClaimText.empty
  /// The position in the token of the first malformed escape.
  private(set) var brokenEscape: Int?

  /// The pair at `range`.
  init(_ range: Range<Int>, in token: Span<UInt8>) {
    let equals = token.firstIndex(of: ASCII.equals, in: range) ?? range.lowerBound
    sentName = range.lowerBound..<equals
    sentValue = min(equals + 1, range.upperBound)..<range.upperBound
  }

  var start: Int { sentName.lowerBound }

  /// Whether the name as received is the one of the MAC.
  func isMAC(in token: Span<UInt8>) -> Bool {
    // The length first: most names are not as long.
    sentName.count == ReservedName.longest
      && token.extracting(sentName).hasPrefix(ReservedName.macName)
  }

  /// Decodes name and value, up to the first malformed escape.
  mutating func decode(_ token: Span<UInt8>, into octets: inout OutputSpan<UInt8>) {
    name = decode(sentName, token, into: &octets)
    if brokenEscape == nil { value = decode(sentValue, token, into: &octets) }
  }

  private mutating func decode(
    _ sent: Range<Int>, _ token: Span<UInt8>, into octets: inout OutputSpan<UInt8>
  ) -> ClaimText {
    let start = octets.count
    if let broken = FormEncoding.decode(token.extracting(sent), into: &octets) {
      brokenEscape = sent.lowerBound + broken
    }
    return ClaimText(start..<octets.count)
  }
}
