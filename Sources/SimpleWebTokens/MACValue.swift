import Octets
import TokenErrors

/// The value of the `HMACSHA256` pair.
enum MACValue {
  /// Its position, in the token and in the decoded octets.
  struct Place {
    let received: Range<Int>
    let decoded: Range<Int>
  }

  /// Base64-decodes it.
  ///
  /// - Parameter place: Nil where it has broken escapes.
  /// - Throws: `signature.missing` for an empty one, `signature.mac-malformed`.
  static func decode(
    _ token: Span<UInt8>, _ octets: Span<UInt8>, _ place: Place?
  ) throws(TokenError) -> InlineArray<32, UInt8> {
    guard let place else { throw malformed() }
    guard !place.decoded.isEmpty else {
      throw TokenError(.signatureMissing, node: "HMACSHA256", expected: "the base64 of 32 bytes")
    }
    if let mac = decode(octets.extracting(place.decoded)) { return mac }
    // A plus is a digit of base64 here, no space; usually it is escaped.
    let text: [UInt8]
    do {
      text = try FormEncoding.decode(token.extracting(place.received), plus: .isPlus)
    } catch {
      throw malformed()
    }
    if let mac = decode(text.span) { return mac }
    let count = try? Base64.decode(text.span).count
    throw malformed(found: count.map { "\($0) bytes" })
  }

  /// Nil for what is not the base64 of 32 bytes.
  private static func decode(_ base64: Span<UInt8>) -> InlineArray<32, UInt8>? {
    // The octets of 44 digits, and a block after them that decoding may overwrite.
    var octets = InlineArray<112, UInt8>(repeating: 0)
    var room = octets.mutableSpan
    guard Base64.decode(base64, to: &room) == 32 else { return nil }
    return InlineArray { octets[$0] }
  }

  private static func malformed(found: String? = nil) -> TokenError {
    TokenError(
      .malformedMAC, node: "HMACSHA256", expected: "the base64 of 32 bytes", found: found)
  }
}
