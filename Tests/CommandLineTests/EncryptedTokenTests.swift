import Foundation
import TestSupport
import Testing

@Suite("claims and encrypted JSON Web Tokens")
struct EncryptedTokenTests {
  static let mint = [
    "mint", "jwt", "--issuer", "https://idp.example/idp", "--audience", "https://rp.example/saml",
    "--subject", "alice", "--claim", "role=user", "--at", "2030-01-01T12:00:00Z", "--signing-key",
    "keys/idp-rsa.key",
  ]
  static let verify = [
    "verify", "--key", "keys/idp-rsa.crt", "--issuer", "https://idp.example/idp", "--audience",
    "https://rp.example/saml", "--at", "2030-01-01T12:00:00Z",
  ]

  static func token(_ options: [String]) throws -> [UInt8] {
    let outcome = try ClaimsTool.run(mint + options)
    #expect(outcome.status == 0, "\(outcome.talk)")
    return Array(outcome.output.utf8)
  }

  @Test(
    "mint --encrypt-to takes a certificate, a public key and a JWK; verify tells the algorithms",
    arguments: [
      ("keys/rp-rsa.crt", "keys/rp-rsa.key", "RSA-OAEP-256"),
      ("keys/rp-ec256.crt", "keys/rp-ec256.key", "ECDH-ES+A256KW"),
      ("jwk:keys/rp-x25519.jwk", "jwk:keys/rp-x25519.jwk", "ECDH-ES+A256KW"),
      ("jwk:keys/rp-rsa.jwk", "keys/rp-rsa.key", "RSA-OAEP-256"),
    ])
  func roundTrip(recipient: String, key: String, algorithm: String) throws {
    let token = try Self.token(["--encrypt-to", recipient])
    let verdict = try ClaimsTool.run(Self.verify + ["--decrypt-key", key], input: token)
    let record = try #require(verdict.records.first)
    #expect(record["valid"] as? Bool == true)
    #expect(
      record["encryptedWith"] as? [String: String] == [
        "algorithm": algorithm, "encryption": "A256GCM",
      ])
    #expect(try ClaimsTool.run(Self.verify, input: token).code == "encryption.no-key")
    let other = try ClaimsTool.run(
      Self.verify + ["--decrypt-key", "keys/other-rsa.key"], input: token)
    #expect(
      other.code == (algorithm.hasPrefix("RSA") ? "encryption.failed" : "encryption.key-mismatch"))
  }

  @Test("An algorithm of another kind of key, and a name that is none, are wrong usage")
  func usage() throws {
    let certificate = ["--encrypt-to", "keys/rp-rsa.crt"]
    _ = try Self.token(
      certificate + ["--key-management", "RSA-OAEP", "--encryption", "A128CBC-HS256"])
    for (options, code) in [
      (["--key-management", "ECDH-ES"], "policy.mint-encryption-algorithm"),
      (["--key-management", "RSA1_5"], "policy.mint-encryption-algorithm"),
      (["--encryption", "A256"], "policy.unknown-algorithm-name"),
    ] {
      let outcome = try ClaimsTool.run(Self.mint + certificate + options)
      #expect(outcome.status == 2)
      #expect(outcome.talk.contains(code))
    }
    #expect(try ClaimsTool.run(Self.mint + ["--encryption", "A256GCM"]).status == 2)
  }

  @Test("decode and explain read what is encrypted with the key, and say what it is without")
  func reading() throws {
    let token = try Self.token(["--encrypt-to", "keys/rp-rsa.crt"])
    let decoded = try ClaimsTool.run(["decode", "--decrypt-key", "keys/rp-rsa.key"], input: token)
    let record = try #require(decoded.records.first)
    #expect(record["subject"] as? String == "alice")
    #expect((record["encryptedWith"] as? [String: String])?["encryption"] == "A256GCM")
    #expect(try ClaimsTool.run(["decode"], input: token).code == "encryption.no-key")
    let arguments = ["explain"] + Self.verify.dropFirst()
    let explained = try ClaimsTool.run(
      arguments + ["--decrypt-key", "keys/rp-rsa.key"], input: token)
    #expect(explained.status == 0)
    #expect(explained.output.contains("decryption"))
    #expect(explained.output.contains("RSA-OAEP-256, A256GCM"))
    let refused = try ClaimsTool.run(
      arguments + ["--decrypt-key", "keys/other-rsa.key"], input: token)
    #expect(refused.output.contains("encrypted with RSA-OAEP-256 and A256GCM"))
  }

  @Test("A trust file names keys as JWK, and the algorithms that are accepted")
  func trustFile() throws {
    let token = try Self.token(["--encrypt-to", "keys/rp-rsa.crt"])
    let folder = TestVector.folder.path()
    for (algorithms, code) in [
      ("[\"RSA-OAEP-256\", \"A256GCM\"]", nil),
      ("[\"RSA-OAEP\", \"A256GCM\"]", "encryption.not-allowed"),
    ] as [(String, String?)] {
      let file = try TemporaryFile(
        """
        {"audiences": ["https://rp.example/saml"], "decryptionKeys": ["jwk:\(folder)/keys/rp-rsa.jwk"],
         "encryptionAlgorithms": \(algorithms),
         "issuers": [{"name": "https://idp.example/idp", "keys": ["\(folder)/keys/idp-rsa.crt"]}]}
        """)
      defer { file.remove() }
      let verdict = try ClaimsTool.run(
        ["verify", "--trust", file.url.path(), "--at", "2030-01-01T12:00:00Z"], input: token)
      #expect(verdict.code == code)
    }
    for wrong in ["[\"RSA-OAEP\"]", "[\"A256GCM\"]", "[\"RSA-OAEP\", \"A256GCM\", \"none\"]", "1"] {
      let file = try TemporaryFile("{\"encryptionAlgorithms\": \(wrong), \"issuers\": []}")
      defer { file.remove() }
      #expect(try ClaimsTool.run(["trust", "check", file.url.path()]).status == 2)
    }
  }

  @Test("capture gives an encrypted token that is refused or accepted as the original is")
  func capture() throws {
    let token = try Self.token(["--encrypt-to", "keys/rp-ec256.crt"])
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let outcome = try ClaimsTool.run(
      ["capture", "--output", folder.path()] + Self.verify.dropFirst() + [
        "--decrypt-key", "keys/rp-ec256.key",
      ], input: token)
    #expect(outcome.status == 0, "\(outcome.talk)")
    let made = try String(contentsOf: folder.appending(path: "token"), encoding: .utf8)
    #expect(made.split(separator: ".", omittingEmptySubsequences: false).count == 5)
    #expect(!made.contains("alice"))
  }
}
