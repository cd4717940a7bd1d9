import Foundation
import TestSupport
import Testing

@Suite("The claims command")
struct CommandLineTests {
  static let swt = [
    "--key", "hmac-file:keys/acs.key", "--audience", "uri:talks.example.org", "--at",
    "2029-12-31T23:55:00Z",
  ]
  static let saml = [
    "--key", "keys/idp-rsa.crt", "--issuer", "https://idp.example/idp", "--audience",
    "https://rp.example/saml", "--at", "2030-01-01T12:00:00Z",
  ]
  static let identityPrefix = "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/"

  @Test("A genuine token gives one line of JSON, nothing on standard error, and exit code 0")
  func accepts() throws {
    let outcome = try ClaimsTool.run(
      ["verify"] + Self.saml + ["saml20/response-assertion-signed.xml"])
    #expect(outcome.status == 0)
    #expect(outcome.talk.isEmpty)
    let record = try #require(outcome.records.first)
    #expect(record["valid"] as? Bool == true)
    #expect(record["format"] as? String == "saml20")
    #expect(record["issuer"] as? String == "https://idp.example/idp")
    #expect((record["signedBy"] as? [String: String])?["algorithm"] == "rsa-sha256")
    #expect(record["expires"] as? String == "2030-01-01T12:05:00Z")
    #expect(record["checks"] == nil)
  }

  @Test("Every key counts, however it is named, and one that cannot be read is wrong usage")
  func keys() throws {
    let rest = ["--at", "2030-01-01T12:00:00Z", "--allow-any-audience"]
    let token = "saml20/response-assertion-signed.xml"
    for keys in [
      ["--key=keys/idp-rsa.crt"], ["--key", "keys/evil-rsa.crt", "--key", "keys/idp-rsa.crt"],
      ["--key", "keys/idp-rsa.crt", "--key", "keys/evil-rsa.crt"],
    ] {
      #expect(try ClaimsTool.run(["verify"] + keys + rest + [token]).status == 0)
    }
    let outcome = try ClaimsTool.run(
      ["verify", "--key", "keys/idp-rsa.crt", "--key", "keys/absent.crt"] + rest + [token])
    #expect(outcome.status == 2)
    #expect(outcome.talk.contains("keys/absent.crt"))
    let weak = try ClaimsTool.run(["explain", "--key", "keys/bad-rsa512.pub"] + rest + [token])
    #expect(weak.status == 2)
    #expect(weak.talk.contains("key.weak"))
  }

  @Test("A rejected token gives its code, no claim, and exit code 1")
  func rejects() throws {
    let outcome = try ClaimsTool.run(["verify"] + Self.swt + ["swt/tv-5.txt"])
    #expect(outcome.status == 1)
    #expect(outcome.code == "time.expired")
    #expect(!outcome.output.contains("editor"))
    #expect(outcome.talk.isEmpty)
  }

  @Test("Several files are processed in order, one line each")
  func severalFiles() throws {
    let outcome = try ClaimsTool.run(
      ["verify"] + Self.swt + ["swt/tv-2.txt", "swt/tv-4.txt", "swt/tv-3.txt"])
    #expect(outcome.status == 1)
    #expect(outcome.records.map { $0["valid"] as? Bool } == [true, false, true])
  }

  @Test("Standard input is read where no file is named, and for a dash")
  func standardInput() throws {
    let token = TestVector.bytes("swt/tv-2.txt")
    for arguments in [[], ["-"]] {
      let outcome = try ClaimsTool.run(["verify"] + Self.swt + arguments, input: token)
      #expect(outcome.status == 0)
      #expect(outcome.records.count == 1)
    }
  }

  @Test("Decoding never claims to have verified, and shows everything")
  func decodes() throws {
    let outcome = try ClaimsTool.run(["decode", "swt/tv-1.txt"])
    #expect(outcome.status == 0)
    let record = try #require(outcome.records.first)
    #expect(record["verified"] as? Bool == false)
    let claims = try #require(record["claims"] as? [String: [String]])
    #expect(claims["http://www.facebook.com/claims/AccessToken"] == ["AAAB1+x/y="])
    #expect(claims.count == 6)
  }

