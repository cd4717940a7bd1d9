import Claims
import Octets
import TokenErrors

/// Takes a token apart and decodes it in one walk over the octets that mean something. Copied nowhere,
/// because that costs more than a step of the walk.
struct PairReader: ~Copyable {
  /// Where a pair stands.
  struct Pair: BitwiseCopyable {
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
  var pairs = Row<Pair>(capacity: 16)
  /// What is wrong with the pair behind them.
  private(set) var failure: TokenError?
  /// Where the octets that the MAC covers end.
  private(set) var signedEnd = 0
  /// Where the value of the MAC stands; nil where an escape in it is none.
  private(set) var mac: MACValue.Place?

  private var pairCount = 0
  private var macCount = 0

  /// Splits at raw `&`, and answers what the token is decoded to. The MAC is the one pair with the raw
  /// name `HMACSHA256`, and the last. What is wrong inside a pair is no error before all are split and
  /// becomes ``failure``.
  ///
  /// - Throws: `input.swt-character`, `input.swt-too-many-pairs`, `signature.missing`,
  ///   `signature.mac-not-last`, `signature.mac-repeated`.
  mutating func read(_ token: Span<UInt8>, limits: Limits) throws(TokenError) -> [UInt8] {
    do throws(TokenError) {
      return try PairDecoder.decode(token.count) { decoder throws(TokenError) in
        try walk(token, limits, &decoder)
      }
    } catch {
      // Wherever the walk ended, an octet that is refused comes first.
      throw Self.refusal(of: token) ?? error
    }
  }

  /// What is wrong with the first octet that may not stand in a token.
  private static func refusal(of token: Span<UInt8>) -> TokenError? {
    PairOctets.firstRefused(token).map { TokenError(.swtCharacter, node: "byte \($0)") }
  }

  /// Answers how many octets were decoded.
  private mutating func walk(
    _ token: Span<UInt8>, _ limits: Limits, _ decoder: inout PairDecoder
  ) throws(TokenError) -> Int {
    var pair = OpenPair(at: 0, decoded: 0)
    let start = try walk(token, at: 0, of: token, &pair, limits, &decoder)
    // What is left is looked at with something behind it that means nothing.
    var rest = InlineArray<160, UInt8>(repeating: PairOctets.filler)
    var room = rest.mutableSpan
    Bytes.copy(token.extracting(start...), to: &room)
    let end = try walk(rest.span, at: start, of: token, &pair, limits, &decoder)
    let decoded = decoder.decodedPlace &+ decoder.block.decodedCount &- (end &- token.count)
    // The end of the token ends a pair as `&` does.
    try close(&pair, token, before: token.count, decoded: decoded, limits, &decoder)
    guard !decoder.hasRefused else { throw TokenError(.swtCharacter) }
    guard macCount > 0 else { throw TokenError(.signatureMissing, expected: "HMACSHA256=") }
    guard macCount == 1 else { throw TokenError(.macRepeated) }
    return decoded
  }

  /// Walks over the whole blocks of `octets`, which stand at `start` of the token; answers where what is
  /// left begins.
  private mutating func walk(
    _ octets: Span<UInt8>, at start: Int, of token: Span<UInt8>, _ pair: inout OpenPair,
    _ limits: Limits, _ decoder: inout PairDecoder
  ) throws(TokenError) -> Int {
    var place = start
    while place < token.count, octets.count &- (place &- start) >= FormBlock.room {
      decoder.decode(octets.extracting((place &- start)...))
      try walkBlock(at: place, of: token, &pair, limits, &decoder)
      place &+= FormBlock.count
    }
    return place
  }

  /// Walks over the block that was decoded, which stands at `place` of the token.
  private mutating func walkBlock(
    at place: Int, of token: Span<UInt8>, _ pair: inout OpenPair, _ limits: Limits,
    _ decoder: inout PairDecoder
  ) throws(TokenError) {
    var marks = decoder.block.marks
    var decodedMarks = decoder.block.decodedMarks
    while marks != 0 {
      let here = place &+ marks.trailingZeroBitCount
      let decoded = decoder.decodedPlace &+ decodedMarks.trailingZeroBitCount
      marks &= marks &- 1
      decodedMarks &= decodedMarks &- 1
      switch token[here] {
      case ASCII.equals:
        pair.noteEquals(at: here, token, decoded: decoded)
      case ASCII.ampersand:
        try close(&pair, token, before: here, decoded: decoded, limits, &decoder)
        pair = OpenPair(at: here + 1, decoded: decoded + 1)
      default:
        let isBroken = decoder.block.broken &>> UInt64(here &- place) & 1 != 0
        if isBroken { pair.noteBrokenEscape(at: here) } else { pair.noteUnprintable() }
      }
    }
  }

  @inline(__always)
  private mutating func close(
    _ pair: inout OpenPair, _ token: Span<UInt8>, before end: Int, decoded: Int,
    _ limits: Limits, _ decoder: inout PairDecoder
  ) throws(TokenError) {
    if pair.isMAC {
      macCount += 1
      mac = pair.mac(before: end, decoded: decoded)
      signedEnd = max(pair.start - 1, 0)
      if end < token.count, macCount == 1, !Self.hasMAC(token, after: end) {
        throw TokenError(.macNotLast, node: "byte \(end)")
      }
    } else {
      pairCount += 1
      add(&pair, before: decoded, &decoder)
    }
    guard pairCount <= limits.pairs else {
      throw TokenError(.tooManyPairs, expected: "at most \(limits.pairs)")
    }
  }

  private mutating func add(
    _ pair: inout OpenPair, before end: Int, _ decoder: inout PairDecoder
  ) {
    // A pattern: `==` would copy the error.
    guard case .none = failure else { return }
    do throws(TokenError) {
      pairs.append(try pair.closed(before: end, decoder))
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
