import Octets
import TokenErrors

/// Takes a token apart at its octets, before anything is decoded.
struct PairReader {
  /// Where a pair stands: as received, and decoded once it is.
  struct Pair {
    let received: Range<Int>
    var name = 0..<0
    var value = 0..<0

    /// Where the pair is, for an error.
    var place: String { "byte \(received.lowerBound)" }
  }

  /// The pairs before the MAC.
  var pairs: [Pair] = []
  /// Where the octets that the MAC covers end.
  private(set) var signedEnd = 0
  /// The octets of the MAC's value.
  private(set) var mac = 0..<0

  /// How many pairs are decoded.
  var decodedCount = 0
  /// What was wrong with the pair behind them.
  var failure: TokenError?

  /// Splits at raw `&`. The MAC is the one pair with the raw name `HMACSHA256`, and the last.
  ///
  /// - Throws: `input.swt-character`, `input.swt-too-many-pairs`, `signature.missing`,
  ///   `signature.mac-not-last`, `signature.mac-repeated`.
  init(splitting octets: Span<UInt8>, limits: Limits) throws(TokenError) {
    if let index = PairOctets.firstRefused(octets) {
      throw TokenError(.swtCharacter, node: "byte \(index)")
    }
    pairs.reserveCapacity(16)
    var macPairs = 0
    var start = 0
    while start <= octets.count {
      let end = octets.firstIndex(of: ASCII.ampersand, from: start) ?? octets.count
      if Self.isMAC(octets, start..<end) {
        macPairs += 1
        mac = start + Self.macStart.utf8CodeUnitCount..<end
        signedEnd = max(start - 1, 0)
        if end < octets.count, macPairs == 1, !Self.hasMAC(octets, after: end) {
          throw TokenError(.macNotLast, node: "byte \(end)")
        }
      } else {
        pairs.append(Pair(received: start..<end))
      }
      guard pairs.count <= limits.pairs else {
        throw TokenError(.tooManyPairs, expected: "at most \(limits.pairs)")
      }
      start = end + 1
    }
    guard macPairs > 0 else { throw TokenError(.signatureMissing, expected: "HMACSHA256=") }
    guard macPairs == 1 else { throw TokenError(.macRepeated) }
  }

  private static func isMAC(_ octets: Span<UInt8>, _ range: Range<Int>) -> Bool {
    octets.extracting(range).hasPrefix(macStart)
  }

  private static func hasMAC(_ octets: Span<UInt8>, after end: Int) -> Bool {
    var start = end + 1
    while start < octets.count {
      let end = octets.firstIndex(of: ASCII.ampersand, from: start) ?? octets.count
      if isMAC(octets, start..<end) { return true }
      start = end + 1
    }
    return false
  }

  private static var macStart: StaticString { "HMACSHA256=" }
}
