import JSONWebTokens
import SecurityKeys
import SignIn
import TestSupport
import Testing
import TokenBasics

/// A key of the scripted provider, with its entry in the key set.
struct ProviderKey: Sendable {
  let signing: SigningKey
  let keyID: String
  /// The JSON Web Key.
  let json: String

  /// RS256, `rsa-1`.
  static var first: ProviderKey { get throws { try ProviderKey("idp-rsa", "rsa-1") } }
  /// RS256, `rsa-2`.
  static var second: ProviderKey { get throws { try ProviderKey("other-rsa", "rsa-2") } }

  /// With the entry as another program wrote it.
  private init(_ name: String, _ keyID: String) throws {
    signing = try SigningKey(
      PrivateKey(pemOrDER: TestVector.bytes("keys/\(name).key")), algorithm: .rsaSHA256)
    self.keyID = keyID
    let octets = TestVector.bytes("keys/jwks.json")
    let entry = try JSONParser.parse(octets)["keys"]?.array?.first { $0["kid"]?.string == keyID }
    json = String(decoding: octets[try #require(entry).range], as: UTF8.self)
  }

  /// A key of `TestVectors/keys` for that algorithm, whose entry names it.
  init(_ name: String, _ algorithm: SignatureAlgorithm) throws {
    signing = try SigningKey(
      PrivateKey(pemOrDER: TestVector.bytes("keys/\(name).key")), algorithm: algorithm)
    keyID = signing.publicKey.thumbprint
    let set = PublishedKey.keySet([PublishedKey(signing.publicKey, algorithm: algorithm)])
    let entry = try JSONParser.parse(set)["keys"]?.array?.first
    json = String(decoding: set[try #require(entry).range], as: UTF8.self)
  }

  /// A token with that header and payload, of raw JSON values.
  ///
  /// - Parameter algorithm: The `alg`; nil for that of the key.
  func token(
    _ payload: [String: String], type: String? = "JWT", keyID: String?, algorithm: String? = nil
  ) throws -> String {
    var header = ["alg": quoted(algorithm ?? signing.algorithm.nameInJOSE)]
    if let type { header["typ"] = quoted(type) }
    if let keyID { header["kid"] = quoted(keyID) }
    let signed =
      Base64.encode(Array(object(header).utf8), .url) + "."
      + Base64.encode(Array(object(payload).utf8), .url)
    return signed + "." + Base64.encode(try signing.sign(Array(signed.utf8)), .url)
  }
}

/// A JSON string of text without characters to escape.
func quoted(_ text: String) -> String { "\"\(text)\"" }

/// A JSON object of raw values.
func object(_ members: [String: String]) -> String {
  "{"
    + members.sorted { $0.key < $1.key }.map { quoted($0.key) + ":" + $0.value }
    .joined(separator: ",") + "}"
}
