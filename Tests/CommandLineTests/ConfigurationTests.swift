import Foundation
import TestSupport
import Testing

@Suite("Configured keys and names")
struct ConfigurationTests {
  static let token = "saml20/response-assertion-signed.xml"

  static func text(_ key: String) -> String {
    String(decoding: TestVector.bytes("keys/\(key)"), as: UTF8.self)
  }

  @Test(
    "An empty name is wrong usage",
    arguments: ["--audience", "--issuer", "--recipient", "--in-response-to", "--claims-prefix"])
  func emptyNames(option: String) throws {
    let keys = ["--key", "keys/idp-rsa.crt"]
    for verb in ["verify", "explain"] where verb == "verify" || option != "--claims-prefix" {
      let outcome = try ClaimsTool.run([verb] + keys + [option, "", Self.token])
      #expect(outcome.status == 2, "\(verb)")
      #expect(outcome.talk.contains("\(option) must not be empty"))
      #expect(outcome.output.isEmpty)
      #expect(try ClaimsTool.run([verb] + keys + [option, "x", Self.token]).status == 1)
    }
  }

  @Test(
    "An empty name in a trust file is named with its line",
    arguments: [
      #"{"audiences": ["a",\n ""], "issuers": []}"#,
      #"{"issuers": [{"name": "x", "keys": ["KEY"],\n "claimsPrefix": [""]}]}"#,
    ])
  func emptyNamesOfTrustFile(text: String) throws {
    let key = TestVector.folder.appending(path: "keys/idp-rsa.crt").path()
    let text = text.replacing("\\n", with: "\n").replacing("KEY", with: key)
    for (text, isSound) in [(text, false), (text.replacing("\"\"", with: "\"b\""), true)] {
      let file = try TemporaryFile(text)
      defer { file.remove() }
      let outcome = try ClaimsTool.run(["trust", "check", file.url.path()])
      let errors = outcome.records.first?["errors"] as? [[String: Any]] ?? []
      #expect(errors.map { $0["code"] as? String } == (isSound ? [] : ["policy.trust-file-value"]))
      if !isSound { #expect((errors.first?["node"] as? String)?.hasPrefix("line 2,") == true) }
    }
  }

  @Test("TRUST-4: a path with a NUL is refused, never cut there")
  func nulInPath() throws {
    let folder = TestVector.folder.appending(path: "keys").path()
    for (suffix, isSound) in [("", true), ("\\u0000.pem", false)] {
      for prefix in ["", "hmac-file:", "jwks:"] {
        let names = ["": "idp-rsa.crt", "hmac-file:": "acs.key", "jwks:": "jwks-ps256.json"]
        let name = names[prefix] ?? ""
        let file = try TemporaryFile(
          "{\"issuers\": [{\"name\": \"x\", \"keys\": [\"\(prefix)\(folder)/\(name)\(suffix)\"]}]}")
        defer { file.remove() }
        let outcome = try ClaimsTool.run(["trust", "check", file.url.path()])
        #expect(outcome.status == (isSound ? 0 : 2), "\(prefix)")
      }
    }
  }

  @Test("TRUST-4: a secret in a file beyond its limit is an error, not a shorter secret")
  func longSecret() throws {
    for (size, isSound) in [(65_536, true), (65_537, false), (11 << 20, false)] {
      let file = try TemporaryFile(String(repeating: "!", count: size))
      defer { file.remove() }
      let outcome = try ClaimsTool.run([
        "verify", "--key", "hmac-file:\(file.url.path())", "--allow-any-audience", "swt/tv-2.txt",
      ])
      #expect(outcome.status == (isSound ? 1 : 2), "\(size)")
      if !isSound { #expect(outcome.talk.contains("key.unreadable")) }
    }
  }

  @Test("TRUST-4: a file with several keys or certificates is refused, with their number")
  func severalKeys() throws {
    let certificate = Self.text("idp-rsa.crt")
    let others = [
      certificate, Self.text("other-rsa.crt"), Self.text("idp-rsa.key"), Self.text("idp-rsa.pub"),
      Self.text("other-rsa.crt").replacing("CERTIFICATE-----\n", with: "CERTIFICATE----- \n"),
    ]
    for other in others {
      for text in [certificate + other, other + certificate] {
        let file = try TemporaryFile(text)
        defer { file.remove() }
        let outcome = try ClaimsTool.run(["verify", "--key", file.url.path(), Self.token])
        #expect(outcome.status == 2)
        #expect(outcome.talk.contains("key.several"))
        #expect(outcome.talk.contains("2 blocks"))
      }
    }
    let commented = try TemporaryFile("Certificate:\n  Data: -----BEGIN\n" + certificate)
    defer { commented.remove() }
    #expect(
      try ClaimsTool.run(["verify", "--key", commented.url.path(), Self.token]).status == 1)
  }

  @Test("A private key may have its certificate beside it, but no second private key")
  func severalPrivateKeys() throws {
    let document = "encryption/assertion-aes128-gcm.xml"
    let own = Self.text("rp-rsa.key")
    for (text, status) in [
      (own, 0), (own + Self.text("rp-rsa.crt"), 0), (Self.text("rp-rsa.crt") + own, 0),
      (own + Self.text("other-rsa.key"), 2), (Self.text("other-rsa.key") + own, 2),
    ] {
      let file = try TemporaryFile(text)
      defer { file.remove() }
      let outcome = try ClaimsTool.run(["xml", "decrypt", "--key", file.url.path(), document])
      #expect(outcome.status == Int32(status))
      #expect(outcome.talk.contains("key.several") == (status == 2))
    }
  }
}
