import Claims
import Octets
import TokenBasics

/// Splits a token at its delimiters and decodes what is between them, in one pass.
struct PairReader {
  /// What names and values decode to.
  private(set) var octets: [UInt8] = []
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
    var decoded: [UInt8] = []
    let room = token.count + FormEncoding.excess
    try decoded.append(addingCapacity: room) { octets throws(TokenError) in
      var place = 0
      while place <= token.count {
        try add(Pair(at: &place, in: token, into: &octets), of: token, limits)
      }
    }
    octets = decoded
    guard macCount > 0 else { throw TokenError(.signatureMissing, expected: "HMACSHA256=") }
    guard macCount == 1 else { throw TokenError(.macRepeated) }
  }

  private mutating func add(
    _ pair: Pair, of token: Span<UInt8>, _ limits: Limits
  ) throws(TokenError) {
    if pair.isMAC {
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
      if Pair.isMAC(in: token, at: start) { return true }
      start = (token.firstIndex(of: ASCII.ampersand, from: start) ?? token.count) + 1
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
  /// Whether the name as received is the one of the MAC, whose value is not decoded here.
  let isMAC: Bool

  private(set) var name = ClaimText.empty
  private(set) var value = ClaimText.empty
  /// The position in the token of the first malformed escape, up to which name and value are decoded.
  private(set) var brokenEscape: Int?

  /// Reads the pair at `place`, which is then behind the delimiter that ends it.
  init(at place: inout Int, in token: Span<UInt8>, into octets: inout OutputSpan<UInt8>) {
    let start = place
    isMAC = Self.isMAC(in: token, at: start)
    let decoded = octets.count
    if !FormEncoding.decode(token, from: &place, to: .ofName, into: &octets) {
      brokenEscape = place
      while place < token.count, token[place] != ASCII.equals, token[place] != ASCII.ampersand {
        place += 1
      }
    }
    name = ClaimText(decoded..<octets.count)
    guard place < token.count, token[place] == ASCII.equals else {
      sentName = start..<start
      sentValue = place..<place
      // The end of the token ends a pair, as `&` does.
      place += 1
      return
    }
    sentName = start..<place
    place += 1
    let value = place
    if isMAC || brokenEscape != nil {
      place = token.firstIndex(of: ASCII.ampersand, from: place) ?? token.count
    } else {
      let decoded = octets.count
      if !FormEncoding.decode(token, from: &place, to: .ofValue, into: &octets) {
        brokenEscape = place
        place = token.firstIndex(of: ASCII.ampersand, from: place) ?? token.count
      }
      self.value = ClaimText(decoded..<octets.count)
    }
    sentValue = value..<place
    place += 1
  }

  var start: Int { sentName.lowerBound }

  /// Whether the MAC's name as received, with its `=`, begins at `place`.
  static func isMAC(in token: Span<UInt8>, at place: Int) -> Bool {
    let end = place + ReservedName.longest
    return end < token.count && token[end] == ASCII.equals
      && token.extracting(place..<end).hasPrefix(ReservedName.macName)
  }
}
