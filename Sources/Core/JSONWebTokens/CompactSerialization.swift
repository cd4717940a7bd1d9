import Octets
import TokenBasics

/// The positions of the three parts of a compact JWS (RFC 7515, 7.1), still encoded.
struct CompactSerialization {
  let header: Range<Int>
  let payload: Range<Int>
  let signature: Range<Int>

  /// - Throws: `input.jws-parts`, `input.unsupported-format` for five parts (JWE),
  ///   `signature.missing` for an empty third one.
  ///
  /// - Parameter readsUnsigned: Whether the third part may be empty.
  init(_ octets: [UInt8], readsUnsigned: Bool = false) throws(TokenError) {
    let dot = UInt8(ascii: ".")
    guard let first = octets.firstIndex(of: dot, from: 0),
      let second = octets.firstIndex(of: dot, from: first + 1),
      octets.firstIndex(of: dot, from: second + 1) == nil
    else {
      let count = octets.count { $0 == dot } + 1
      if count == 5 {
        throw TokenError(
          .unsupportedFormat, expected: "a signed token (JWS)", found: "an encrypted one (JWE)",
          hint: "a program reads it as an EncryptedJSONWebToken, or as AnyToken")
      }
      throw TokenError(
        .jwsParts, expected: "header.payload.signature", found: "\(count) parts")
    }
    header = 0..<first
    payload = first + 1..<second
    signature = second + 1..<octets.count
    guard !header.isEmpty else {
      throw TokenError(.jwsParts, expected: "a header", found: "an empty part")
    }
    guard readsUnsigned || !signature.isEmpty else {
      throw TokenError(.signatureMissing, node: "signature")
    }
  }

  /// Whether a part ends with padding.
  func isPadded(_ octets: Span<UInt8>) -> Bool {
    Self.hasPadding(octets, header) || Self.hasPadding(octets, payload)
      || Self.hasPadding(octets, signature)
  }

  /// Where a part is without its padding, if that has the length that the digits need (RFC 4648,
  /// 4): any other `=` is left for the decoder to refuse.
  func digits(of part: Range<Int>, in octets: Span<UInt8>) -> Range<Int> {
    guard Self.hasPadding(octets, part), part.count % 4 == 0 else { return part }
    let isDouble = octets[part.upperBound - 2] == ASCII.equals
    return part.lowerBound..<part.upperBound - (isDouble ? 2 : 1)
  }

  private static func hasPadding(_ octets: Span<UInt8>, _ part: Range<Int>) -> Bool {
    !part.isEmpty && octets[part.upperBound - 1] == ASCII.equals
  }
}
