public import HTTPExchange
public import Federation

/// How the relying party proves at the token endpoint that it is the registered client (OpenID Connect Core
/// 1.0, 9).
public enum ClientAuthentication: Sendable {
  /// `client_secret_basic`: identifier and secret in `Authorization` (RFC 6749, 2.3.1).
  case basic(Secret)
  /// `client_secret_post`: identifier and secret in the body (RFC 6749, 2.3.1).
  case post(Secret)
  /// `private_key_jwt`: a token signed with a key whose public half is registered (RFC 7523, 2.2).
  case privateKey(SigningKey, keyID: String? = nil)
  /// `none`: a public client, whose proof key alone protects the code (RFC 7636).
  case none
}
