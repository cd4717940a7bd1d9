import Claims
import Octets
import TokenErrors

/// Splits a token at its delimiters.
struct PairReader {
  /// The pairs but the MAC.
  private(set) var pairs: [Pair] = []
  /// The end of the octets that the MAC covers.
  private(set) var signedEnd = 0
  /// The position of the MAC's value.
  private(set) var mac = 0..<0

  private var macCount = 0

  /// Splits at raw `&`. The MAC is the one pair with the raw name `HMACSHA256`, and the last.
  ///
  /// - Throws: `input.swt-character`, `input.swt-too-many-pairs`, `signature.missing`,
  ///   `signature.mac-not-last`, `signature.mac-repeated`.
  init(_ token: Span<UInt8>, limits: Limits) throws(TokenError) {
    if let refused = SentOctets.firstRefused(token) {
      throw TokenError(.swtCharacter, node: "byte \(refused)")
    }
    pairs.reserveCapacity(16)
    var start = 0
    while start <= token.count {
      // The end of the token ends a pair, as `&` does.
      let end = token.firstIndex(of: ASCII.ampersand, from: start) ?? token.count
      try add(Pair(start..<end, in: token), of: token, limits)
      start = end + 1
    }
    guard macCount > 0 else { throw TokenError(.signatureMissing, expected: "HMACSHA256=") }
    guard macCount == 1 else { throw TokenError(.macRepeated) }
  }

  private mutating func add(
    _ pair: Pair, of token: Span<UInt8>, _ limits: Limits
  ) throws(TokenError) {
    if pair.isMAC(in: token) {
      macCount += 1
      mac = pair.sentValue
      signedEnd = max(pair.start - 1, 0)
      let end = pair.sentValue.upperBound
      if end < token.count, macCount == 1, !Self.hasMAC(token, after: end) {
        throw TokenError(.macNotLast, node: "byte \(end)")
      }
    } else {
      guard pairs.count < limits.pairs else {
        throw TokenError(.tooManyPairs, expected: "at most \(limits.pairs)")
      }
      pairs.append(pair)
    }
  }

  private static func hasMAC(_ token: Span<UInt8>, after end: Int) -> Bool {
    var start = end + 1
    while start < token.count {
      let end = token.firstIndex(of: ASCII.ampersand, from: start) ?? token.count
      if Pair(start..<end, in: token).isMAC(in: token) { return true }
      start = end + 1
    }
    return false
  }
}

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
