package import SecurityKeys
package import TokenBasics

/// One JSON Web Key for encryption (RFC 7517, 4; RFC 7518, 6; RFC 8037, 2): private, public or a secret.
package struct JSONWebEncryptionKey {
  private var members: JSONWebKeyMembers
  /// The `kid`.
  let keyID: String?
  /// The only `alg` for which it may be used.
  let algorithm: KeyManagement?
  /// The only `enc` for which it may be used, of a secret that encrypts content itself.
  let encryption: ContentEncryption?

  /// Nil for a key for another use.
  ///
  /// - Throws: `input.json-member`.
  private init?(_ json: JSONValue) throws(TokenError) {
    members = try JSONWebKeyMembers(json)
    keyID = members.keyID()
    let name = members["alg"]?.string ?? ""
    algorithm =
      KeyManagement(rawValue: name) ?? (ContentEncryption(rawValue: name) == nil ? nil : .direct)
    encryption = ContentEncryption(rawValue: name)
    if let use = members["use"], use.string != "enc" { return nil }
    if members["alg"] != nil, algorithm == nil { return nil }
    // RFC 7517, 4.3.
    let operations = [
      "encrypt", "decrypt", "wrapKey", "unwrapKey", "deriveKey", "deriveBits",
    ]
    if let listed = members["key_ops"]?.array, !listed.isEmpty,
      !listed.contains(where: { $0.string.map(operations.contains) ?? false })
    {
      return nil
    }
  }

  /// The keys of a JWK or a JWK set that are for encryption.
  ///
  /// - Throws: `input.json-*`, `key.not-a-set`, `key.unreadable` where there is none.
  private static func all(in bytes: [UInt8]) throws(TokenError) -> [Self] {
    var keys: [Self] = []
    for entry in try JSONWebKeySet.entries(bytes) {
      if let key = try Self(entry.json) { keys.append(key) }
    }
    guard !keys.isEmpty else {
      throw TokenError(
        .unreadableKey, expected: "a key for encryption",
        found: "keys for another use alone (use, alg or key_ops)")
    }
    return keys
  }

  /// The one key for encryption.
  ///
  /// - Throws: as for all; `key.several`.
  static func only(in bytes: [UInt8]) throws(TokenError) -> Self {
    let keys = try all(in: bytes)
    guard keys.count == 1 else {
      throw TokenError(
        .severalKeys, expected: "one key for encryption", found: "\(keys.count) keys")
    }
    return keys[0]
  }

  /// Our own keys: every one must be usable.
  ///
  /// - Throws: `input.json-*`, `key.*`.
  package static func decryptionKeys(in bytes: [UInt8]) throws(TokenError) -> [DecryptionKey] {
    var made: [DecryptionKey] = []
    for key in try all(in: bytes) { made.append(try key.decryptionKey()) }
    return made
  }

  /// The one public key for encryption.
  ///
  /// - Throws: `input.json-*`, `key.*`.
  package static func publicKey(in bytes: [UInt8]) throws(TokenError) -> PublicKey {
    guard case .publicKey(let key) = try only(in: bytes).recipientKey() else {
      throw TokenError(.unsupportedKey, expected: "a public key", found: "a secret (oct)")
    }
    return key
  }

  private func decryptionKey() throws(TokenError) -> DecryptionKey {
    var members = members
    switch members["kty"]?.string {
    case "oct":
      return DecryptionKey(
        try SymmetricKey(bytes: members.octets("k")), keyID: keyID, algorithm: algorithm,
        encryption: encryption)
    case "RSA":
      return try own(
        rsa(&members), PublicKey(rsaModulus: members.octets("n"), exponent: members.octets("e")))
    case "EC":
      try requirePrivate(members)
      let curve = try members.curve(["P-256", "P-384", "P-521"])
      return try own(
        PrivateKey(ecCurve: curve, number: members.coordinate("d", curve)), members.ecKey())
    case "OKP":
      try requirePrivate(members)
      _ = try members.curve(["X25519"])
      return try own(PrivateKey(x25519: members.octets("d")), members.agreementKey())
    default: throw unsupported
    }
  }

  private func rsa(_ members: inout JSONWebKeyMembers) throws(TokenError) -> PrivateKey {
    try requirePrivate(members)
    var parts = PrivateKey.RSAComponents()
    parts.modulus = try members.octets("n")
    parts.publicExponent = try members.octets("e")
    parts.privateExponent = try members.octets("d")
    // RFC 7518, 6.3.2: with all of them or with none; producers write all.
    let factors = ["p", "q", "dp", "dq", "qi"]
    if let missing = factors.first(where: { members[$0] == nil }) {
      throw TokenError(
        .unreadableKey, node: missing, expected: "p, q, dp, dq and qi beside n, e and d",
        found: "nothing",
        hint:
          "export the private key with all its members (RFC 7518, 6.3.2), or give it as a PEM file")
    }
    parts.primes = (try members.octets("p"), try members.octets("q"))
    parts.exponents = (try members.octets("dp"), try members.octets("dq"))
    parts.coefficient = try members.octets("qi")
    return try PrivateKey(rsa: parts)
  }

  private func requirePrivate(_ members: JSONWebKeyMembers) throws(TokenError) {
    guard members["d"] != nil else {
      throw TokenError(
        .unreadableKey, node: "d", expected: "a private key", found: "a public key",
        hint: "name the private key that belongs to it; this half is for the issuer")
    }
  }

  /// The private key, whose public half is the one that is written beside it.
  private func own(_ key: PrivateKey, _ written: PublicKey) throws(TokenError) -> DecryptionKey {
    guard key.publicKey.isSameKey(as: written) else {
      throw TokenError(
        .unreadableKey, node: "d", expected: "the private half of the public key beside it",
        found: "that of another key")
    }
    return DecryptionKey(key, keyID: keyID, algorithm: algorithm)
  }

  /// The key to encrypt to.
  ///
  /// - Throws: `key.*`.
  func recipientKey() throws(TokenError) -> RecipientKey {
    var members = members
    switch members["kty"]?.string {
    case "oct": return .secret(try SymmetricKey(bytes: members.octets("k")))
    case "RSA":
      return .publicKey(
        try PublicKey(rsaModulus: members.octets("n"), exponent: members.octets("e")))
    case "EC", "OKP": return .publicKey(try members.agreementKey())
    default: throw unsupported
    }
  }

  private var unsupported: TokenError {
    TokenError(
      .unsupportedKey, node: "kty", expected: "RSA, EC, OKP or oct",
      found: members["kty"]?.string.map { TokenError.excerpt($0) } ?? "nothing")
  }
}
