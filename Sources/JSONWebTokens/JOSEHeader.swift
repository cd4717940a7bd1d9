import Octets
import StrictJSON
import TokenErrors

/// The protected header of a JWS (RFC 7515, 4). Keys that it carries or points to (`jwk`, `jku`, `x5c`,
/// `x5u`) are never looked at.
package struct JOSEHeader: Sendable {
  /// `alg`, as written.
  package let algorithm: String
  /// `kid`: a hint which of the issuer's keys to try.
  package let keyID: String?
  /// `typ`.
  package let type: String?

  /// - Throws: `input.*`, `policy.critical-header`.
  init(parsing encoded: ArraySlice<UInt8>, _ limits: Limits) throws(TokenError) {
    let json = try JSONParser.parse(
      Base64.decode(encoded.span, .url), limits: limits)
    guard json.members != nil else {
      throw TokenError(.jsonMember, node: "header", expected: "an object", found: json.kindName)
    }
    guard let algorithm = json["alg"]?.string else {
      throw TokenError(
        .jsonMember, node: "header.alg", expected: "a string",
        found: json["alg"]?.kindName ?? "nothing")
    }
    // RFC 7515, 4.1.11: whoever does not understand a critical parameter must refuse. None is.
    if json["crit"] != nil {
      throw TokenError(.criticalHeader, node: "header.crit")
    }
    // RFC 7797, 6: without crit, b64 may not be there at all.
    if json["b64"] != nil { throw TokenError(.criticalHeader, node: "header.b64") }
    self.algorithm = algorithm
    keyID = try Self.string(json, "kid")
    type = try Self.string(json, "typ")
  }

  /// A token that names its purpose counts for no other one (RFC 8725, 3.11): a logout token has the
  /// issuer, audience and key of a sign-in.
  ///
  /// - Throws: `policy.token-purpose`.
  func requirePurpose() throws(TokenError) {
    guard let type else { return }
    // RFC 7515, 4.1.9: a media type, whose `application/` is left out as a rule.
    var name = Array(type.utf8).map(ASCII.lowercased)
    let prefix = Array("application/".utf8)
    if name.starts(with: prefix) { name.removeFirst(prefix.count) }
    guard Self.purposes.contains(where: { $0.elementsEqual(name) }) else {
      throw TokenError(
        .tokenPurpose, node: "header.typ", expected: "JWT, at+jwt or JOSE",
        found: TokenError.excerpt(type))
    }
  }

  private static let purposes = ["jwt", "at+jwt", "jose"].map(\.utf8)

  private static func string(_ json: JSONValue, _ name: String) throws(TokenError) -> String? {
    guard let value = json[name] else { return nil }
    guard let text = value.string else {
      throw TokenError(
        .jsonMember, node: "header.\(name)", expected: "a string", found: value.kindName)
    }
    return text
  }
}
