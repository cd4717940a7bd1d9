import Claims
import Octets
import TokenErrors

/// Takes a token apart: octets first, characters afterwards.
struct PairReader {
  private let octets: ArraySlice<UInt8>

  struct Split {
    /// The octets of each pair before the MAC.
    var pairs: [Range<Int>] = []
    /// Where the octets that the MAC covers end.
    var signedEnd = 0
    /// The octets of the MAC's value.
    var mac: Range<Int> = 0..<0
  }

  init(_ octets: ArraySlice<UInt8>) { self.octets = octets }

  /// Splits at raw `&`. The MAC is the one pair with the raw name `HMACSHA256`, and the last.
  ///
  /// - Throws: `input.swt-character`, `input.swt-pair`, `input.swt-too-many-pairs`,
  ///   `signature.missing`, `signature.mac-not-last`, `signature.mac-repeated`.
  func split(limits: Limits) throws(TokenError) -> Split {
    if let index = PairOctets.firstRefused(octets.span) {
      throw TokenError(.swtCharacter, node: "byte \(index)")
    }
    var split = Split()
    split.pairs.reserveCapacity(16)
    var macPairs = 0
    var start = octets.startIndex
    while start <= octets.endIndex {
      let end = octets.firstIndex(of: ASCII.ampersand, from: start) ?? octets.endIndex
      if isMAC(start..<end) {
        macPairs += 1
        split.mac = start + Self.macStart.count..<end
        split.signedEnd = max(start - 1, octets.startIndex)
        if end < octets.endIndex, macPairs == 1, !hasMAC(after: end) {
          throw TokenError(.macNotLast, node: place(end))
        }
      } else {
        split.pairs.append(start..<end)
      }
      guard split.pairs.count <= limits.pairs else {
        throw TokenError(.tooManyPairs, expected: "at most \(limits.pairs)")
      }
      start = end + 1
    }
    guard macPairs > 0 else { throw TokenError(.signatureMissing, expected: "HMACSHA256=") }
    guard macPairs == 1 else { throw TokenError(.macRepeated) }
    return split
  }

  /// Decodes the pairs.
  ///
  /// - Throws: `input.swt-pair`, `input.percent-escape`, `input.not-utf8`, `input.swt-character`,
  ///   `input.swt-duplicate-name`, `input.swt-reserved-name`.
  func decode(_ ranges: [Range<Int>]) throws(TokenError) -> PairTable {
    let decoded = DecodedPairs(octets, ranges)
    // What is wrong with an earlier pair comes first.
    let table = try PairTable(decoded)
    if let failure = decoded.failure { throw failure }
    return table
  }

  private func isMAC(_ range: Range<Int>) -> Bool {
    range.count >= Self.macStart.count
      && octets[range.lowerBound..<range.lowerBound + Self.macStart.count] == Self.macStart
  }

  private func hasMAC(after end: Int) -> Bool {
    octets[end...].split(separator: ASCII.ampersand).contains { $0.starts(with: Self.macStart) }
  }

  private func place(_ index: Int) -> String { "byte \(index - octets.startIndex)" }

  private static let macStart = Array("HMACSHA256=".utf8)[...]
}
