import Foundation
import TestSupport
import Testing

@Suite("Explanations for a person")
struct ExplainTests {
  func explain(_ token: String, _ more: [String] = []) throws -> String {
    try ClaimsTool.run(["explain"] + CommandLineTests.saml + more, input: Array(token.utf8)).output
  }

  /// A response whose SignedInfo was signed without any white space in it.
  let compact = String(
    decoding: TestVector.bytes("saml20/style-entra.xml"), as: UTF8.self)

  @Test("A document that was indented on its way is recognised as such")
  func indented() throws {
    #expect(try explain(compact).contains("accepted:"))
    let all = compact.replacingOccurrences(of: "><", with: ">\n  <")
    #expect(try explain(all).contains("suspect  the document was indented after it was signed"))
  }

  @Test("A changed value is none of the usual suspects, and what was digested can be looked at")
  func changed() throws {
    let file = try TemporaryFile()
    defer { file.remove() }
    let changed = compact.replacingOccurrences(of: "alice@idp", with: "admin@idp")
    let text = try explain(changed, ["--dump-canonical", file.url.path()])
    #expect(text.contains("none of the usual ones"))
    let octets = try String(contentsOf: file.url, encoding: .utf8)
    #expect(octets.hasPrefix("<Assertion"))
    #expect(octets.contains("admin@idp"))
    #expect(!octets.contains("Signature"))
  }

  @Test("For a time both clocks are shown to the millisecond, and by how much it missed")
  func time() throws {
    let outcome = try ClaimsTool.run(
      ["explain"] + CommandLineTests.saml.dropLast() + ["2030-01-01T12:06:00.001Z"]
        + ["saml20/response-assertion-signed.xml"])
    #expect(outcome.output.contains("before 2030-01-01T12:05:00.000Z + 60 s"))
    #expect(outcome.output.contains("2030-01-01T12:06:00.001Z, too late by 0.001 s"))
  }

  @Test("For a key every candidate is listed with its dates and why it was passed over")
  func keys() throws {
    let outcome = try ClaimsTool.run([
      "explain", "--key", "keys/evil-rsa.crt", "--key", "keys/idp-ec256.crt", "--key",
      "hmac-file:keys/acs.key", "--audience", "https://rp.example/saml", "--at",
      "2030-01-01T12:00:00Z", "saml20/response-assertion-signed.xml",
    ])
    #expect(outcome.status == 1)
    for text in [
      "tried: it did not make the signature", "algorithm.key-mismatch", "it vouches for swt",
      "2020-01-01T00:00:00Z to 2120-01-01T00:00:00Z",
    ] {
      #expect(outcome.output.contains(text), "\(text)")
    }
  }
}
