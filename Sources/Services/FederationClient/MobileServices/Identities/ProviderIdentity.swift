public import Claims
public import HTTPExchange
public import TokenBasics

/// A person's identity at a provider, as stored by a Mobile Service.
public struct ProviderIdentity: Sendable {
  /// The provider: `facebook`, `google`, `aad`…
  public let provider: String
  /// The service's name for the person. Often an e-mail address, so do not use it as a key.
  public let userID: String
  /// The provider's claims; the issuer of each is ``provider``.
  public let claims: ClaimSet
  /// The provider's access token, if the service stores it.
  public let accessToken: Secret?
  /// The secret of the access token (Twitter, OAuth 1.0a).
  public let accessTokenSecret: Secret?
  /// The provider's ID token (OpenID Connect).
  public let idToken: Secret?
  /// The provider's refresh token; always nil from ``legacy(_:)``.
  public let refreshToken: Secret?
  /// The time at which the provider's token expires.
  public let expires: Instant?

  /// The identities of `/.auth/me`: an array.
  static func list(_ json: JSONValue) throws(TokenError) -> [Self] {
    guard let array = json.array else {
      throw JSONAnswer.malformed("an array", found: json.kindName)
    }
    return try array.map { entry throws(TokenError) in
      let provider = try JSONAnswer.string("provider_name", in: entry)
      let claims = try (entry["user_claims"]?.array ?? []).map { claim throws(TokenError) in
        guard let value = claim["val"]?.string else {
          throw JSONAnswer.malformed("a string in val")
        }
        return Claim(
          ClaimType(try JSONAnswer.string("typ", in: claim)), value, issuer: provider)
      }
      return Self(
        provider: provider, userID: try JSONAnswer.string("user_id", in: entry),
        claims: ClaimSet(claims), accessToken: secret("access_token", entry),
        accessTokenSecret: secret("access_token_secret", entry), idToken: secret("id_token", entry),
        refreshToken: secret("refresh_token", entry),
        expires: try entry["expires_on"]?.string.map { text throws(TokenError) in
          try Instant(dateTime: text)
        })
    }
  }

  /// The identities that a version 1 server script returns from `user.getIdentities`: an object keyed
  /// by provider.
  ///
  /// - Parameter body: The JSON of the application's own API that returns them.
  /// - Throws: `transport.malformed-response`, `input.json-*`.
  public static func legacy(_ body: [UInt8]) throws(TokenError) -> [Self] {
    let json = try JSONParser.parse(body)
    guard let members = json.members else {
      throw JSONAnswer.malformed("an object", found: json.kindName)
    }
    return try members.map { provider, entry throws(TokenError) in
      let known: Set = ["userId", "accessToken", "accessTokenSecret"]
      let claims = (entry.members ?? []).compactMap { name, value in
        known.contains(name)
          ? nil : value.string.map { Claim(ClaimType(name), $0, issuer: provider) }
      }
      return Self(
        provider: provider, userID: try JSONAnswer.string("userId", in: entry),
        claims: ClaimSet(claims), accessToken: secret("accessToken", entry),
        accessTokenSecret: secret("accessTokenSecret", entry), idToken: nil, refreshToken: nil,
        expires: nil)
    }
  }

  private static func secret(_ name: String, _ json: JSONValue) -> Secret? {
    json[name]?.string.map { Secret($0) }
  }
}