  @Test("A prefix keeps a family of claims, stripped on demand")
  func projects() throws {
    let outcome = try ClaimsTool.run([
      "decode", "--claims-prefix", Self.identityPrefix, "--strip-prefix", "swt/tv-1.txt",
    ])
    let claims = try #require(outcome.records.first?["claims"] as? [String: [String]])
    #expect(
      claims == [
        "nameidentifier": ["100004711"], "name": ["Mia Müller"],
        "emailaddress": ["mia+news@example.org"],
      ])
  }

  @Test("With --explain every check is listed in order")
  func explains() throws {
    let outcome = try ClaimsTool.run(
      ["verify", "--explain"] + Self.saml + ["saml20/response-assertion-signed.xml"])
    let checks = try #require(outcome.records.first?["checks"] as? [[String: Any]])
    let names = checks.compactMap { $0["check"] as? String }
    #expect(names.first == "structure")
    for name in ["issuer", "signature", "digest", "status", "audience", "time", "confirmation"] {
      #expect(names.contains(name))
    }
    #expect(
      checks.allSatisfy { ["passed", "skipped"].contains($0["outcome"] as? String ?? "") })
  }

  @Test("A report for a person has the failure and the remedy")
  func explainsInWords() throws {
    let outcome = try ClaimsTool.run(["explain"] + Self.swt + ["swt/tv-5.txt"])
    #expect(outcome.status == 1)
    #expect(outcome.output.contains("time.expired"))
    #expect(outcome.output.contains("to do"))
    #expect(!outcome.output.contains("editor"))
  }

  @Test(
    "Wrong usage ends with 2",
    arguments: [
      ["verify", "swt/tv-2.txt"], ["verify", "--nonsense"], ["nonsense"],
      ["verify", "--key", "absent.pem", "swt/tv-2.txt"],
      ["verify", "--key", "manifest.jsonl", "swt/tv-2.txt"],
      ["verify", "--key", "hmac:!", "swt/tv-2.txt"], ["verify", "--trust", "absent.json"],
      ["verify", "--key", "keys/idp-rsa.crt", "--skew", "601", "swt/tv-2.txt"],
      ["verify", "--key", "keys/idp-rsa.crt", "--at", "yesterday", "swt/tv-2.txt"],
      ["verify", "--key", "keys/idp-rsa.crt", "--allow-algorithm", "rot13", "swt/tv-2.txt"],
      ["verify", "--key", "keys/idp-rsa.crt", "--trust", "x.json", "swt/tv-2.txt"],
      ["decode", "--strip-prefix", "swt/tv-2.txt"],
      [
        "decode", "--claims-prefix", "urn:a/", "--claims-prefix", "urn:b/", "--strip-prefix",
        "swt/tv-2.txt",
      ],
      ["decode", "--format", "pdf", "swt/tv-2.txt"],
    ])
  func wrongUsage(arguments: [String]) throws {
    let outcome = try ClaimsTool.run(arguments)
    #expect(outcome.status == 2)
    #expect(outcome.output.isEmpty)
    #expect(!outcome.talk.isEmpty)
  }

  @Test("An input that cannot be read ends with 3, after the others were processed")
  func unreadableInput() throws {
    let outcome = try ClaimsTool.run(
      ["verify"] + Self.swt + ["swt/absent.txt", "swt/tv-2.txt"])
    #expect(outcome.status == 3)
    #expect(outcome.records.count == 1)
    #expect(outcome.talk.contains("claims: error: cannot read swt/absent.txt"))
  }

  @Test("A pinned format refuses the others")
  func pins() throws {
    let outcome = try ClaimsTool.run(
      ["verify", "--format", "saml11"] + Self.saml + ["saml20/response-assertion-signed.xml"])
    #expect(outcome.code == "input.format-mismatch")
  }

  @Test("The version names every part")
  func version() throws {
    let outcome = try ClaimsTool.run(["--version"])
    #expect(outcome.status == 0)
    for part in ["claims", "Swift", "libxml2", "OpenSSL"] {
      #expect(outcome.output.contains(part))
    }
  }

  @Test("Canonicalization prints octets, and every signature of a document is verified")
  func xml() throws {
    let canonical = try ClaimsTool.run(
      ["xml", "canonicalize", "--method", "exc-c14n", "-"], input: Array("<a  b='1'/>".utf8))
    #expect(canonical.output == "<a b=\"1\"></a>")
    let verified = try ClaimsTool.run([
      "xml", "verify", "--key", "keys/idp-rsa.crt", "saml20/response-both-signed.xml",
    ])
    #expect(verified.status == 0)
    #expect((verified.records.first?["references"] as? [Any])?.count == 2)
    #expect(verified.records.first?["coversDocument"] as? Bool == true)
    let none = try ClaimsTool.run(
      ["xml", "verify", "--key", "keys/idp-rsa.crt", "-"], input: Array("<a/>".utf8))
    #expect(none.status == 1)
    #expect(none.code == "signature.missing")
  }

  @Test("A genuine assertion inside a message that anybody wrote is no signed document")
  func partlySigned() throws {
    let signed = try ClaimsTool.run([
      "xml", "verify", "--key", "keys/idp-rsa.crt", "saml20/response-assertion-signed.xml",
    ])
    #expect(signed.status == 1)
    #expect(signed.code == "signature.partial")
    #expect(signed.records.first?["valid"] as? Bool == false)
    #expect(signed.records.first?["coversDocument"] as? Bool == false)
    #expect((signed.records.first?["references"] as? [Any])?.count == 1)
    let asked = try ClaimsTool.run([
      "xml", "verify", "--allow-partial", "--key", "keys/idp-rsa.crt",
      "saml20/response-assertion-signed.xml",
    ])
    #expect(asked.status == 0)
    #expect(asked.records.first?["valid"] as? Bool == true)
    #expect(asked.records.first?["coversDocument"] as? Bool == false)
  }

  @Test("An encrypted token is verified with --decrypt-key and refused without")
  func decrypts() throws {
    let file = "encryption/assertion-aes128-gcm.xml"
    let key = ["--decrypt-key", "keys/rp-rsa.key"]
    let without = try ClaimsTool.run(["verify"] + Self.saml + [file])
    #expect(without.status == 1)
    #expect(without.code == "encryption.no-key")
    let older = ["--decrypt-key", "keys/other-rsa.key"]
    let verified = try ClaimsTool.run(["verify", "--explain"] + Self.saml + older + key + [file])
    #expect(verified.status == 0)
    let checks = verified.records.first?["checks"] as? [[String: String]] ?? []
    #expect(checks.contains { $0["check"] == "decryption" && $0["outcome"] == "passed" })
    let wrong = try ClaimsTool.run(["verify"] + Self.saml + older + [file])
    #expect(wrong.code == "encryption.failed")
    let decoded = try ClaimsTool.run(["decode"] + key + [file])
    #expect(decoded.status == 0)
    #expect(decoded.records.first?["verified"] as? Bool == false)
    #expect(decoded.output.contains("alice@idp.example"))
    let explained = try ClaimsTool.run(["explain"] + Self.saml + key + [file])
    #expect(explained.output.contains("decryption"))
    let unusable = try ClaimsTool.run(
      ["verify"] + Self.saml + ["--decrypt-key", "keys/idp-rsa.crt", file])
    #expect(unusable.status == 2)
    #expect(unusable.output.isEmpty)
  }

  @Test("xml decrypt prints the plaintext, and on failure nothing")
  func xmlDecrypt() throws {
    let file = "encryption/assertion-aes128-gcm.xml"
    let plain = try ClaimsTool.run(["xml", "decrypt", "--key", "keys/rp-rsa.key", file])
    #expect(plain.status == 0)
    #expect(plain.output.hasPrefix("<saml:Assertion "))
    #expect(plain.output.hasSuffix("</saml:Assertion>"))
    let wrong = try ClaimsTool.run(["xml", "decrypt", "--key", "keys/other-rsa.key", file])
    #expect(wrong.status == 1)
    #expect(wrong.output.isEmpty)
    #expect(wrong.talk.contains("claims: error: encryption.failed"))
    let unusable = try ClaimsTool.run(["xml", "decrypt", "--key", "keys/no-such.key", file])
    #expect(unusable.status == 2)
    let legacy = ["--key", "keys/rp-rsa.key", "encryption/rsa-1-5-allowed.xml"]
    #expect(try ClaimsTool.run(["xml", "decrypt"] + legacy).talk.contains("algorithm.legacy"))
    let allowed = try ClaimsTool.run(["xml", "decrypt", "--allow-algorithm", "rsa-1_5"] + legacy)
    #expect(allowed.status == 0)
  }

  @Test("RSA 1.5 with the wrong key never gives octets of another type than Type")
  func xmlDecryptWrongKey() throws {
    let text = String(decoding: TestVector.bytes("encryption/rsa-1-5-allowed.xml"), as: UTF8.self)
    let type = " Type=\"http://www.w3.org/2001/04/xmlenc#Element\""
    #expect(text.contains("#aes128-cbc") && text.contains(type))
    let content = type.replacing("#Element", with: "#Content")
    for variant in [text, text.replacing(type, with: ""), text.replacing(type, with: content)] {
      let file = try TemporaryFile(variant)
      defer { file.remove() }
      let words = ["xml", "decrypt", "--allow-algorithm", "rsa-1_5", file.url.path(), "--key"]
      #expect(try ClaimsTool.run(words + ["keys/rp-rsa.key"]).status == 0)
      // Without the check one in fifteen attempts gives garbage.
      for _ in 0..<20 {
        let wrong = try ClaimsTool.run(words + ["keys/other-rsa.key"])
        #expect(wrong.status == 1)
        #expect(wrong.output.isEmpty)
        #expect(wrong.talk.contains("claims: error: encryption.failed"))
      }
    }
  }

  @Test("A trust file names decryption keys, and a wrong one is an error with its line")
  func decryptionKeysOfTrustFile() throws {
    func trustFile(_ key: String) throws -> TemporaryFile {
      let folder = TestVector.folder.path()
      return try TemporaryFile(
        """
        {"audiences": ["https://rp.example/saml"],
         "decryptionKeys": ["\(folder)/keys/\(key)"],
         "issuers": [{"name": "https://idp.example/idp", "keys": ["\(folder)/keys/idp-rsa.crt"]}]}
        """)
    }
    let good = try trustFile("rp-rsa.key")
    defer { good.remove() }
    let verified = try ClaimsTool.run([
      "verify", "--trust", good.url.path(), "--at", "2030-01-01T12:00:00Z",
      "encryption/response-signed-aes256-gcm.xml",
    ])
    #expect(verified.status == 0)
    let bad = try trustFile("rp-rsa.crt")
    defer { bad.remove() }
    let checked = try ClaimsTool.run(["trust", "check", bad.url.path()])
    #expect(checked.status == 2)
    #expect(checked.talk.contains(":2:") && checked.talk.contains("decryptionKeys[0]"))
  }
}

