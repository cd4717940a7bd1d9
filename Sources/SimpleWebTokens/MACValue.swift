import Octets
import TokenErrors

/// The value of the `HMACSHA256` pair.
enum MACValue {
  /// Percent-decodes and base64-decodes it. A raw `+` is the base64 digit, not a space: base64 has no
  /// spaces, so nothing else can be meant.
  ///
  /// - Throws: `signature.missing` for an empty one, `signature.mac-malformed`.
  static func decode(_ text: Span<UInt8>) throws(TokenError) -> [UInt8] {
    guard !text.isEmpty else {
      throw TokenError(.signatureMissing, node: "HMACSHA256", expected: "the base64 of 32 bytes")
    }
    var mac: [UInt8] = []
    do {
      mac = try FormEncoding.withDecoded(text, plus: .isPlus) { base64 throws(TokenError) in
        try Base64.decode(base64)
      }
    } catch {
      throw TokenError(
        .malformedMAC, node: "HMACSHA256", expected: "the base64 of 32 bytes")
    }
    guard mac.count == 32 else {
      throw TokenError(
        .malformedMAC, node: "HMACSHA256", expected: "the base64 of 32 bytes",
        found: "\(mac.count) bytes")
    }
    return mac
  }
}
