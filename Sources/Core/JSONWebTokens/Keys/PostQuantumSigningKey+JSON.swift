public import SecurityKeys
public import TokenBasics

extension PostQuantumSigningKey {
  /// The key of a private JWK of type AKP (RFC 9964, 3), whose public half must be the one that is written beside it.
  ///
  /// - Returns: The key, and its `kid`.
  /// - Throws: `input.json-*`, `key.unreadable`, `key.unsupported`.
  public static func read(
    jwk bytes: [UInt8]
  ) throws(TokenError) -> (key: PostQuantumSigningKey, keyID: String?) {
    var members = try JSONWebKeyMembers(JSONParser.parse(bytes))
    guard members["kty"]?.string == "AKP", let name = members["alg"]?.string,
      let algorithm = SignatureAlgorithm(named: name)
    else {
      throw TokenError(
        .unsupportedKey, node: "kty", expected: "AKP with an alg",
        found: members["kty"]?.string.map { TokenError.excerpt($0) } ?? "nothing",
        hint: "name a private key of another type as a PEM or DER file")
    }
    let key = try PostQuantumSigningKey(seed: members.octets("priv"), for: algorithm)
    if members["pub"] != nil {
      guard try members.octets("pub") == key.publicKey.octets else {
        throw TokenError(
          .unreadableKey, node: "priv", expected: "the private half of pub",
          found: "that of another key")
      }
    }
    return (key, members.keyID())
  }
}
