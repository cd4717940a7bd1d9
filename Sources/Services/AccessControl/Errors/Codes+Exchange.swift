public import TokenBasics

extension TokenError.Code {
  /// A token type that is not taken, or a token that is not as its type travels.
  public static let exchangeTokenType = Self(
    "exchange.token-type",
    "the token type is not one that is exchanged, or the token is no such one",
    hint: "docs/acs-reference.md lists the types; assertions travel as base64url without padding")
  /// The client may not exchange tokens, or not for this target.
  public static let exchangeClient = Self(
    "exchange.client", "the client may not exchange tokens of people",
    hint: "exchangeFor of a relying party names confidential clients that may ask for its tokens")
  /// No relying party or authorization server of that name for the client.
  public static let exchangeTarget = Self(
    "exchange.target", "the client may not have tokens for this target, or there is no such target",
    hint:
      "audience or resource is a realm whose exchangeFor names the client; for a grant it is the issuer of an authorization server"
  )
  /// More scope than may be granted.
  public static let exchangeScope = Self(
    "exchange.scope", "the scope is more than may be granted",
    hint:
      "scopes of the relying party or the authorization server lists them; what a token has only narrows"
  )
  /// No provider of the relying party issued the token.
  public static let exchangeProvider = Self(
    "exchange.provider", "no provider of the relying party issued the token, or several could have",
    hint:
      "the issuer of the token has to be this service or one provider that the relying party offers"
  )
  /// A token of ours that is not known any more, or was never kept.
  public static let exchangeToken = Self(
    "exchange.token", "the token is of this service and nothing is known of it",
    hint:
      "tokens are known while they are good, and only for realms whose clients may exchange them")
  /// A token that is bound to a key, without the proof of it.
  public static let exchangeBound = Self(
    "exchange.bound", "the token is bound to a key, and only the holder of the key may present it",
    hint: "tokens with cnf are not exchanged")
  /// An actor that the client may not name, or whom the subject's token does not allow.
  public static let exchangeActor = Self(
    "exchange.actor", "the actor is not allowed, or not one",
    hint:
      "mayActFor of the relying party names clients that may send an actor token; may_act of the subject token is obeyed"
  )
  /// An assertion or a grant that this service does not redeem, or not for this client.
  public static let exchangeGrant = Self(
    "exchange.grant", "the assertion is no grant for this client here",
    hint:
      "grants of the provider has to say once or reuse, and an identity assertion grant names this issuer and the client"
  )
  /// The codes of token exchange and of assertions as grants.
  public static let exchangeCodes: [Self] = [
    .exchangeTokenType, .exchangeClient, .exchangeTarget, .exchangeScope, .exchangeProvider,
    .exchangeToken, .exchangeBound, .exchangeActor, .exchangeGrant,
  ]
}
