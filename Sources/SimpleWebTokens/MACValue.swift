import Octets
import TokenErrors

/// The value of the `HMACSHA256` pair.
enum MACValue {
  /// Where it stands, in the token and in what that was decoded to.
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
    let received = token.extracting(place.received)
    guard received.firstIndex(of: ASCII.plus, from: 0) == nil else {
      // Here it is the digit of base64, which has no spaces; as a rule it is escaped.
      let text: [UInt8]
      do {
        text = try FormEncoding.decode(received, plus: .isPlus)
      } catch {
        throw malformed()
      }
      return try decode(text.span)
    }
    return try decode(octets.extracting(place.decoded))
  }

  private static func decode(
    _ base64: Span<UInt8>
  ) throws(TokenError) -> InlineArray<32, UInt8> {
    // More than thirty-two because decoding overwrites.
    var octets = InlineArray<48, UInt8>(repeating: 0)
    var room = octets.mutableSpan
    guard Base64.decode(base64, to: &room) == 32 else {
      let count = try? Base64.decode(base64).count
      throw malformed(found: count.map { "\($0) bytes" })
    }
    return InlineArray { octets[$0] }
  }

  private static func malformed(found: String? = nil) -> TokenError {
    TokenError(
      .malformedMAC, node: "HMACSHA256", expected: "the base64 of 32 bytes", found: found)
  }
}
