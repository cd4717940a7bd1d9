public import HTTPExchange

/// What a program calls itself at the OAuth endpoint.
public struct OAuthClient: Sendable {
  public let id: String
  public let secret: Secret

  public init(id: String, secret: Secret) {
    self.id = id
    self.secret = secret
  }
}

/// What a program shows to get a token by OAuth 2.0, draft 13.
public enum OAuthGrant: Sendable {
  /// Its own name and secret.
  case clientCredentials
  /// A code that came by redirect, the address it came to, and the proof key of the request if it had
  /// one. With the nonce of the request nothing is taken but a JSON Web Token that names it: no other
  /// format can.
  case authorizationCode(
    Secret, redirectURI: HTTPURL, proofKey: ProofKey?, nonce: String? = nil)
  case refreshToken(Secret)
  /// A token of another issuer, which speaks for itself: name and secret of the client stay here.
  ///
  /// No record of this grant at Access Control Service is known: neither the names of
  /// ``AssertionFormat`` nor the missing client could be compared with it. ``WRAPGrant`` is the way
  /// that is.
  case assertion(Secret, AssertionFormat)

  /// The kind of an assertion, by the grant type of the time; see ``OAuthGrant/assertion(_:_:)``.
  public enum AssertionFormat: String, Sendable {
    case saml = "http://oauth.net/grant_type/saml/2.0/bearer"
    case jwt = "http://oauth.net/grant_type/jwt/1.0/bearer"
    case swt = "http://oauth.net/grant_type/swt/1.0/bearer"
  }

  func fields(
    _ client: OAuthClient, _ service: AccessControlService
  ) -> [(name: String, value: String)] {
    let id = [(name: "client_id", value: client.id)]
    let secret = [(name: "client_secret", value: client.secret.revealed)]
    let scope = [(name: "scope", value: service.realm)]
    switch self {
    case .clientCredentials:
      return [("grant_type", "client_credentials")] + id + secret + scope
    case .authorizationCode(let code, let redirectURI, let proofKey, _):
      var fields = [(name: "grant_type", value: "authorization_code")] + id + secret
      fields += [("code", code.revealed), ("redirect_uri", redirectURI.text)]
      if let proofKey { fields.append(("code_verifier", proofKey.verifier.revealed)) }
      return fields + scope
    case .refreshToken(let token):
      return [("grant_type", "refresh_token")] + id + secret
        + [("refresh_token", token.revealed)] + scope
    case .assertion(let assertion, let format):
      return [("grant_type", format.rawValue), ("assertion", assertion.revealed)] + scope
    }
  }

  /// What the token must answer.
  var nonce: String? {
    guard case .authorizationCode(_, _, _, let nonce) = self else { return nil }
    return nonce
  }

  var secrets: [Secret] {
    switch self {
    case .clientCredentials: []
    case .authorizationCode(let code, _, let proofKey, _):
      [code] + (proofKey.map { [$0.verifier] } ?? [])
    case .refreshToken(let token), .assertion(let token, _): [token]
    }
  }
}