@Suite("JSON Web Tokens at the command line")
struct JWTCommandTests {
  static let arguments = [
    "verify", "--issuer", "https://idp.example/idp", "--audience", "https://rp.example/saml",
    "--at", "2030-01-01T12:00:00Z",
  ]

  @Test("A secret is for JWT only where the format is pinned")
  func pinned() throws {
    let key = ["--key", "hmac-file:keys/hmac-64.key", "jwt/pyjwt-hs256.txt"]
    #expect(try ClaimsTool.run(Self.arguments + ["--format", "jwt"] + key).status == 0)
    #expect(try ClaimsTool.run(Self.arguments + key).code == "key.none")
  }

  @Test("A certificate and a key set are for JWT without further options")
  func keySets() throws {
    for key in ["keys/idp-rsa.crt", "jwks:keys/jwks.json"] {
      let outcome = try ClaimsTool.run(Self.arguments + ["--key", key, "jwt/jwks.txt"])
      #expect(outcome.status == 0)
      #expect(outcome.records.first?["format"] as? String == "jwt")
      #expect(outcome.records.first?["tokenID"] as? String == "t1")
    }
  }

  @Test("Credentials are masked on demand, and short names become URIs")
  func presentation() throws {
    let masked = try ClaimsTool.run(["decode", "--redact", "swt/tv-1.txt"])
    #expect(!masked.output.contains("AAAB1+x"))
    #expect(masked.output.contains("10 bytes, sha256 "))
    #expect(masked.output.contains("mia+news@example.org"))
    let named = try ClaimsTool.run(["decode", "--claim-uris", "jwt/tv-8.txt"])
    #expect(
      (named.records.first?["claims"] as? [String: [String]])?[
        "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/nameidentifier"] == ["100004711"])
  }
}

@Suite("Measurements")
struct BenchTests {
  @Test("Every measured token is accepted, and the bare costs are there")
  func runs() throws {
    let outcome = try ClaimsTool.run(["bench", "--seconds", "0.001"])
    #expect(outcome.status == 0)
    #expect(outcome.talk.isEmpty)
    let names = outcome.records.compactMap { $0["case"] as? String }
    for name in [
      "swt", "jwt RS256", "saml20 5 KB RSA", "saml20 140 KB EC", "mint swt", "mint jwt RS256",
      "mint saml20 RSA", "issuer among 15000", "bare SHA-256",
    ] {
      #expect(names.contains(name))
    }
    #expect(outcome.records.allSatisfy { ($0["microseconds"] as? Double ?? 0) > 0 })
  }
}
