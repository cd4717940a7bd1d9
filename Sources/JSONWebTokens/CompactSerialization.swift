import TokenErrors

/// The three parts of a compact JWS (RFC 7515, 7.1), still encoded.
struct CompactSerialization {
  let header: ArraySlice<UInt8>
  let payload: ArraySlice<UInt8>
  let signature: ArraySlice<UInt8>
  /// The header, the dot and the payload.
  let signed: ArraySlice<UInt8>

  /// - Throws: `input.jws-parts`, `input.unsupported-format` for five parts (JWE),
  ///   `signature.missing` for an empty third one.
  init(_ octets: [UInt8]) throws(TokenError) {
    let dots = octets.indices.filter { octets[$0] == UInt8(ascii: ".") }
    if dots.count == 4 {
      throw TokenError(
        .unsupportedFormat, expected: "a signed token (JWS)", found: "an encrypted one (JWE)")
    }
    guard dots.count == 2 else {
      throw TokenError(
        .jwsParts, expected: "header.payload.signature", found: "\(dots.count + 1) parts")
    }
    header = octets[..<dots[0]]
    payload = octets[(dots[0] + 1)..<dots[1]]
    signature = octets[(dots[1] + 1)...]
    signed = octets[..<dots[1]]
    guard !header.isEmpty else {
      throw TokenError(.jwsParts, expected: "a header", found: "an empty part")
    }
    guard !signature.isEmpty else { throw TokenError(.signatureMissing, node: "signature") }
  }
}
