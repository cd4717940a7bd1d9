import Octets
import SecurityKeys
import TokenErrors

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
