import Foundation
import JSONWebTokens
import SecurityKeys
import TestSupport
import Testing
import TokenBasics

/// Verdicts that C2SP/wycheproof gives on encryption; prints how many vectors each file has and how many agree.
@Suite("Wycheproof, encryption")
struct WycheproofEncryptionTests {
  typealias JSON = [String: Any]
  let files = WycheproofTests()

  private func keys(_ json: Any?) throws -> [DecryptionKey] {
    let data = try JSONSerialization.data(withJSONObject: json ?? [:])
    return try JSONWebEncryptionKey.decryptionKeys(in: Array(data))
  }

  private func decrypts(_ group: JSON, _ test: JSON) throws -> Bool {
    let token = Array((test["jwe"] as? String ?? "").utf8)
    let content = try JSONWebEncryption(parsing: token).content(
      keys(group["private"]), EncryptionAlgorithms(), exceptions: [.rsaPKCS1Encryption], Limits())
    // Some vectors say only that there is a plaintext.
    return try test["pt"] == nil || content == files.bytes(test["pt"])
  }

  @Test(
    "JSON Web Encryptions get the same verdicts",
    arguments: ["json_web_encryption", "json_web_crypto"])
  func encryptions(name: String) throws {
    try files.run(name) { group, test in
      // The other half of the second file are signatures.
      guard test["jwe"] != nil else { return test["result"] as? String == "valid" }
      return try decrypts(group, test)
    }
  }

  @Test(
    "AES in CBC with HMAC gets the same verdicts",
    arguments: [
      ("a128cbc_hs256", ContentEncryption.aes128CBCHMAC), ("a192cbc_hs384", .aes192CBCHMAC),
      ("a256cbc_hs512", .aes256CBCHMAC),
    ])
  func contents(name: String, encryption: ContentEncryption) throws {
    try files.run(name) { _, test in
      let sealed = ContentEncryption.Sealed(
        iv: try files.bytes(test["iv"]), ciphertext: try files.bytes(test["ct"]),
        tag: try files.bytes(test["tag"]))
      let found = encryption.decrypt(
        sealed, key: try files.bytes(test["key"]), associated: try files.bytes(test["aad"]))
      return try found == files.bytes(test["msg"])
    }
  }

  @Test("Key wrapping gets the same verdicts")
  func keyWrapping() throws {
    try files.run("aes_wrap") { _, test in
      let key = try files.bytes(test["key"])
      // No content key is longer.
      guard try files.bytes(test["msg"]).count <= 64 else {
        return test["result"] as? String == "valid"
      }
      let wrap = try #require(
        [KeyWrap.aes128, .aes192, .aes256].first { $0.keyLength == key.count })
      return try wrap.unwrap(files.bytes(test["ct"]), with: key) == files.bytes(test["msg"])
    }
  }

  @Test(
    "ML-DSA gets the same verdicts, where this build can use it",
    arguments: [
      ("mldsa_44_verify", SignatureAlgorithm.mlDSA44), ("mldsa_65_verify", .mlDSA65),
      ("mldsa_87_verify", .mlDSA87),
    ])
  func moduleLattice(name: String, algorithm: SignatureAlgorithm) throws {
    guard algorithm.isAvailable else { return print("wycheproof \(name): not in this build") }
    try files.run(name) { group, test in
      // A context is none of JOSE's (RFC 9964, 3).
      guard test["ctx"] == nil || test["ctx"] as? String == "" else {
        return test["result"] as? String == "valid"
      }
      let key = try PostQuantumKey(files.bytes(group["publicKey"]), for: algorithm)
      let (signature, message) = try (files.bytes(test["sig"]), files.bytes(test["msg"]))
      return key.isValid(signature.span, for: message.span)
    }
  }

  @Test(
    "Key agreements get the same verdicts",
    arguments: [
      "ecdh_secp256r1_webcrypto", "ecdh_secp384r1_webcrypto", "ecdh_secp521r1_webcrypto",
      "x25519_jwk",
    ])
  func agreements(name: String) throws {
    let derivation = ConcatKDF(digest: .sha256, otherInfo: [])
    try files.run(name) { _, test in
      let own = try #require(try keys(test["private"]).first?.privateKey)
      let data = try JSONSerialization.data(withJSONObject: test["public"] ?? [:])
      let peer = try JSONWebEncryptionKey.publicKey(in: Array(data))
      let agreed = own.agree(with: peer, derivation, length: 32)
      return try agreed != nil && agreed == derivation.derive(32, from: files.bytes(test["shared"]))
    }
  }
}
