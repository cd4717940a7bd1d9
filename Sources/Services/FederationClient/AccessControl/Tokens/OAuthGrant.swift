import Federation
public import HTTPExchange
import TokenBasics

/// A client's credentials at the OAuth endpoint.
public struct OAuthClient: Sendable {
  /// The client's identifier (`client_id`).
  public let id: String
  /// The client's secret (`client_secret`).
  public let secret: Secret

  /// A client with these credentials.
  public init(id: String, secret: Secret) {
    self.id = id
    self.secret = secret
  }
}

/// What a client exchanges for a token by OAuth 2.0, draft 13.
public enum OAuthGrant: Sendable {
  /// The client's own identifier and secret.
  case clientCredentials
  /// A code received by redirect, the redirect address, and the proof key of the request if it had one.
  /// With the nonce of the request only a JSON Web Token that contains it is accepted; no other format
  /// has a field for it.
  case authorizationCode(
    Secret, redirectURI: HTTPURL, proofKey: ProofKey?, nonce: String? = nil)
  /// A refresh token of an earlier response.
  case refreshToken(Secret)
  /// A token of another issuer. The client's identifier and secret are not sent.
  ///
  /// No record of this grant at Access Control Service is known, so neither the names of
  /// ``AssertionFormat`` nor the missing client could be compared with it. ``WRAPGrant`` is documented.
  case assertion(Secret, AssertionFormat)

  /// The format of an assertion, by its draft grant type; see ``OAuthGrant/assertion(_:_:)``.
  public enum AssertionFormat: String, Sendable {
    /// A SAML 2.0 assertion.
    case saml = "http://oauth.net/grant_type/saml/2.0/bearer"
    /// A JSON Web Token.
    case jwt = "http://oauth.net/grant_type/jwt/1.0/bearer"
    /// A Simple Web Token.
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

  /// The nonce that the token must contain.
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

/// The response of the OAuth endpoint. As the service varies, the lifetime may be a string or a number.
struct OAuthAnswer {
  let token: [UInt8]
  let format: TokenFormat
  let lifetime: Int64?
  let refreshToken: Secret?

  /// - Throws: `client.content-type`, `transport.malformed-response`, `input.json-*`.
  init(_ response: HTTPResponse) throws(TokenError) {
    guard response.fields["Content-Type"] != nil else {
      throw TokenError(.clientContentType, expected: "application/json", found: "nothing")
    }
    let json = try JSONAnswer.read(response)
    let type = try JSONAnswer.string("token_type", in: json)
    guard let format = TokenTypeURI.format(type) else {
      throw JSONAnswer.malformed("a known token_type", found: TokenError.excerpt(type))
    }
    self.format = format
    let tokens = try BearerTokens(json, type: nil)
    token = Array(tokens.accessToken.revealed.utf8)
    lifetime = tokens.lifetime
    refreshToken = tokens.refreshToken
  }
}

/// A sign-in with the code flow: the relying party's own page authorizes the client, and the service's
/// OAuth endpoint exchanges the code.
public struct CodeSignIn: Sendable {
  /// The authorization page.
  public let page: HTTPURL
  /// The client's identifier and secret for the page and the endpoint.
  public let client: OAuthClient
  /// Whether the request contains a nonce that the token must repeat. True for issuers of JSON Web Tokens
  /// that write one; Access Control Service writes none, so there only the state binds the response, and
  /// the proof key where the endpoint supports it.
  public let expectsNonce: Bool
  /// Whether the request has a proof key (RFC 7636); draft 13 defines none.
  public let hasProofKey: Bool

  /// A sign-in at `page` with these options.
  public init(page: HTTPURL, client: OAuthClient, expectsNonce: Bool, hasProofKey: Bool = false) {
    self.page = page
    self.client = client
    self.expectsNonce = expectsNonce
    self.hasProofKey = hasProofKey
  }
}
