public import HTTPExchange

/// A sign-in by the code flow: the relying party's own page asks the person, the service's OAuth endpoint
/// trades the code.
public struct CodeSignIn: Sendable {
  /// The page that asks.
  public let page: HTTPURL
  /// What the program calls itself there and at the endpoint.
  public let client: OAuthClient
  /// Whether a nonce goes along and must stand in the token. True for issuers of JSON Web Tokens that
  /// write one; Access Control Service itself wrote none, so there the state alone binds the answer, and
  /// the proof key where the endpoint knows one.
  public let expectsNonce: Bool
  /// Whether the request has a proof key (RFC 7636); draft 13 knew none.
  public let hasProofKey: Bool

  public init(page: HTTPURL, client: OAuthClient, expectsNonce: Bool, hasProofKey: Bool = false) {
    self.page = page
    self.client = client
    self.expectsNonce = expectsNonce
    self.hasProofKey = hasProofKey
  }
}
