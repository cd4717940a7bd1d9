import Claims
import Octets
import TokenErrors

/// Splits a token at its delimiters. Never copied.
struct PairReader: ~Copyable {
  /// The pairs but the MAC, up to the first invalid one.
  private(set) var pairs: PairTable
  /// The end of the octets that the MAC covers.
  private(set) var signedEnd = 0
  /// The position of the MAC's value.
  private var macPlace = 0..<0

  private var pairCount = 0
  private var macCount = 0

  /// Splits at raw `&`. The MAC is the one pair with the raw name `HMACSHA256`, and the last. An
  /// invalid pair is no error before all are split.
  ///
  /// - Throws: `input.swt-character`, `input.swt-too-many-pairs`, `signature.missing`,
  ///   `signature.mac-not-last`, `signature.mac-repeated`.
  init(_ token: Span<UInt8>, limits: Limits) throws(TokenError) {
    pairs = PairTable(tokenCount: token.count)
    if let refused = SentOctets.firstRefused(token) {
      throw TokenError(.swtCharacter, node: "byte \(refused)")
    }
    var start = 0
    while start <= token.count {
      // The end of the token ends a pair, as `&` does.
      let end = token.firstIndex(of: ASCII.ampersand, from: start) ?? token.count
      try add(EncodedPair(start..<end, in: token), of: token, limits)
      start = end + 1
    }
    guard macCount > 0 else { throw TokenError(.signatureMissing, expected: "HMACSHA256=") }
    guard macCount == 1 else { throw TokenError(.macRepeated) }
  }

  /// The MAC of the token that was read.
  ///
  /// - Throws: As ``MACValue/decode(_:)``.
  func mac(of token: Span<UInt8>) throws(TokenError) -> InlineArray<32, UInt8> {
    try MACValue.decode(token.extracting(macPlace))
  }

  /// As ``PairTable/facts()``.
  consuming func facts() throws(TokenError) -> TokenFacts { try pairs.facts() }

  private mutating func add(
    _ pair: EncodedPair, of token: Span<UInt8>, _ limits: Limits
  ) throws(TokenError) {
    if pair.isMAC(in: token) {
      macCount += 1
      macPlace = pair.value
      signedEnd = max(pair.start - 1, 0)
      let end = pair.value.upperBound
      if end < token.count, macCount == 1, !Self.hasMAC(token, after: end) {
        throw TokenError(.macNotLast, node: "byte \(end)")
      }
    } else {
      guard pairCount < limits.pairs else {
        throw TokenError(.tooManyPairs, expected: "at most \(limits.pairs)")
      }
      pairCount += 1
      pairs.add(pair, of: token)
    }
  }

  private static func hasMAC(_ token: Span<UInt8>, after end: Int) -> Bool {
    var start = end + 1
    while start < token.count {
      let end = token.firstIndex(of: ASCII.ampersand, from: start) ?? token.count
      if EncodedPair(start..<end, in: token).isMAC(in: token) { return true }
      start = end + 1
    }
    return false
  }
}
