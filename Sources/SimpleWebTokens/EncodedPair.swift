import Octets

/// The position of a pair in a token, before it is decoded.
struct EncodedPair {
  /// Its name, empty where it has none or no `=` follows.
  let name: Range<Int>
  /// What follows the first `=`.
  let value: Range<Int>

  /// The pair at `range`.
  init(_ range: Range<Int>, in token: Span<UInt8>) {
    let equals = token.firstIndex(of: ASCII.equals, in: range) ?? range.lowerBound
    name = range.lowerBound..<equals
    value = min(equals + 1, range.upperBound)..<range.upperBound
  }

  var start: Int { name.lowerBound }

  /// Whether the name as received is the one of the MAC.
  func isMAC(in token: Span<UInt8>) -> Bool {
    // The length first: most names are not as long.
    name.count == ReservedName.longest && token.extracting(name).hasPrefix(ReservedName.macName)
  }
}
