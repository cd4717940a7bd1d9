import Foundation
import SecurityKeys
import TestSupport
import Testing

/// What the command says about key sets and other files that are named as keys.
@Suite("Key sets and key files of the command")
struct KeySetFileTests {
  /// A set of the vectors' RSA key and one key that is off the curve.
  private static func set() throws -> String {
    let known = String(decoding: TestVector.bytes("keys/jwks.json"), as: UTF8.self)
    let bad = #"{"kty":"EC","crv":"P-256","kid":"off","x":"AA","y":"AA"}"#
    let start = try #require(known.firstIndex(of: "["))
    return known[...start] + bad + ", " + known[known.index(after: start)...]
  }

  private func verify(_ arguments: [String]) throws -> ClaimsTool.Outcome {
    try ClaimsTool.run(
      [
        "verify", "--audience", "https://rp.example/saml", "--at", "2030-01-01T12:00:00Z",
      ] + arguments + ["jwt/jwks.txt"])
  }

  @Test(
    "A key that is passed over is named on standard error and in the summary; the token is valid")
  func passedOver() throws {
    let file = try TemporaryFile(Self.set())
    defer { file.remove() }
    let outcome = try verify(["--key", "jwks:" + file.url.path(), "--summary"])
    #expect(outcome.status == 0)
    #expect(outcome.talk.contains("keys[0] (kid \"off\"), x, y: key.weak"))
    #expect(outcome.talk.contains("\"passedOver\":["))
  }

  @Test("trust check lists the keys that are passed over, and exits with 2; a sound set passes")
  func trustCheck() throws {
    let file = try TemporaryFile(Self.set())
    defer { file.remove() }
    let trust = { (path: String) in
      try TemporaryFile(
        #"{"audiences":["a"],"issuers":[{"name":"https://idp.example/idp","keys":["jwks:\#(path)"]}]}"#
      )
    }
    let doubtful = try trust(file.url.path())
    defer { doubtful.remove() }
    let outcome = try ClaimsTool.run(["trust", "check", doubtful.url.path()])
    #expect(outcome.status == 2)
    let listed = outcome.records.first?["passedOver"] as? [[String: Any]] ?? []
    #expect(listed.map { $0["code"] as? String } == ["key.weak", "key.unsupported"])
    #expect((listed.first?["node"] as? String)?.hasSuffix("keys[0] (kid \"off\"), x, y") == true)
    #expect(outcome.talk.contains("kid \"off\""))
    let sound = try trust(TestVector.folder.appending(path: "keys/jwks-ps256.json").path())
    defer { sound.remove() }
    #expect(try ClaimsTool.run(["trust", "check", sound.url.path()]).status == 0)
  }

  @Test("A trust file warns of an issuer that is a template, and so does --issuer")
  func template() throws {
    let jwks = TestVector.folder.appending(path: "keys/jwks-ps256.json").path()
    let name = "https://login.microsoftonline.com/{tenantid}/v2.0"
    let file = try TemporaryFile(
      #"{"audiences":["a"],"issuers":[{"name":"\#(name)","keys":["jwks:\#(jwks)"]}]}"#)
    defer { file.remove() }
    let outcome = try ClaimsTool.run(["trust", "check", file.url.path()])
    let warnings = outcome.records.first?["warnings"] as? [String] ?? []
    #expect(warnings.contains { $0.contains("{tenantid}") && $0.contains("no token bears it") })
    #expect(try verify(["--key", "jwks:" + jwks, "--issuer", name]).talk.contains("{tenantid}"))
  }

  @Test(
    "A trust file that names a JWK set without jwks: is told so; one that is missing is no key")
  func words() throws {
    let jwks = TestVector.folder.appending(path: "keys/jwks.json").path()
    let file = try TemporaryFile(#"{"issuers":[{"name":"i","keys":["\#(jwks)"]}]}"#)
    defer { file.remove() }
    let outcome = try ClaimsTool.run(["trust", "check", file.url.path()])
    #expect(outcome.status == 2)
    let errors = outcome.records.first?["errors"] as? [[String: Any]] ?? []
    #expect(errors.first?["code"] as? String == "policy.trust-file-reference")
    #expect((errors.first?["hint"] as? String)?.contains("jwks:") == true)
    let missing = try verify(["--trust", "absent.json"])
    #expect(missing.status == 2)
    #expect(missing.talk.contains("input.file") && !missing.talk.contains("PEM"))
    let key = try verify(["--key", "absent.pem"])
    #expect(key.talk.contains("input.file"))
  }

  @Test("Files that are no key are told where they belong")
  func otherFiles() throws {
    let cases = [
      ("keys/jwks.json", "jwks:PATH"), ("keys/idp-rsa.key", "private key"),
      ("metadata/group.xml", "--metadata"),
    ]
    for (path, word) in cases where !TestVector.bytes(path).isEmpty {
      let outcome = try verify(["--key", path])
      #expect(outcome.status == 2 && outcome.talk.contains(word))
    }
  }
}
