import Foundation
import TestSupport
import Testing

@Suite("claims metadata")
struct MetadataCommandTests {
  static let at = ["--at", "2030-01-01T12:00:00Z"]

  @Test("show prints an object an entity, with the days that its keys have left")
  func show() throws {
    let outcome = try ClaimsTool.run(["metadata", "show", "metadata/group.xml"] + Self.at)
    #expect(outcome.status == 0)
    #expect(
      outcome.records.map { $0["entityID"] as? String }
        == ["https://idp.example/idp", "https://other.example/idp"])
    let keys = outcome.records.first?["keys"] as? [[String: Any]]
    #expect(keys?.first?["use"] as? String == "signing")
    #expect(keys?.first?["kind"] as? String == "RSA-2048")
    #expect(keys?.first?["notAfter"] as? String == "2120-01-01T00:00:00Z")
    #expect(keys?.first?["daysLeft"] as? Int == 32_870)
  }

  @Test(
    "Days are whole and count down to the end",
    arguments: [
      ("2119-12-31T00:00:00Z", 1), ("2119-12-31T00:00:01Z", 0), ("2120-01-01T00:00:00Z", 0),
      ("2120-01-01T00:00:01Z", -1), ("2120-01-02T00:00:01Z", -2),
    ])
  func days(at: String, days: Int) throws {
    let outcome = try ClaimsTool.run(["metadata", "show", "metadata/entity.xml", "--at", at])
    let keys = outcome.records.first?["keys"] as? [[String: Any]]
    #expect(keys?.first?["daysLeft"] as? Int == days)
  }

  @Test("One entity is looked up; one that does not exist is reported missing")
  func lookUp() throws {
    let found = try ClaimsTool.run([
      "metadata", "show", "--entity", "https://other.example/idp", "metadata/group.xml",
    ])
    #expect(found.status == 0)
    #expect(found.records.count == 1)
    let missing = try ClaimsTool.run([
      "metadata", "show", "--entity", "https://OTHER.example/idp", "metadata/group.xml",
    ])
    #expect(missing.status == 1)
    #expect(missing.code == "policy.metadata-entity-unknown")
  }

  @Test("Entities are counted")
  func count() throws {
    let outcome = try ClaimsTool.run(
      ["metadata", "show", "--count", "-"],
      input: TestVector.bytes("metadata/group.xml"))
    #expect(outcome.records.first?["entities"] as? Int == 2)
    #expect(outcome.records.first?["identityProviders"] as? Int == 2)
  }

  @Test("With a key, only what it signed is shown")
  func signed() throws {
    let show = ["metadata", "show", "--key", "keys/idp-rsa.crt"]
    #expect(try ClaimsTool.run(show + ["metadata/signed.xml"]).status == 0)
    let unsigned = try ClaimsTool.run(show + ["metadata/entity.xml"])
    #expect(unsigned.status == 1)
    #expect(unsigned.code == "signature.missing")
    #expect(
      try ClaimsTool.run(show + ["metadata/tampered.xml"]).code == "signature.digest-mismatch")
  }

  @Test("Exit codes: 3 for a file that is not there, 2 for a key that is not")
  func exits() throws {
    #expect(try ClaimsTool.run(["metadata", "show", "absent.xml"]).status == 3)
    #expect(try ClaimsTool.run(["metadata", "lint", "absent.xml"]).status == 3)
    #expect(
      try ClaimsTool.run(["metadata", "show", "--key", "absent", "metadata/entity.xml"]).status == 2
    )
  }

  @Test("lint prints a finding a line, and ends with 1 for an error alone")
  func lint() throws {
    let sound = try ClaimsTool.run(["metadata", "lint", "metadata/signed.xml"] + Self.at)
    #expect(sound.status == 0)
    #expect(sound.records.allSatisfy { $0["severity"] as? String != "error" })
    let broken = try ClaimsTool.run(["metadata", "lint", "metadata/use-encryption.xml"] + Self.at)
    #expect(broken.status == 1)
    let finding = broken.records.first { $0["rule"] as? String == "META-L34" }
    #expect(finding?["where"] as? String == "/EntityDescriptor/IDPSSODescriptor")
    #expect(finding?["entityID"] as? String == "https://idp.example/idp")
    #expect(finding?["advice"] as? String != nil)
    let unreadable = try ClaimsTool.run(["metadata", "lint", "metadata/doctype.xml"])
    #expect(unreadable.status == 1)
    #expect(unreadable.records.last?["rule"] as? String == "META-L01")
  }

  @Test(
    "KEY-13 trust check refuses a modulus that is a prime",
    arguments: [("attacks/keys/prime-modulus.der", true), ("keys/idp-rsa.pub", false)])
  func fullTrustCheck(key: String, isPrime: Bool) throws {
    let path = TestVector.folder.path() + "/" + key
    let file = try TemporaryFile(
      #"{"audiences": ["urn:rp"], "issuers": [{"name": "urn:idp", "keys": ["\#(path)"]}]}"#)
    defer { file.remove() }
    let check = try ClaimsTool.run(["trust", "check", file.url.path()])
    #expect(check.status == (isPrime ? 2 : 0))
    #expect(check.output.contains("key.weak") == isPrime)
  }

  @Test(
    "KEY-13 lint finds a modulus that is a prime on request", arguments: [true, false])
  func fullLint(isPrime: Bool) throws {
    let metadata = try String(
      contentsOf: TestVector.folder.appending(path: "metadata/entity.xml"), encoding: .utf8)
    let place = try #require(
      metadata.range(
        of: "<ds:X509Certificate>[^<]*</ds:X509Certificate>", options: .regularExpression))
    var certificate = try #require(
      Data(
        base64Encoded: String(metadata[place].dropFirst(20).dropLast(21)),
        options: .ignoreUnknownCharacters))
    if isPrime {
      let prime = Data(TestVector.bytes("attacks/keys/prime-modulus.der"))
      certificate.replaceSubrange(
        try #require(Self.modulus(of: certificate)),
        with: prime[try #require(Self.modulus(of: prime))])
    }
    let file = try TemporaryFile(
      metadata.replacingCharacters(
        in: place,
        with: "<ds:X509Certificate>\(certificate.base64EncodedString())</ds:X509Certificate>"))
    defer { file.remove() }
    let arguments = ["metadata", "lint", file.url.path()] + Self.at
    #expect(!(try ClaimsTool.run(arguments).output.contains("key.weak")))
    let full = try ClaimsTool.run(arguments + ["--full-key-check"])
    #expect(full.output.contains("key.weak") == isPrime)
  }

  /// The range of a 2048-bit modulus in DER: after the head of an INTEGER of 257 octets.
  private static func modulus(of der: Data) -> Range<Int>? {
    der.range(of: Data([0x02, 0x82, 0x01, 0x01, 0x00])).map { $0.upperBound..<$0.upperBound + 256 }
  }

  @Test("Of several files each finding of lint says in which it is, in each format")
  func several() throws {
    let (good, bad) = ("metadata/signed.xml", "metadata/use-encryption.xml")
    func run(_ more: [String]) throws -> ClaimsTool.Outcome {
      try ClaimsTool.run(["metadata", "lint"] + more + Self.at)
    }
    let alone = try run([bad])
    #expect(alone.records.allSatisfy { $0["file"] == nil })
    let both = try run([good, bad])
    #expect(both.status == 1 && both.output.hasPrefix("{\"file\":"))
    #expect(Set(both.records.compactMap { $0["file"] as? String }) == [good, bad])
    #expect(
      both.records.count { $0["file"] as? String == bad } == alone.records.count)
    #expect(try run([good, good]).status == 0)
    #expect(try run([good, "absent.xml"]).status == 3)
    let text = try run(["--format", "text", good, bad]).output
    #expect(text.contains("  at     \(bad): https://idp.example/idp "), "\(text)")
    #expect(text.contains("\n\(good): 0 errors") || text.hasPrefix("\(good): 0 errors"), "\(text)")
    let sarif = try run(["--format", "sarif", good, bad])
    #expect(sarif.records.count == 1 && sarif.output.contains("\"uri\":\"\(good)\""))
    #expect(sarif.output.contains("\"uri\":\"\(bad)\""))
  }

  @Test("lint writes one SARIF 2.1.0 document")
  func sarif() throws {
    let outcome = try ClaimsTool.run(
      ["metadata", "lint", "--format", "sarif", "metadata/use-encryption.xml"] + Self.at)
    #expect(outcome.status == 1)
    #expect(outcome.records.count == 1)
    let document = try #require(outcome.records.first)
    #expect(document["version"] as? String == "2.1.0")
    let run = try #require((document["runs"] as? [[String: Any]])?.first)
    let results = try #require(run["results"] as? [[String: Any]])
    let driver = (run["tool"] as? [String: Any])?["driver"] as? [String: Any]
    let rules = (driver?["rules"] as? [[String: Any]])?.compactMap { $0["id"] as? String } ?? []
    #expect(rules.count >= 30)
    #expect(
      results.contains {
        $0["ruleId"] as? String == "META-L34" && $0["level"] as? String == "error"
      })
    #expect(results.allSatisfy { rules.contains($0["ruleId"] as? String ?? "") })
  }
}
