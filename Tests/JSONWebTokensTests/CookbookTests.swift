import Foundation
import JSONWebTokens
import SecurityKeys
import TestSupport
import Testing
import TokenBasics

/// The examples of RFC 7520 and its companions.
@Suite("The JOSE cookbook")
struct CookbookTests {
  @Test(
    "A compact signature verifies",
    arguments: [
      "jws/4_1.rsa_v15_signature", "jws/4_2.rsa-pss_signature", "jws/4_3.ecdsa_signature",
      "jws/4_4.hmac-sha2_integrity_protection", "curve25519/jws",
    ])
  func verifies(name: String) throws {
    guard let file = try Corpora.json("jose-cookbook/\(name).json") else { return }
    let output = try #require(file["output"] as? [String: Any])
    let compact = try #require(output["compact"] as? String)
    let input = try #require(file["input"] as? [String: Any])
    var key = try #require(input["key"] as? [String: Any])
    for part in ["d", "p", "q", "dp", "dq", "qi"] { key[part] = nil }
    let data = try JSONSerialization.data(withJSONObject: key)
    let set = try JSONWebKeySet(parsing: Array(data), allowsSecrets: true)
    let signature = try JSONWebSignature(parsing: Array(compact.utf8))
    _ = try signature.match(KeyRing(set.keys), at: Instant(secondsSinceEpoch: 0))
    #expect(String(decoding: signature.payload, as: UTF8.self) == input["payload"] as? String)
    print("cookbook \(name): agrees")
  }

  @Test(
    "An encryption gives its content",
    arguments: [
      "jwe/5_1.key_encryption_using_rsa_v15_and_aes-hmac-sha2",
      "jwe/5_2.key_encryption_using_rsa-oaep_with_aes-gcm",
      "jwe/5_4.key_agreement_with_key_wrapping_using_ecdh-es_and_aes-keywrap_with_aes-gcm",
      "jwe/5_5.key_agreement_using_ecdh-es_with_aes-cbc-hmac-sha2",
      "jwe/5_6.direct_encryption_using_aes-gcm",
      "jwe/5_7.key_wrap_using_aes-gcm_keywrap_with_aes-cbc-hmac-sha2",
      "jwe/5_8.key_wrap_using_aes-keywrap_with_aes-gcm", "curve25519/ecdh-es",
    ])
  func decrypts(name: String) throws {
    guard let file = try Corpora.json("jose-cookbook/\(name).json") else { return }
    let output = try #require(file["output"] as? [String: Any])
    let compact = try #require(output["compact"] as? String)
    let input = try #require(file["input"] as? [String: Any])
    let key = try #require(input["key"] as? [String: Any])
    let data = try JSONSerialization.data(withJSONObject: key)
    let keys = try JSONWebEncryptionKey.decryptionKeys(in: Array(data))
    let content = try JSONWebEncryption(parsing: Array(compact.utf8)).content(
      keys, EncryptionAlgorithms(), exceptions: [.rsaPKCS1Encryption], Limits())
    #expect(String(decoding: content, as: UTF8.self) == input["plaintext"] as? String)
    print("cookbook \(name): agrees")
  }

  @Test(
    "Compression and passwords are refused",
    arguments: [
      (
        "jwe/5_3.key_wrap_using_pbes2-aes-keywrap_with-aes-cbc-hmac-sha2",
        TokenError.Code.encryptionAlgorithm
      ),
      ("jwe/5_9.compressed_content", .compressedEncryption),
    ])
  func refusesEncryption(name: String, code: TokenError.Code) throws {
    guard let file = try Corpora.json("jose-cookbook/\(name).json") else { return }
    let output = try #require(file["output"] as? [String: Any])
    let compact = try #require(output["compact"] as? String)
    #expect(throws: TokenError(code)) { try JSONWebEncryption(parsing: Array(compact.utf8)) }
    print("cookbook \(name): refused by policy, \(code)")
  }

  @Test(
    "Detached content, unencoded payloads and several signatures are refused (RFC 7519, 3)",
    arguments: [
      ("jws/4_5.signature_with_detached_content", TokenError.Code.jwsParts),
      ("rfc7797/hmac-sha2_b64_false", .criticalHeader),
    ])
  func refuses(name: String, code: TokenError.Code) throws {
    guard let file = try Corpora.json("jose-cookbook/\(name).json") else { return }
    let output = try #require(file["output"] as? [String: Any])
    let compact = try #require(output["compact"] as? String)
    #expect(throws: TokenError(code)) { try JSONWebToken(parsing: Array(compact.utf8)) }
    print("cookbook \(name): refused by policy, \(code)")
  }
}
