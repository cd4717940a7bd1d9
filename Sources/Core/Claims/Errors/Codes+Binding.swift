public import TokenBasics

extension TokenError.Code {
  /// A key binding is demanded and is not there.
  public static let bindingMissing = Self(
    "binding.missing",
    "the token comes without the key-binding JWT that is demanded",
    hint:
      "have the wallet append a key-binding JWT for this audience; a token without one may have been copied"
  )
  /// What stands behind the last `~` is no key-binding JWT.
  public static let malformedBinding = Self(
    "binding.malformed",
    "what stands behind the last ~ is no key-binding JWT",
    hint:
      "it is a compact JSON Web Token of typ kb+jwt (RFC 9901, 4.3); a presentation without one ends with ~"
  )
  /// The issuer bound the token to no key that can be used.
  public static let bindingKey = Self(
    "binding.key",
    "the issuer bound the token to no key that can be used",
    hint:
      "a key binding is verified with cnf.jwk of the issuer's token alone: have the issuer put the holder's key there"
  )
  /// The key-binding JWT is not signed by the key to which the token is bound.
  public static let bindingSignature = Self(
    "binding.signature",
    "the key-binding JWT is not signed by the key to which the token is bound",
    hint:
      "whoever presents the token does not have its key, or the wallet used another one")
  /// The key-binding JWT is for another audience.
  public static let bindingAudience = Self(
    "binding.audience",
    "the key-binding JWT is not for the audience that is expected",
    hint:
      "aud is one text, byte for byte the expected one; a presentation to another verifier proves nothing here"
  )
  /// The key-binding JWT has another nonce.
  public static let bindingNonce = Self(
    "binding.nonce",
    "the key-binding JWT does not have the nonce that is expected",
    hint:
      "the wallet must sign the nonce that this presentation was asked for with; an old one is a replay"
  )
  /// The key-binding JWT was made at another time.
  public static let bindingTime = Self(
    "binding.time",
    "the key-binding JWT was not made just now",
    hint:
      "iat lies at most 300 s in the past: have the presentation made anew, and compare the clocks")
  /// The key-binding JWT covers another presentation.
  public static let bindingHash = Self(
    "binding.hash",
    "the key-binding JWT covers another token or other disclosures",
    hint:
      "sd_hash is the digest of everything up to and with the last ~ as it is presented; a disclosure was added or "
      + "taken away")
  package static let binding: [Self] = [
    .bindingMissing,
    .malformedBinding,
    .bindingKey,
    .bindingSignature,
    .bindingAudience,
    .bindingNonce,
    .bindingTime,
    .bindingHash,
  ]
}
