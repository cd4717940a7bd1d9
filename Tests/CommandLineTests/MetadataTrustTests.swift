import Foundation
import TestSupport
import Testing

@Suite("Trust through metadata")
struct MetadataTrustTests {
  static let token = "saml20/response-assertion-signed.xml"

  static func verify(_ arguments: [String], at: String = "2030-01-01T12:00:00Z") throws
    -> ClaimsTool.Outcome
  {
    try ClaimsTool.run(["verify", "--at", at, "--allow-any-audience"] + arguments + [token])
  }

  @Test("OK-41: --metadata trusts the signing keys of an entity for its own tokens")
  func metadata() throws {
    let outcome = try Self.verify(["--metadata", "metadata/entity.xml"])
    #expect(outcome.status == 0)
    #expect(outcome.records.first?["issuer"] as? String == "https://idp.example/idp")
  }

  @Test("TRUST-1: --key with --issuer pins the issuer, and metadata adds no key to it")
  func pinnedIssuer() throws {
    let issuer = ["--issuer", "https://idp.example/idp", "--metadata", "metadata/entity.xml"]
    let other = try Self.verify(issuer + ["--key", "keys/other-rsa.crt"])
    #expect(other.code == "signature.invalid")
    #expect(other.talk.contains("claims: warning: \"https://idp.example/idp\" is pinned"))
    #expect(try Self.verify(issuer + ["--key", "keys/idp-rsa.crt"]).status == 0)
    #expect(try Self.verify(issuer).status == 0)
  }

  @Test("The key of one entity verifies for no other")
  func otherEntity() throws {
    let file = try TemporaryFile(
      String(decoding: TestVector.bytes("metadata/entity.xml"), as: UTF8.self)
        .replacingOccurrences(of: "https://idp.example/idp", with: "https://other.example/idp"))
    defer { file.remove() }
    #expect(try Self.verify(["--metadata", file.url.path()]).code == "issuer.untrusted")
  }

  @Test("META-4: metadata that has expired leaves no key")
  func expired() throws {
    let arguments = ["--metadata", "metadata/valid-until.xml"]
    #expect(try Self.verify(arguments).status == 0)
    // The assertion has expired by then too; the key is checked first.
    #expect(try Self.verify(arguments, at: "2030-01-02T00:00:00Z").code == "key.metadata-expired")
    #expect(try Self.verify(["--metadata", "metadata/expired.xml"]).code == "key.metadata-expired")
  }

  @Test(
    "A file that cannot be used ends the command with 2",
    arguments: [
      (["metadata/use-encryption.xml"], "policy.metadata-no-key"),
      (["metadata/role-sp.xml"], "policy.metadata-no-key"),
      (["metadata/duplicate.xml"], "policy.metadata-duplicate"),
      (
        ["metadata/entity.xml", "--metadata", "metadata/two-keys.xml"], "policy.metadata-duplicate"
      ),
      (["metadata/absent.xml"], "input.file"),
      (["metadata/entity.xml", "--metadata-key", "keys/idp-rsa.crt"], "signature.missing"),
      (["metadata/signed.xml", "--metadata-key", "keys/other-rsa.crt"], "signature.invalid"),
    ])
  func refused(arguments: [String], code: String) throws {
    let outcome = try Self.verify(["--metadata"] + arguments)
    #expect(outcome.status == 2)
    #expect(outcome.output.isEmpty)
    #expect(outcome.talk.contains("error: \(code): "))
  }

  @Test("META-1: signed by a pinned key")
  func pinned() throws {
    #expect(
      try Self.verify([
        "--metadata", "metadata/signed.xml", "--metadata-key", "keys/other-rsa.crt",
        "--metadata-key", "keys/idp-rsa.crt",
      ]).status == 0)
  }

  @Test("--issuer selects entities of a file")
  func issuers() throws {
    #expect(
      try Self.verify([
        "--metadata", "metadata/group.xml", "--issuer", "https://idp.example/idp",
      ]).status == 0)
    #expect(
      try Self.verify([
        "--metadata", "metadata/group.xml", "--issuer", "https://other.example/idp",
      ]).code == "issuer.untrusted")
  }

  @Test("--metadata excludes --trust, and --metadata-key needs it")
  func usage() throws {
    #expect(
      try Self.verify(["--metadata", "metadata/entity.xml", "--trust", "trust.json"]).status == 2)
    #expect(
      try Self.verify(["--key", "keys/idp-rsa.crt", "--metadata-key", "keys/idp-rsa.crt"]).status
        == 2)
  }

  static func trustFile(_ entries: String) throws -> TemporaryFile {
    try TemporaryFile(
      "{\"audiences\": [\"x\"], \"issuers\": [\n\(entries)]}"
        .replacingOccurrences(of: "@", with: TestVector.folder.path() + "/"))
  }

  @Test(
    "A trust file names metadata",
    arguments: [
      #"{"metadata": "@metadata/entity.xml"}"#,
      #"{"metadata": "@metadata/signed.xml", "signedBy": "@keys/idp-rsa.crt"}"#,
      #"{"metadata": "@metadata/signed.xml", "signedBy": ["@keys/other-rsa.crt", "@keys/idp-rsa.crt"], "formats": ["saml20"], "algorithms": ["rsa-sha256"], "claimsPrefix": ["ro"], "stripPrefix": true, "certificateDates": "enforce"}"#,
    ])
  func trustFiles(entry: String) throws {
    let file = try Self.trustFile(entry)
    defer { file.remove() }
    #expect(try ClaimsTool.run(["trust", "check", file.url.path()]).status == 0)
    #expect(try Self.verify(["--trust", file.url.path()]).status == 0)
  }

  @Test(
    "A metadata entry that cannot be used is an error with its line",
    arguments: [
      (#"{"metadata": "absent.xml"}"#, "policy.trust-file-reference"),
      (#"{"metadata": 1}"#, "policy.trust-file-value"),
      (#"{"metadata": "@metadata/entity.xml", "keys": []}"#, "policy.trust-file-key"),
      (
        #"{"metadata": "@metadata/entity.xml", "signedBy": "@keys/idp-rsa.crt"}"#,
        "policy.trust-file-reference"
      ),
      (
        #"{"metadata": "@metadata/signed.xml", "signedBy": "absent.pem"}"#,
        "policy.trust-file-reference"
      ),
      (#"{"metadata": "@metadata/signed.xml", "signedBy": []}"#, "policy.trust-file-value"),
      (#"{"metadata": "@metadata/use-encryption.xml"}"#, "policy.trust-file-reference"),
      (
        #"{"metadata": "@metadata/entity.xml"}, {"metadata": "@metadata/bom.xml"}"#,
        "policy.trust-file-reference"
      ),
    ])
  func badTrustFiles(entry: String, code: String) throws {
    let file = try Self.trustFile(entry)
    defer { file.remove() }
    let outcome = try ClaimsTool.run(["trust", "check", file.url.path()])
    #expect(outcome.status == 2)
    let errors = outcome.records.first?["errors"] as? [[String: Any]]
    #expect(errors?.first?["code"] as? String == code)
    #expect((errors?.first?["node"] as? String)?.hasPrefix("line 2") == true)
  }

  @Test("An entry without a token's format does not apply to it")
  func formats() throws {
    let file = try Self.trustFile(#"{"metadata": "@metadata/entity.xml", "formats": ["saml11"]}"#)
    defer { file.remove() }
    #expect(try Self.verify(["--trust", file.url.path()]).code == "key.none")
  }
}
