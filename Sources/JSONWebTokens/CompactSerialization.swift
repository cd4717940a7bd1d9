import Octets
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
    let dot = UInt8(ascii: ".")
    guard let first = octets.firstIndex(of: dot, from: 0),
      let second = octets.firstIndex(of: dot, from: first + 1),
      octets.firstIndex(of: dot, from: second + 1) == nil
    else {
      let count = octets.count { $0 == dot } + 1
      if count == 5 {
        throw TokenError(
          .unsupportedFormat, expected: "a signed token (JWS)", found: "an encrypted one (JWE)")
      }
      throw TokenError(
        .jwsParts, expected: "header.payload.signature", found: "\(count) parts")
    }
    header = octets[..<first]
    payload = octets[(first + 1)..<second]
    signature = octets[(second + 1)...]
    signed = octets[..<second]
    guard !header.isEmpty else {
      throw TokenError(.jwsParts, expected: "a header", found: "an empty part")
    }
    guard !signature.isEmpty else { throw TokenError(.signatureMissing, node: "signature") }
  }
}
