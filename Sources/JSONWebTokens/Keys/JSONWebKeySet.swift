import Octets
public import SecurityKeys
import StrictJSON
public import TokenErrors

/// The keys of a JWK set (RFC 7517, 5) that verify signatures.
public struct JSONWebKeySet: Sendable {
  /// The usable keys, in document order, each bound to its `kid` and `alg`.
  public let keys: [TrustedKey]

  /// Reads a set, or a single key. Keys with another use, or of an unsupported kind, are skipped.
  ///
  /// - Parameters:
  ///   - bytes: A JWK set or a JWK, JSON.
  ///   - allowsSecrets: Whether the set may contain `oct` keys; one from a network must not.
  /// - Throws: `input.json-*`, `key.private` for a private key in the set, `key.duplicate-id`,
  ///   `key.none` when nothing is left, `key.weak` and the like for an invalid key.
  public init(parsing bytes: [UInt8], allowsSecrets: Bool = false) throws(TokenError) {
    let json = try JSONParser.parse(bytes)
    let entries: [JSONValue]
    if let list = json["keys"] {
      guard let array = list.array else {
        throw TokenError(
          .jsonMember, node: "keys", expected: "an array", found: list.kindName)
      }
      entries = array
    } else {
      entries = [json]
    }
    guard entries.count <= Self.limit else {
      throw TokenError(.unreadableKey, expected: "at most \(Self.limit) keys")
    }
    var keys: [TrustedKey] = []
    for entry in entries {
      guard let key = try JSONWebKey.read(entry, allowsSecrets: allowsSecrets) else { continue }
      if let keyID = key.keyID,
        keys.contains(where: { $0.keyID?.hasSameBytes(as: keyID) ?? false })
      {
        throw TokenError(.duplicateKeyID, node: "kid", found: TokenError.excerpt(keyID))
      }
      keys.append(key)
    }
    let secrets = keys.count { $0.key.publicKey == nil }
    guard secrets == 0 || secrets == keys.count else {
      throw TokenError(.privateKey, expected: "public keys or secrets", found: "both")
    }
    guard !keys.isEmpty else { throw TokenError(.noKey, expected: "a key that verifies") }
    self.keys = keys
  }

  private static let limit = 1000
}
