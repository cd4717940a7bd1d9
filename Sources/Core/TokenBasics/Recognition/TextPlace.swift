/// Where a text is given, which decides what to do about one of another kind.
package enum TextPlace: String, CaseIterable, Sendable {
  /// One token, as a file or on standard input.
  case token
  /// One line of several.
  case line
  /// A key that verifies: an option, or a member of a trust file.
  case key
  /// A JWK set, named as `jwks:PATH`.
  case keySet
  /// A private key, which signs or decrypts.
  case privateKey
  /// A secret shared with the issuer.
  case secret
  /// SAML or WS-Federation metadata.
  case metadata
  /// A trust file.
  case trustFile

  /// What belongs there, for `expected`.
  package var expected: String {
    switch self {
    case .token, .line: "a token"
    case .key: "a certificate or public key in PEM or DER"
    case .keySet: "an object with the member keys, or one key with kty"
    case .privateKey: "an unencrypted private key"
    case .secret: "a secret"
    case .metadata: "metadata (EntityDescriptor or EntitiesDescriptor)"
    case .trustFile: "JSON"
    }
  }

  /// What to name instead of a text of another kind.
  var remedy: String {
    switch self {
    case .token, .line: "pass a token here"
    case .key: "name the certificate or public key of the issuer here"
    case .keySet: "name the issuer's JWK set here"
    case .privateKey: "name the private key here"
    case .secret: "name the secret here, as base64 or in a file"
    case .metadata: "name the issuer's metadata here"
    case .trustFile: "name a trust file here, which is JSON with the member issuers"
    }
  }
}
