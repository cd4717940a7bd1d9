import Octets
import TokenErrors

/// The value of the `HMACSHA256` pair.
enum MACValue {
  /// Percent-decodes and base64-decodes it. A raw `+` is the base64 digit, not a space: base64 has no
  /// spaces, so nothing else can be meant.
  ///
  /// - Throws: `signature.missing` for an empty one, `signature.mac-malformed`.
  static func decode(_ text: Span<UInt8>) throws(TokenError) -> InlineArray<32, UInt8> {
    guard !text.isEmpty else {
      throw TokenError(.signatureMissing, node: "HMACSHA256", expected: "the base64 of 32 bytes")
    }
    var bytes = InlineArray<32, UInt8>(repeating: 0)
    var count = 0
    do {
      try FormEncoding.withDecoded(text, plus: .isPlus) { base64 throws(TokenError) in
        try Base64.withDecoded(base64) { decoded throws(TokenError) in
          count = decoded.count
          guard count == bytes.count else { return }
          for index in bytes.indices { bytes[index] = decoded[index] }
        }
      }
    } catch {
      throw TokenError(
        .malformedMAC, node: "HMACSHA256", expected: "the base64 of 32 bytes")
    }
    guard count == bytes.count else {
      throw TokenError(
        .malformedMAC, node: "HMACSHA256", expected: "the base64 of 32 bytes",
        found: "\(count) bytes")
    }
    return bytes
  }
}
