import Octets
import SecurityKeys
import StrictJSON
import TokenErrors

/// One JSON Web Key (RFC 7517, 4; RFC 7518, 6; RFC 8037, 2).
enum JSONWebKey {
  /// The key, or nil when it does not verify signatures.
  ///
  /// - Throws: `key.private`, `key.unreadable`, `key.unsupported`, `key.weak`, `key.hmac-length`.
  static func read(_ json: JSONValue, allowsSecrets: Bool) throws(TokenError) -> TrustedKey? {
    guard json.members != nil, let type = json["kty"]?.string, isForVerifying(json) else {
      return nil
    }
    var algorithms: [SignatureAlgorithm]?
    if let name = json["alg"] {
      // A key with an unsupported algorithm is reserved for that algorithm.
      guard let algorithm = name.string.flatMap({ JWSAlgorithm.named($0.utf8.span) }) else {
        return nil
      }
      algorithms = [algorithm]
    }
    let key: VerificationKey
    switch type {
    case "oct":
      guard allowsSecrets else {
        throw TokenError(.privateKey, expected: "public keys", found: "a shared secret (oct)")
      }
      key = .secret(try SymmetricKey(bytes: bytes(json, "k")))
    case "RSA":
      try refusePrivate(json)
      key = .publicKey(
        try PublicKey(rsaModulus: bytes(json, "n"), exponent: bytes(json, "e")))
    case "EC":
      try refusePrivate(json)
      guard let curve = json["crv"]?.string, ["P-256", "P-384", "P-521"].contains(curve) else {
        return nil
      }
      key = .publicKey(
        try PublicKey(ecCurve: curve, x: bytes(json, "x"), y: bytes(json, "y")))
    case "OKP":
      try refusePrivate(json)
      guard json["crv"]?.string == "Ed25519" else { return nil }
      key = .publicKey(try PublicKey(ed25519: bytes(json, "x")))
    default:
      return nil
    }
    if let algorithm = algorithms?.first, !key.accepts(algorithm) {
      throw TokenError(
        .algorithmKeyMismatch, node: "alg", expected: "an algorithm of \(key.kindName)",
        found: algorithm.name)
    }
    return TrustedKey(key, algorithms: algorithms, keyID: json["kid"]?.string)
  }

  /// RFC 7517, 4.2 and 4.3.
  private static func isForVerifying(_ json: JSONValue) -> Bool {
    if let use = json["use"], use.string != "sig" { return false }
    if let operations = json["key_ops"] {
      return operations.array?.contains { $0.string == "verify" } ?? false
    }
    return true
  }

  private static func refusePrivate(_ json: JSONValue) throws(TokenError) {
    guard json["d"] == nil, json["p"] == nil, json["q"] == nil else {
      throw TokenError(.privateKey, expected: "public keys", found: "a private key")
    }
  }

  private static func bytes(_ json: JSONValue, _ name: String) throws(TokenError) -> [UInt8] {
    guard let text = json[name]?.string else {
      throw TokenError(.unreadableKey, node: name, expected: "base64url")
    }
    do {
      return try Base64.decode(Array(text.utf8), .url)
    } catch {
      throw TokenError(.unreadableKey, node: name, expected: "base64url")
    }
  }
}
