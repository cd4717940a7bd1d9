import Octets
import TokenBasics

/// Content that came where a JWK set is meant. It only chooses the words of the error.
enum KeySetLookalike {
  /// The error for what is no JSON; nil for what is nothing known either.
  static func error(for bytes: [UInt8]) -> TokenError? {
    guard let kind = ContentKind(bytes), kind != .json else { return nil }
    let hint: String? =
      switch kind {
      case .pem: "name a PEM file by its path alone, without jwks:"
      case .xml: "it belongs to the trusted metadata, in a trust file as {\"metadata\": PATH}"
      case .html: TokenError.Code.htmlPage.hint
      case .utf16: TokenError.Code.utf16Input.hint
      case .gzip, .zlib, .zip: TokenError.Code.compressedInput.hint
      case .json, .compactJWS: nil
      }
    return TokenError(.notKeySet, expected: expected, found: kind.name, hint: hint)
  }

  /// The error for other JSON.
  static func error(for json: JSONValue) -> TokenError {
    if json.array != nil {
      return TokenError(
        .notKeySet, expected: expected, found: "an array",
        hint: "put the array into an object with the member keys: {\"keys\": [...]}")
    }
    guard let members = json.members else {
      return TokenError(.notKeySet, expected: expected, found: json.kindName)
    }
    if let address = json["jwks_uri"] {
      let shown = address.string.map { " " + TokenError.excerpt($0, length: 256) } ?? ""
      return TokenError(
        .notKeySet, expected: expected,
        found: "a discovery document of OpenID Connect, no member "
          + "keys",
        hint: "fetch the JWK set at its jwks_uri\(shown), and name that file")
    }
    let certificates = members.filter {
      $0.value.string?.utf8.starts(with: "-----BEGIN CERTIFICATE".utf8) ?? false
    }
    if !members.isEmpty, certificates.count == members.count {
      return TokenError(
        .notKeySet, expected: expected, found: "certificates by kid, no member keys",
        hint: "the issuer publishes the same keys as a JWK set too (Google: /oauth2/v3/certs, "
          + "Firebase: "
          + "/service_accounts/v1/jwk/...); or save a certificate by itself and name it as PEM")
    }
    if json["issuers"] != nil {
      return TokenError(
        .notKeySet, expected: expected, found: "a trust file",
        hint: "its place is that of a trust file")
    }
    let names = members.prefix(4).map { TokenError.excerpt($0.name, length: 32) }
    return TokenError(
      .notKeySet, expected: expected,
      found: names.isEmpty ? "an empty object" : "an object with \(names.joined(separator: ", "))")
  }

  private static let expected = "an object with the member keys, or one key with kty"
}
