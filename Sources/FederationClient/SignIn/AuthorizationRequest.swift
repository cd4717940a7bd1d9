public import HTTPExchange

/// The address at which a person allows a program something (OAuth 2.0, the code flow).
public struct AuthorizationRequest: Sendable {
  /// The `client_id` (RFC 6749, 2.2).
  public var clientID: String
  /// The `redirect_uri` (RFC 6749, 3.1.2).
  public var redirectURI: HTTPURL
  /// The `scope`: names separated by spaces (RFC 6749, 3.3).
  public var scope: String
  /// Ties the answer to this request.
  public var state: String
  /// The key of PKCE (RFC 7636); nil for a service that does not support it.
  public var proofKey: ProofKey?
  /// What the issuer shall write into the token (OpenID Connect Core 1.0, 3.1.2.1); name it in the grant
  /// too, so that it is compared. Nil where the issuer knows none.
  public var nonce: String?

  /// A request.
  public init(
    clientID: String, redirectURI: HTTPURL, scope: String, state: String,
    proofKey: ProofKey? = nil, nonce: String? = nil
  ) {
    self.clientID = clientID
    self.redirectURI = redirectURI
    self.scope = scope
    self.state = state
    self.proofKey = proofKey
    self.nonce = nonce
  }

  /// `endpoint` with the request in its query, beside what stands there already.
  public func address(at endpoint: HTTPURL) -> HTTPURL {
    var parameters = [
      ("response_type", "code"), ("client_id", clientID), ("redirect_uri", redirectURI.text),
      ("scope", scope), ("state", state),
    ]
    if let proofKey {
      parameters += [("code_challenge", proofKey.challenge), ("code_challenge_method", "S256")]
    }
    if let nonce { parameters.append(("nonce", nonce)) }
    return endpoint.adding(parameters)
  }
}
