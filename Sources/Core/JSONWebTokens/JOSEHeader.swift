import Octets
import SecurityKeys
package import TokenBasics

/// The protected header of a JWS (RFC 7515, 4). Keys that it contains or points to (`jwk`, `jku`, `x5c`,
/// `x5u`) are ignored.
package struct JOSEHeader: Sendable {
  /// `alg`, as written.
  package let algorithm: String
  /// The algorithm of this name, if supported.
  let signatureAlgorithm: SignatureAlgorithm?
  /// `kid`: a hint which of the issuer's keys to try.
  package let keyID: String?
  /// `typ`.
  package let type: String?
  /// The decoded header.
  private let octets: [UInt8]

  /// Whether there is a `nonce`, which no standard defines for a header.
  var hasNonce: Bool { (try? JSONParser.document(octets))?.member("nonce") != nil }

  /// - Throws: `input.*`, `policy.critical-header`.
  init(parsing decoded: [UInt8], _ limits: Limits) throws(TokenError) {
    let json = try JSONParser.document(decoded, limits: limits)
    guard json.root.kind == .object else {
      throw TokenError(
        .jsonMember, node: "header", expected: "an object", found: json.root.kind.rawValue)
    }
    guard let algorithm = try Self.string(json, "alg") else {
      throw TokenError(
        .jsonMember, node: "header.alg", expected: "a string", found: "nothing")
    }
    // RFC 7515, 4.1.11: unsupported critical parameters must be rejected; none is supported.
    if json.member("crit") != nil {
      throw TokenError(.criticalHeader, node: "header.crit")
    }
    // RFC 7797, 6: without crit, b64 may not occur.
    if json.member("b64") != nil { throw TokenError(.criticalHeader, node: "header.b64") }
    self.algorithm = json.string(algorithm)
    signatureAlgorithm = SignatureAlgorithm.inJOSE(json.octets.span.extracting(algorithm))
    keyID = try Self.string(json, "kid").map(json.string)
    type = try Self.string(json, "typ").map(json.string)
    octets = decoded
  }

  /// A token that names its purpose is valid for no other one (RFC 8725, 3.11): a logout token has
  /// the issuer, audience and key of a sign-in.
  ///
  /// - Throws: `policy.token-purpose`.
  package func require(_ purpose: TokenPurpose) throws(TokenError) {
    guard let type else {
      guard purpose.allowsNoType else {
        throw TokenError(
          .tokenPurpose, node: "header.typ", expected: purpose.expected, found: "nothing")
      }
      return
    }
    guard purpose.types.contains(where: { Self.isType(type, $0) }) else {
      throw TokenError(
        .tokenPurpose, node: "header.typ", expected: purpose.expected,
        found: TokenError.excerpt(type))
    }
  }

  /// Whether a `typ` is this media type, usually written without `application/` (RFC 7515, 4.1.9).
  static func isType(_ type: String, _ name: StaticString) -> Bool {
    let whole = type.utf8.span
    let prefix: StaticString = "application/"
    let hasPrefix = whole.extracting(first: prefix.utf8CodeUnitCount).equalsIgnoringCase(prefix)
    return (hasPrefix ? whole.extracting(droppingFirst: prefix.utf8CodeUnitCount) : whole)
      .equalsIgnoringCase(name)
  }

  /// The position of a member's text, if the member exists.
  private static func string(
    _ json: JSONDocument, _ name: StaticString
  ) throws(TokenError) -> Range<Int>? {
    guard let value = json.member(name) else { return nil }
    guard value.kind == .string else {
      throw TokenError(
        .jsonMember, node: "header.\(name)", expected: "a string", found: value.kind.rawValue)
    }
    return value.textRange
  }
}

/// What RFC 7518 adds to the algorithms.
enum JWSAlgorithm {
  /// RFC 7518, 3.4 ties each ECDSA name to one curve.
  static func coordinateBytes(of algorithm: SignatureAlgorithm) -> Int? {
    switch algorithm {
    case .ecdsaSHA256: 32
    case .ecdsaSHA384: 48
    case .ecdsaSHA512: 66
    default: nil
    }
  }
}
