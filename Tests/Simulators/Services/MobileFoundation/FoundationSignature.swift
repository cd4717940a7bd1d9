import SecurityKeys
import TokenBasics

/// Verifies the signatures of Mobile Foundation's clients.
enum FoundationSignature {
  /// The claims of a client assertion, if it meets the common requirements.
  static func assertion(
    _ form: [String: String], _ key: PublicKey, client: String, audience: String, now: Int64
  ) -> JSONValue? {
    guard
      form["client_assertion_type"] == "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
      let parts = form["client_assertion"]?.split(separator: ".").map(String.init),
      parts.count == 3, isValid(parts[0], parts[1], parts[2], key),
      let header = json(parts[0]), header["alg"]?.string == "RS256",
      header["jwk"]?["kid"]?.string == client, let claims = json(parts[1]),
      claims["sub"]?.string == client, claims["aud"]?.string == audience,
      claims["iss"]?.string == "org.example.talks$linux$1.0.0", claims["jti"]?.string != nil,
      let issued = claims["iat"]?.integer, claims["exp"]?.integer == issued + 60_000,
      abs(Int64(issued) - now) < 5_000
    else { return nil }
    return claims
  }

  static func json(_ encoded: String) -> JSONValue? {
    guard let octets = try? Base64.decode(Array(encoded.utf8), .url) else { return nil }
    return try? JSONParser.parse(octets)
  }

  static func key(in header: String) -> PublicKey? {
    guard let head = json(header), head["alg"]?.string == "RS256", let jwk = head["jwk"],
      jwk["kty"]?.string == "RSA",
      let n = jwk["n"]?.string, let e = jwk["e"]?.string,
      let modulus = try? Base64.decode(Array(n.utf8), .url),
      let exponent = try? Base64.decode(Array(e.utf8), .url)
    else { return nil }
    return try? PublicKey(rsaModulus: modulus, exponent: exponent)
  }

  static func isValid(
    _ header: String, _ payload: String, _ signature: String, _ key: PublicKey
  ) -> Bool {
    guard let octets = try? Base64.decode(Array(signature.utf8), .url),
      let digest = DigestAlgorithm.sha256.value(of: (header + "." + payload).utf8.span)
    else { return false }
    return key.isValid(octets.span, forDigest: digest, .rsaSHA256)
  }
}
