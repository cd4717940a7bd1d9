import Claims
import Octets
import TokenErrors

/// Splits a token at its delimiters. Never copied.
struct PairReader: ~Copyable {
  /// The pairs but the MAC, up to the first invalid one.
  private(set) var pairs = PairTable()
  /// The end of the octets that the MAC covers.
  private(set) var signedEnd = 0
  /// The position of the MAC's value; nil where an escape in it is broken.
  private var macPlace: MACValue.Place?

  private var pairCount = 0
  private var macCount = 0

  /// Splits at raw `&`. The MAC is the one pair with the raw name `HMACSHA256`, and the last. An
  /// invalid pair is no error before all are split.
  ///
  /// - Throws: `input.swt-character`, `input.swt-too-many-pairs`, `signature.missing`,
  ///   `signature.mac-not-last`, `signature.mac-repeated`.
  mutating func read(_ token: Span<UInt8>, limits: Limits) throws(TokenError) {
    do throws(TokenError) {
      try split(token, limits)
    } catch {
      // Wherever reading ended, a forbidden octet takes precedence.
      throw Self.refusal(of: token) ?? error
    }
  }

  /// The MAC of the token that was read.
  ///
  /// - Throws: As ``MACValue/decode(_:_:_:)``.
  func mac(of token: Span<UInt8>) throws(TokenError) -> InlineArray<32, UInt8> {
    try MACValue.decode(token, pairs.claims.octets.span, macPlace)
  }

  /// As ``PairTable/facts()``.
  consuming func facts() throws(TokenError) -> TokenFacts { try pairs.facts() }

  /// The error for the first octet that a token must not contain.
  private static func refusal(of token: Span<UInt8>) -> TokenError? {
    PairOctets.firstRefused(token).map { TokenError(.swtCharacter, node: "byte \($0)") }
  }

  private mutating func split(_ token: Span<UInt8>, _ limits: Limits) throws(TokenError) {
    var decoder = FormDecoder()
    var marks = FormDecoder.Marks(repeating: 0)
    var pair = OpenPair(at: 0, decoded: 0)
    while let count = decoder.decode(token, to: &pairs.claims.octets, &marks) {
      for place in 0..<count {
        let mark = FormMark(word: marks[place])
        switch mark.octet {
        case ASCII.equals:
          pair.noteEquals(at: mark.place, decoded: mark.decodedPlace)
        case ASCII.ampersand:
          try close(pair, token, before: mark.place, decoded: mark.decodedPlace, limits)
          pair = OpenPair(at: mark.place &+ 1, decoded: mark.decodedPlace &+ 1)
        default:
          pair.noteEscape(isBroken: mark.octet != ASCII.percent)
        }
      }
    }
    // The end of the token ends a pair, as `&` does.
    try close(pair, token, before: token.count, decoded: pairs.claims.octets.count, limits)
    guard !decoder.hasOthers else { throw TokenError(.swtCharacter) }
    guard macCount > 0 else { throw TokenError(.signatureMissing, expected: "HMACSHA256=") }
    guard macCount == 1 else { throw TokenError(.macRepeated) }
  }

  @inline(__always)
  private mutating func close(
    _ pair: OpenPair, _ token: Span<UInt8>, before end: Int, decoded: Int, _ limits: Limits
  ) throws(TokenError) {
    if pair.isMAC(in: token) {
      macCount += 1
      macPlace = pair.mac(before: end, decoded: decoded)
      signedEnd = max(pair.start - 1, 0)
      if end < token.count, macCount == 1, !Self.hasMAC(token, after: end) {
        throw TokenError(.macNotLast, node: "byte \(end)")
      }
    } else {
      guard pairCount < limits.pairs else {
        throw TokenError(.tooManyPairs, expected: "at most \(limits.pairs)")
      }
      pairCount += 1
      pairs.add(pair, of: token, before: decoded)
    }
  }

  private static func hasMAC(_ token: Span<UInt8>, after end: Int) -> Bool {
    var start = end + 1
    while start < token.count {
      let end = token.firstIndex(of: ASCII.ampersand, from: start) ?? token.count
      let equals = token.firstIndex(of: ASCII.equals, in: start..<end) ?? end
      if equals < end, OpenPair.isMAC(token, start..<equals) { return true }
      start = end + 1
    }
    return false
  }
}
