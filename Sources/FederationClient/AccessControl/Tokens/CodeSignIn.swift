public import HTTPExchange

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
