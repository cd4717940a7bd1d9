import TokenBasics

/// The value of the `HMACSHA256` pair.
enum MACValue {
  /// Decodes its escapes and its base64.
  ///
  /// - Throws: `signature.missing` for an empty one, `signature.mac-malformed`.
  static func decode(_ text: Span<UInt8>) throws(TokenError) -> InlineArray<32, UInt8> {
    guard !text.isEmpty else {
      throw TokenError(.signatureMissing, node: "HMACSHA256", expected: "the base64 of 32 bytes")
    }
    let base64: [UInt8]
    do {
      // A plus is a digit of base64 here, no space; usually it is escaped.
      base64 = try FormEncoding.decode(text, plus: .isPlus)
    } catch {
      throw malformed()
    }
    if let mac = decode(base64.span) { return mac }
    let count = try? Base64.decode(base64.span).count
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
