public import TokenBasics

extension TokenError.Code {
  /// The token is bound to a key, and no proof of possession came with it.
  public static let possessionMissing = Self(
    "possession.missing",
    "the token is bound to a key, and no proof of possession came with it",
    hint:
      "whoever holds the token needs the key too (RFC 9449, 7.1; RFC 8705, 3): proofs are not read here, "
      + "so verify it where the proof arrives, or have the issuer give a bearer token")
  package static let possession: [Self] = [.possessionMissing]
}
