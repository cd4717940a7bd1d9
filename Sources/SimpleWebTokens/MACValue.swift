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
    _ token: ArraySlice<UInt8>, _ octets: [UInt8], _ place: Place?
  ) throws(TokenError) -> InlineArray<32, UInt8> {
    guard let place else { throw malformed() }
    guard !place.decoded.isEmpty else {
      throw TokenError(.signatureMissing, node: "HMACSHA256", expected: "the base64 of 32 bytes")
    }
    let received = token.span.extracting(place.received)
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
    return try decode(octets.span.extracting(place.decoded))
  }

  private static func decode(
    _ base64: Span<UInt8>
  ) throws(TokenError) -> InlineArray<32, UInt8> {
    var bytes = InlineArray<32, UInt8>(repeating: 0)
    var count = 0
    do {
      try Base64.withDecoded(base64) { decoded throws(TokenError) in
        count = decoded.count
        guard count == bytes.count else { return }
        for index in bytes.indices { bytes[index] = decoded[index] }
      }
    } catch {
      throw malformed()
    }
    guard count == bytes.count else { throw malformed(found: "\(count) bytes") }
    return bytes
  }

  private static func malformed(found: String? = nil) -> TokenError {
    TokenError(
      .malformedMAC, node: "HMACSHA256", expected: "the base64 of 32 bytes", found: found)
  }
}
