import Claims
import Octets
import TokenErrors

/// Reasons to inspect a pair before it is accepted.
struct PairFlags: OptionSet, BitwiseCopyable {
  let rawValue: UInt8

  /// The name has an escape that does not decode to printable ASCII.
  static let name = Self(rawValue: 1)
  /// The value has such an escape.
  static let value = Self(rawValue: 2)
  /// A `%` is not followed by two hexadecimal digits.
  static let brokenEscape = Self(rawValue: 4)

  /// Inspects a pair and throws the first fault: escapes before characters, the name before the value.
  ///
  /// - Parameter octets: The decoded octets that `name` and `value` refer to.
  /// - Throws: `input.percent-escape`, `input.not-utf8`, `input.swt-character`.
  func check(
    _ token: Span<UInt8>, _ pair: OpenPair, _ octets: [UInt8], name: ClaimText, value: ClaimText
  ) throws(TokenError) {
    let broken =
      contains(.brokenEscape) ? PairOctets.firstBrokenEscape(token, from: pair.start) : nil
    let error = broken.map { TokenError(.malformedPercentEscape, node: "byte \($0)") }
    if let broken, let error, broken < pair.equals { throw error }
    if contains(.name) { try Self.check(octets.span.extracting(name.range), pair.start) }
    if let error { throw error }
    if contains(.value) { try Self.check(octets.span.extracting(value.range), pair.equals + 1) }
  }

  private static func check(_ text: Span<UInt8>, _ place: Int) throws(TokenError) {
    guard (try? UTF8Span(validating: text)) != nil else {
      throw TokenError(.notUTF8, node: "byte \(place)")
    }
    for index in text.indices where text[index] < 0x20 || text[index] == 0x7F {
      throw TokenError(.swtCharacter, node: "byte \(place)")
    }
  }
}
