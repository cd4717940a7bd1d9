import Claims
import Octets
import TokenErrors

/// Takes a token apart and decodes it in one walk over the octets that mean something. Copied nowhere,
/// because that costs more than a step of the walk.
struct PairReader: ~Copyable {
  /// Where a pair stands.
  struct Pair {
    /// As received.
    let start: Int
    // Decoded.
    let name: ClaimText
    let value: ClaimText
    /// Whether the name is not one that the format keeps for itself.
    var isClaim = false

    /// Where the pair is, for an error.
    var place: String { "byte \(start)" }
  }

  /// The pairs before the MAC, up to the first that is wrong.
  var pairs: [Pair] = []
  /// What is wrong with the pair behind them.
  private(set) var failure: TokenError?
  /// Where the octets that the MAC covers end.
  private(set) var signedEnd = 0
  /// Where the value of the MAC is decoded; nil where an escape in it is none.
  private(set) var mac: Range<Int>?

  private var pairCount = 0
  private var macCount = 0

  /// Splits at raw `&`, and answers what the token is decoded to. The MAC is the one pair with the raw
  /// name `HMACSHA256`, and the last. What is wrong inside a pair is no error before all are split and
  /// becomes ``failure``.
  ///
  /// - Throws: `input.swt-character`, `input.swt-too-many-pairs`, `signature.missing`,
  ///   `signature.mac-not-last`, `signature.mac-repeated`.
  mutating func read(_ token: Span<UInt8>, limits: Limits) throws(TokenError) -> [UInt8] {
    if let index = PairOctets.firstRefused(token) {
      throw TokenError(.swtCharacter, node: "byte \(index)")
    }
    pairs.reserveCapacity(16)
    let decoded = try PairDecoder.decode(token.count) { decoder throws(TokenError) in
      try walk(token, limits, &decoder)
    }
    guard macCount > 0 else { throw TokenError(.signatureMissing, expected: "HMACSHA256=") }
    guard macCount == 1 else { throw TokenError(.macRepeated) }
    return decoded
  }

  private mutating func walk(
    _ token: Span<UInt8>, _ limits: Limits, _ decoder: inout PairDecoder
  ) throws(TokenError) {
    let values = Hex.values
    let digits = values.span
    var marks = PairMarks()
    var pair = OpenPair(at: 0, decoder)
    var place = 0
    repeat {
      place = marks.next(in: token)
      // The end of the token ends a pair as `&` does.
      let mark = place < token.count ? token[place] : ASCII.ampersand
      // Most are escapes, so these are asked for first.
      if mark == ASCII.percent {
        decoder.copy(token, upTo: place)
        if let octet = FormEncoding.escaped(token, place, digits) {
          decoder.replace(3, by: octet)
          pair.noteEscape(of: octet)
        } else {
          pair.noteBrokenEscape(at: place)
        }
      } else if mark == ASCII.equals {
        pair.noteEquals(at: place, token, decoder)
      } else if mark == ASCII.ampersand {
        try close(pair, token, before: place, limits, &decoder)
        pair = OpenPair(at: place + 1, decoder)
      } else if !pair.isMAC {
        // In the MAC `+` is the digit of base64, which has no spaces.
        decoder.copy(token, upTo: place)
        decoder.replace(1, by: ASCII.space)
      }
    } while place < token.count
    decoder.copy(token, upTo: token.count)
  }

  private mutating func close(
    _ pair: OpenPair, _ token: Span<UInt8>, before end: Int, _ limits: Limits,
    _ decoder: inout PairDecoder
  ) throws(TokenError) {
    if pair.isMAC {
      macCount += 1
      mac = pair.mac(before: end, decoder)
      signedEnd = max(pair.start - 1, 0)
      if end < token.count, macCount == 1, !Self.hasMAC(token, after: end) {
        throw TokenError(.macNotLast, node: "byte \(end)")
      }
    } else {
      pairCount += 1
      add(pair, token, before: end, &decoder)
    }
    guard pairCount <= limits.pairs else {
      throw TokenError(.tooManyPairs, expected: "at most \(limits.pairs)")
    }
  }

  private mutating func add(
    _ pair: OpenPair, _ token: Span<UInt8>, before end: Int, _ decoder: inout PairDecoder
  ) {
    // A pattern: `==` would copy the error.
    guard case .none = failure else { return }
    do throws(TokenError) {
      pairs.append(try pair.closed(token, before: end, &decoder))
    } catch {
      failure = error
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
