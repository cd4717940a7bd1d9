import JSONWebTokens
import Octets

/// What a JWT has to be that comes as a bearer token, beside genuine: an access token, for which the issuer's ID tokens and logout
/// tokens have the same key and often the same audience (RFC 8725, 3.11; RFC 9068, 4).
enum AccessTokenCheck {
  /// - Throws: `policy.token-purpose`, with the member.
  static func check(_ octets: [UInt8], _ rules: AccessTokenRules) throws(TokenError) {
    // One inside of something else was read as that.
    guard let signed = try? JSONWebSignature(parsing: octets),
      let json = try? JSONParser.document(signed.payload)
    else { return }
    let type = signed.header.type
    let isAccessToken = type.map(isAccessToken) ?? false
    guard type == nil || isAccessToken || type.map(isPlain) == true,
      !rules.demandsType || isAccessToken
    else {
      throw TokenError(
        .tokenPurpose, node: "header.typ",
        expected: rules.demandsType ? "at+jwt" : "nothing, JWT or at+jwt",
        found: type.map { TokenError.excerpt($0) } ?? "nothing")
    }
    if rules.demandsType {
      for name in demanded where json.member(name) == nil {
        throw TokenError(.tokenPurpose, node: "\(name)", expected: "a member of RFC 9068, 2.2")
      }
    }
    guard !rules.acceptsIDTokens else { return }
    for name in foreign where json.member(name) != nil {
      throw TokenError(
        .tokenPurpose, node: "\(name)", expected: "an access token",
        found: "a member of ID tokens and logout tokens")
    }
  }

  private static let demanded: [StaticString] = [
    "iss", "exp", "aud", "sub", "client_id", "iat", "jti",
  ]
  private static let foreign: [StaticString] = ["events", "nonce", "at_hash", "c_hash"]

  private static func isPlain(_ type: String) -> Bool {
    type.utf8.span.equalsIgnoringCase("jwt")
  }

  private static func isAccessToken(_ type: String) -> Bool {
    type.utf8.span.equalsIgnoringCase("at+jwt")
      || type.utf8.span.equalsIgnoringCase("application/at+jwt")
  }
}

/// Which tokens are shown to an issuer that is asked about its own: those that are nothing else, since a token is a secret of
/// its issuer's (RFC 7662, 4).
enum OpaqueToken {
  /// Whether a token is opaque, or a JWT that names this issuer.
  static func isFor(_ issuer: String, _ octets: [UInt8], _ limits: Limits) -> Bool {
    guard !octets.isEmpty, octets.allSatisfy(isTokenOctet) else { return false }
    if hasHeader(octets) {
      guard let signed = try? JSONWebSignature(parsing: octets, limits: limits),
        let payload = try? JSONParser.parse(signed.payload)
      else { return false }
      return payload["iss"]?.string?.hasSameBytes(as: issuer) == true
    }
    return (try? AnyToken(reading: octets, limits: limits)) == nil
  }

  /// RFC 6750, 2.1.
  private static func isTokenOctet(_ octet: UInt8) -> Bool {
    ASCII.isLetter(octet) || ASCII.isDigit(octet) || "-._~+/=".utf8.contains(octet)
  }

  /// Whether it begins as a JWS or JWE does: with a JSON object in base64url and a dot.
  private static func hasHeader(_ octets: [UInt8]) -> Bool {
    guard let dot = octets.firstIndex(of: UInt8(ascii: ".")),
      let header = try? Base64.decode(Array(octets[..<dot]).span, .url)
    else { return false }
    return (try? JSONParser.parse(header))?.members != nil
  }
}
