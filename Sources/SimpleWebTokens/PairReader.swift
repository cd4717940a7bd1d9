import Octets
import TokenErrors

/// Takes a token apart: octets first, characters afterwards.
struct PairReader {
  private let octets: [UInt8]

  struct Split {
    /// The octets of each pair before the MAC.
    var pairs: [Range<Int>] = []
    /// Where the octets that the MAC covers end.
    var signedEnd = 0
    /// The octets of the MAC's value.
    var mac: ArraySlice<UInt8> = []
  }

  init(_ octets: [UInt8]) { self.octets = octets }

  /// Splits at raw `&`. The MAC is the one pair with the raw name `HMACSHA256`, and the last.
  ///
  /// - Throws: `input.swt-character`, `input.swt-pair`, `input.swt-too-many-pairs`,
  ///   `signature.missing`, `signature.mac-not-last`, `signature.mac-repeated`.
  func split(limits: Limits) throws(TokenError) -> Split {
    if let index = octets.firstIndex(where: { $0 <= 0x20 || $0 >= 0x7F || $0 == 0x22 }) {
      throw TokenError(.swtCharacter, node: "byte \(index)")
    }
    var split = Split()
    var macPairs = 0
    var start = 0
    while start <= octets.count {
      let end = octets[start...].firstIndex(of: ASCII.ampersand) ?? octets.count
      if octets[start..<end].starts(with: Self.macStart) {
        macPairs += 1
        split.mac = octets[(start + Self.macStart.count)..<end]
        split.signedEnd = max(start - 1, 0)
        if end < octets.count, macPairs == 1, !contains(Self.macStart, after: end) {
          throw TokenError(.macNotLast, node: "byte \(end)")
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
  func decode(_ ranges: [Range<Int>]) throws(TokenError) -> [SimpleWebToken.Pair] {
    var pairs: [SimpleWebToken.Pair] = []
    pairs.reserveCapacity(ranges.count)
    var names: Set<[UInt8]> = []
    for range in ranges {
      let pair = octets[range]
      guard let equals = pair.firstIndex(of: ASCII.equals), equals > pair.startIndex else {
        throw TokenError(.malformedPair, node: "byte \(range.lowerBound)")
      }
      let name = try text(pair[..<equals])
      let value = try text(pair[(equals + 1)...])
      guard names.insert(Array(name.utf8)).inserted else {
        throw TokenError(
          .duplicatePairName, node: "byte \(range.lowerBound)", found: TokenError.excerpt(name))
      }
      guard ReservedName(name) != .mac, !ReservedName.isLookAlike(name) else {
        throw TokenError(
          .reservedNameVariant, node: "byte \(range.lowerBound)", found: TokenError.excerpt(name))
      }
      pairs.append(SimpleWebToken.Pair(name: name, value: value))
    }
    return pairs
  }

  private func text(_ encoded: ArraySlice<UInt8>) throws(TokenError) -> String {
    let bytes = try FormEncoding.decode(encoded)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw TokenError(.notUTF8, node: "byte \(encoded.startIndex)")
    }
    guard !bytes.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
      throw TokenError(.swtCharacter, node: "byte \(encoded.startIndex)")
    }
    return text
  }

  private func contains(_ start: [UInt8], after end: Int) -> Bool {
    octets[end...].split(separator: ASCII.ampersand).contains { $0.starts(with: start) }
  }

  private static let macStart = Array("HMACSHA256=".utf8)
}
