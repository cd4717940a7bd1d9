import Octets
import TokenErrors

/// The value of the `HMACSHA256` pair.
enum MACValue {
  /// Base64-decodes it.
  ///
  /// - Parameter base64: Where in `octets` it stands without escapes; nil where it has broken ones.
  /// - Throws: `signature.missing` for an empty one, `signature.mac-malformed`.
  static func decode(
    _ octets: [UInt8], _ base64: Range<Int>?
  ) throws(TokenError) -> InlineArray<32, UInt8> {
    guard let base64 else { throw malformed() }
    guard !base64.isEmpty else {
      throw TokenError(.signatureMissing, node: "HMACSHA256", expected: "the base64 of 32 bytes")
    }
    var bytes = InlineArray<32, UInt8>(repeating: 0)
    var count = 0
    do {
      try Base64.withDecoded(octets.span.extracting(base64)) { decoded throws(TokenError) in
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
