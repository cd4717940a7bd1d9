import Foundation
import TestSupport
import Testing

@Suite("Trust files")
struct TrustFileTests {
  static let good = """
    {"skew": 60, "audiences": ["https://rp.example/saml", "uri:talks.example.org"],
     "issuers": [
      {"name": "https://idp.example/idp", "keys": ["KEYS/idp-rsa.crt"], "formats": ["saml20"],
       "algorithms": ["rsa-sha256"], "claimsPrefix": ["ro"], "stripPrefix": true},
      {"name": "https://talksns.accesscontrol.windows.net/", "keys": ["hmac-file:KEYS/acs.key"],
       "formats": ["swt"]}]}
    """.replacingOccurrences(
      of: "KEYS", with: TestVector.folder.appending(path: "keys").path())

  @Test("A trust file verifies the formats that it lists, with each issuer's own projection")
  func verifies() throws {
    let file = try TemporaryFile(Self.good)
    defer { file.remove() }
    let saml = try ClaimsTool.run([
      "verify", "--trust", file.url.path(), "--at", "2030-01-01T12:00:00Z",
      "saml20/response-assertion-signed.xml",
    ])
    #expect(saml.status == 0)
    #expect((saml.records.first?["claims"] as? [String: [String]]) == ["le": ["user"]])
    let swt = try ClaimsTool.run([
      "verify", "--trust", file.url.path(), "--at", "2029-12-31T23:55:00Z", "swt/tv-2.txt",
    ])
    #expect(swt.status == 0)
    let other = try ClaimsTool.run([
      "verify", "--trust", file.url.path(), "--at", "2030-01-01T12:00:00Z",
      "saml20/response-assertion-rsa-sha512.xml",
    ])
    #expect(other.code == "algorithm.not-allowed")
  }

  @Test("A sound file passes the check")
  func checks() throws {
    let file = try TemporaryFile(Self.good)
    defer { file.remove() }
    let outcome = try ClaimsTool.run(["trust", "check", file.url.path()])
    #expect(outcome.status == 0)
    #expect(outcome.records.first?["valid"] as? Bool == true)
    #expect(outcome.records.first?["issuers"] as? Int == 2)
  }

  @Test(
    "JSON of another kind is named as a whole, and a misspelt member by its line",
    arguments: [
      (#"{"issuer": "i", "jwks_uri": "https://idp.example/keys"}"#, "jwks_uri"),
      (#"{"keys": []}"#, "jwks:PATH"), (#"{"error": "invalid_tenant"}"#, "address"),
      (#"{"info": {"name": "a"}, "item": []}"#, "a trust file here"),
      (#"{"issuer": [], "skew": 1}"#, "spelling"),
    ])
  func otherDocuments(text: String, words: String) throws {
    let file = try TemporaryFile(text)
    defer { file.remove() }
    let outcome = try ClaimsTool.run(["trust", "check", file.url.path()])
    #expect(outcome.status == 2)
    let errors = outcome.records.first?["errors"] as? [[String: Any]] ?? []
    #expect(errors.contains { $0["code"] as? String == "policy.trust-file-key" })
    #expect(errors.contains { ($0["hint"] as? String)?.contains(words) ?? false }, "\(errors)")
  }

  @Test(
    "Every error is reported with its line",
    arguments: [
      ("{\n \"skew\": 601}", "policy.limit", "line 2"),
      ("{\n\n \"skews\": 1}", "policy.trust-file-key", "line 3"),
      ("{\"issuers\": [\n {\"keys\": []}]}", "policy.trust-file-value", "line 2"),
      (
        "{\"issuers\": [{\"name\": \"x\",\n \"keys\": [\"absent.pem\"]}]}",
        "policy.trust-file-reference", "line 2"
      ),
      (
        "{\"issuers\": [{\"name\": \"x\", \"keys\": [\"a\"],\n \"algorithms\": [\"rot13\"]}]}",
        "policy.unknown-algorithm-name", "line 2"
      ),
      (
        "{\"issuers\": [{\"name\": \"x\", \"keys\": [\"a\"], \"stripPrefix\": true,\n"
          + " \"claimsPrefix\": [\"urn:a/\", \"urn:b/\"]}]}",
        "policy.trust-file-value", "line 2"
      ),
      ("{\n \"skew\": 1,\n}", "policy.trust-file-syntax", "line 3"),
      ("{\"skew\": 1,\n\"skew\": 2}", "input.json-duplicate-name", "line 2"),
      ("{\"limits\": {\n\"bytes\": 99999999}}", "policy.limit", "line 2"),
      ("[]", "policy.trust-file-value", "line 1"),
    ])
  func mistakes(text: String, code: String, line: String) throws {
    let file = try TemporaryFile(text)
    defer { file.remove() }
    let outcome = try ClaimsTool.run(["trust", "check", file.url.path()])
    #expect(outcome.status == 2)
    let errors = outcome.records.first?["errors"] as? [[String: Any]] ?? []
    let error = try #require(errors.first { $0["code"] as? String == code })
    #expect((error["node"] as? String)?.hasPrefix(line + ",") ?? false)
  }
}
