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

  @Test("A changed value has no known cause, and the digested octets can be printed")
  func changed() throws {
    let file = try TemporaryFile()
    defer { file.remove() }
    let changed = compact.replacingOccurrences(of: "alice@idp", with: "admin@idp")
    let text = try explain(changed, ["--dump-canonical", file.url.path()])
    #expect(text.contains("none that was tried fits"))
    let octets = try String(contentsOf: file.url, encoding: .utf8)
    #expect(octets.hasPrefix("<Assertion"))
    #expect(octets.contains("admin@idp"))
    #expect(!octets.contains("Signature"))
  }

  @Test("The signature that failed is explained alone, not beside one that is valid")
  func oneOfTwo() throws {
    let token = try ClaimsTool.run(
      ["mint", "saml20", "--wrap", "response", "--sign", "both"] + MintTests.common + MintTests.key
    ).output
    #expect(try explain(token).contains("accepted:"))
    let value = try #require(token.range(of: "SignatureValue>")).upperBound
    var changed = token
    changed.replaceSubrange(value...value, with: token[value] == "A" ? "B" : "A")
    let text = try explain(changed)
    #expect(text.contains("[signature.invalid]"))
    #expect(!text.contains("suspect"))
  }

  @Test("For a time both clocks are shown to the millisecond, and the difference")
  func time() throws {
    let outcome = try ClaimsTool.run(
      ["explain"] + CommandLineTests.saml.dropLast() + ["2030-01-01T12:06:00.001Z"]
        + ["saml20/response-assertion-signed.xml"])
    #expect(outcome.output.contains("before 2030-01-01T12:05:00.000Z + 60 s"))
    #expect(outcome.output.contains("2030-01-01T12:06:00.001Z, expired 1 minute ago"))
  }

  @Test("For a key every candidate is listed with its dates and why it was skipped")
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

  @Test("A certificate in the token is named beside the configured keys")
  func shown() throws {
    let token = try ClaimsTool.run(["mint", "saml20"] + MintTests.common + MintTests.key).output
    let text = { (key: String) in
      try ClaimsTool.run(
        [
          "explain", "--key", key, "--audience", "https://rp.example/other", "--at",
          "2030-01-01T12:00:00Z",
        ], input: Array(token.utf8)
      ).output
    }
    #expect(try text("keys/other-rsa.crt").contains("shows the certificate of another key"))
    #expect(try !text("keys/idp-rsa.crt").contains("another key"))
  }

  @Test("For an encrypted token its recipient's certificate and the configured keys are listed")
  func recipients() throws {
    let mint = ["mint", "saml20", "--encrypt-to", "keys/rp-rsa.crt"]
    let token = try ClaimsTool.run(mint + MintTests.common + MintTests.key).output
    let without = try explain(token)
    #expect(without.contains("encrypted to the keys of these certificates:"))
    #expect(without.contains("decryption keys that are configured:\n    none"))
    let other = try explain(token, ["--decrypt-key", "keys/other-rsa.key"])
    #expect(other.contains("decryption keys that are configured:\n    RSA-2048, sha256:"))
    let right = try explain(token, ["--decrypt-key", "keys/rp-rsa.key"])
    #expect(!right.contains("these certificates"))
  }

  @Test("Names that differ in a slash or in case alone are distinguished for a person")
  func nearMisses() throws {
    for (audience, suspect) in [
      ("https://rp.example/saml/", "a / at the end"), ("https://RP.example/saml", "lower case"),
    ] {
      let text = try ClaimsTool.run([
        "explain", "--key", "keys/idp-rsa.crt", "--audience", audience, "--at",
        "2030-01-01T12:00:00Z", "saml20/style-entra.xml",
      ]).output
      #expect(text.contains("[audience.mismatch]"))
      #expect(text.contains(suspect))
    }
    #expect(try !explain(compact).contains("suspect"))
  }
}
