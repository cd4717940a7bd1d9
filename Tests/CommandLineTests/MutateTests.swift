import Foundation
import TestSupport
import Testing

@Suite("claims mutate")
struct MutateTests {
  private static let swt = [
    "mint", "swt", "--issuer", "https://idp.example/", "--audience", "https://rp.example/",
    "--claim", "role=user", "--at", "2030-01-01T11:59:00Z", "--key", "hmac-file:keys/acs.key",
  ]
  private static let clock = ["--at", "2030-01-01T12:00:00Z"]

  @Test("verify --lines rejects every variant with the code that mutate wrote beside it")
  func lines() throws {
    let token = try ClaimsTool.run(Self.swt).output
    let made = try ClaimsTool.run(
      ["mutate", "--key", "hmac-file:keys/acs.key"] + Self.clock, input: Array(token.utf8))
    #expect(made.status == 0)
    #expect(made.records.count > 60)
    let judged = try ClaimsTool.run(
      [
        "verify", "--lines", "--key", "hmac-file:keys/acs.key", "--audience", "https://rp.example/",
      ] + Self.clock, input: Array(made.output.utf8))
    #expect(judged.status == 1)
    #expect(judged.records.count == made.records.count)
    for (variant, verdict) in zip(made.records, judged.records) {
      #expect(verdict["id"] as? String == variant["id"] as? String)
      let error = verdict["error"] as? [String: Any]
      #expect(error?["code"] as? String == variant["expected"] as? String)
    }
  }

  @Test("--output writes a file for each variant and a manifest")
  func folder() throws {
    let token = try ClaimsTool.run(Self.swt).output
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let made = try ClaimsTool.run(
      ["mutate", "--output", folder.path()] + Self.clock, input: Array(token.utf8))
    #expect(made.status == 0)
    let count = try #require(made.records.first?["variants"] as? Int)
    let manifest = try String(
      contentsOf: folder.appending(path: "manifest.jsonl"), encoding: .utf8)
    #expect(manifest.split(separator: "\n").count == count)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path()).count == count + 1)
  }

  @Test("An encrypted token has variants with --decrypt-key, and is refused without")
  func encrypted() throws {
    let token = try ClaimsTool.run(
      [
        "mint", "saml20", "--issuer", "https://idp.example/", "--audience", "https://rp.example/",
        "--subject", "alice", "--claim", "role=user", "--at", "2030-01-01T11:59:00Z",
        "--signing-key", "keys/idp-rsa.key", "--wrap", "response", "--encrypt-to",
        "keys/rp-rsa.crt",
      ]
    ).output
    let bare = try ClaimsTool.run(["mutate"] + Self.clock, input: Array(token.utf8))
    #expect(bare.status == 2)
    #expect(bare.talk.contains("encryption.no-key"))
    #expect(bare.talk.contains("--decrypt-key"))
    let decrypting = ["--decrypt-key", "keys/rp-rsa.key"]
    let made = try ClaimsTool.run(
      ["mutate", "--key", "keys/idp-rsa.key"] + decrypting + Self.clock, input: Array(token.utf8))
    #expect(made.status == 0)
    #expect(made.records.count > 100)
    let judged = try ClaimsTool.run(
      ["verify", "--lines", "--key", "keys/idp-rsa.crt", "--audience", "https://rp.example/"]
        + decrypting + Self.clock, input: Array(made.output.utf8))
    #expect(judged.records.count == made.records.count)
    for (variant, verdict) in zip(made.records, judged.records) {
      let error = verdict["error"] as? [String: Any]
      #expect(error?["code"] as? String == variant["expected"] as? String)
    }
  }

  @Test("A bad token is wrong usage")
  func bad() throws {
    let made = try ClaimsTool.run(["mutate"], input: Array("hello, world".utf8))
    #expect(made.status == 2)
    #expect(made.talk.contains("input.unrecognized"))
  }
}
