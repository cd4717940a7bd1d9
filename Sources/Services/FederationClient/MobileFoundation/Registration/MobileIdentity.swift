public import HTTPExchange
import SecurityKeys
import Synchronization
public import TokenBasics

/// A registered client: its identifier at the server and its key.
public struct MobileIdentity: Sendable {
  /// The client's identifier, chosen by the server.
  public let clientID: String
  let key: MobileClientKey

  init(clientID: String, key: MobileClientKey) {
    self.clientID = clientID
    self.key = key
  }

  /// Restores the identity from ``stored``.
  ///
  /// - Throws: `client.identity` for any other text.
  public init(stored: Secret) throws(TokenError) {
    guard let json = try? JSONParser.parse(Array(stored.revealed.utf8)),
      let clientID = json["client_id"]?.string, !clientID.isEmpty,
      let text = json["key"]?.string, let der = try? Base64.decode(Array(text.utf8)),
      let key = try? MobileClientKey(PrivateKey(pemOrDER: der))
    else { throw TokenError(.clientIdentity) }
    self.init(clientID: clientID, key: key)
  }

  /// Identifier and private key as JSON, for a store of secrets.
  public var stored: Secret {
    var json = JSONWriter()
    json.object { json in
      json.member("client_id", clientID)
      json.member("key", Base64.encode(key.exported))
    }
    return Secret(String(decoding: json.bytes, as: UTF8.self))
  }
}

/// The RSA key of a client, which signs JSON Web Signatures for both serializations.
struct MobileClientKey: Sendable {
  private let privateKey: PrivateKey
  private let signer: SigningKey
  private let modulus: String
  private let exponent: String

  /// - Throws: `key.unsupported` unless RSA, `key.weak` under 2048 bits.
  init(_ key: PrivateKey) throws(TokenError) {
    guard let components = key.rsaComponents else {
      throw TokenError(.unsupportedKey, expected: "RSA")
    }
    privateKey = key
    signer = try SigningKey(key, algorithm: .rsaSHA256)
    modulus = Base64.encode(components.modulus, .url)
    exponent = Base64.encode(components.exponent, .url)
  }

  static func generate() throws(TokenError) -> Self {
    try Self(PrivateKey(generating: .rsa2048))
  }

  var exported: [UInt8] { privateKey.exportedDER }

  /// Header, payload and signature, each base64url (RFC 7515), for either serialization.
  func sign(
    _ payload: [UInt8], keyID: String?
  ) throws(TokenError) -> (header: String, payload: String, signature: String) {
    var json = JSONWriter()
    json.object { json in
      json.member("alg", "RS256")
      json.name("jwk")
      json.object { json in
        json.member("kty", "RSA")
        json.member("n", modulus)
        json.member("e", exponent)
        json.member("kid", keyID)
      }
    }
    let header = Base64.encode(json.bytes, .url)
    let body = Base64.encode(payload, .url)
    let signature = try signer.sign(Array((header + "." + body).utf8))
    return (header, body, Base64.encode(signature, .url))
  }
}

/// Stores a client's identity between runs. Without it the client registers anew.
public protocol MobileIdentityStore: Sendable {
  /// The stored identity, if any.
  func identity() async throws(TokenError) -> Secret?
  /// Stores an identity in place of an older one; nil removes it.
  func keep(_ identity: Secret?) async throws(TokenError)
}

/// Stores the identity in ``StoredCredentials/secrets`` of a credential store.
public struct CredentialIdentityStore: MobileIdentityStore {
  private let store: any CredentialStore
  private let name: String

  /// A store that uses one secret of `store`.
  ///
  /// - Parameters:
  ///   - store: The store of secrets.
  ///   - name: The key of the secret in the store, one for each server and application.
  public init(_ store: any CredentialStore, name: String) {
    self.store = store
    self.name = name
  }

  /// The stored identity, if any.
  /// - Throws: `session.store-*`.
  public func identity() async throws(TokenError) -> Secret? {
    try await store.read().secrets[name]
  }

  /// Stores an identity in place of an older one; nil removes it.
  /// - Throws: `session.store-*`.
  public func keep(_ identity: Secret?) async throws(TokenError) {
    let name = name
    try await store.update { $0.secrets[name] = identity }
  }
}

/// Stores the identity in memory, for the life of the process.
public final class MemoryIdentityStore: MobileIdentityStore {
  private let kept: Mutex<Secret?>

  /// A store that contains `identity`.
  public init(_ identity: Secret? = nil) { kept = Mutex(identity) }

  /// The stored identity, if any. Never throws.
  public func identity() async throws(TokenError) -> Secret? { kept.withLock { $0 } }

  /// Stores an identity in place of an older one; nil removes it. Never throws.
  public func keep(_ identity: Secret?) async throws(TokenError) {
    kept.withLock { $0 = identity }
  }
}
