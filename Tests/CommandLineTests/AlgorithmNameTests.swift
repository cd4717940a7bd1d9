import Foundation
import TestSupport
import Testing

@Suite("Names of algorithms on the command line and in a trust file")
struct AlgorithmNameTests {
  static let now = ["--at", "2030-01-01T12:00:00Z"]

  @Test(
    "An algorithm may have its name in JOSE wherever one is named",
    arguments: ["rsa-sha512", "RS512", "http://www.w3.org/2001/04/xmldsig-more#rsa-sha512"])
  func everywhere(name: String) throws {
    for format in [["jwt"], ["saml20"]] {
      let key = format == ["jwt"] ? Array(MintTests.key.prefix(2)) : MintTests.key
      let minted = try ClaimsTool.run(
        ["mint"] + format + MintTests.common + key + ["--algorithm", name, "--id", "_a1"])
      #expect(minted.status == 0)
      let token = try TemporaryFile(minted.output)
      defer { token.remove() }
      let trust = try TemporaryFile(
        """
        {"audiences": ["https://rp.example/saml"], "issuers": [{"name": "https://idp.example/idp",
         "keys": ["KEY"], "formats": ["jwt", "saml20"], "algorithms": ["\(name)"]}]}
        """.replacing("KEY", with: TestVector.folder.appending(path: "keys/idp-rsa.crt").path()))
      defer { trust.remove() }
      let verified = try ClaimsTool.run(
        ["verify", "--trust", trust.url.path(), token.url.path()] + Self.now)
      #expect(verified.status == 0)
      let signer = verified.records.first?["signedBy"] as? [String: String]
      #expect(signer?["algorithm"] == "rsa-sha512")
    }
  }

  @Test("An algorithm that needs no exception may be allowed, to no effect")
  func needless() throws {
    for name in ["RS256", "rsa-sha256", "sha256"] {
      let outcome = try ClaimsTool.run(
        ["verify", "--key", "keys/idp-rsa.crt", "--audience", "https://rp.example/saml"] + Self.now
          + ["--allow-algorithm", name, "saml20/response-assertion-signed.xml"])
      #expect(outcome.status == 0)
      #expect(outcome.talk.isEmpty)
      let legacy = try ClaimsTool.run(
        ["verify", "--key", "keys/idp-rsa.crt", "--audience", "https://rp.example/saml"] + Self.now
          + ["--allow-algorithm", name, "saml20/sha1.xml"])
      #expect(legacy.code == "algorithm.legacy")
    }
  }

  @Test("An unknown name is an error that lists the accepted names")
  func unknown() throws {
    for arguments in [
      ["mint", "jwt"] + MintTests.common + MintTests.key.prefix(2) + ["--algorithm", "rs256"],
      ["verify", "--key", "keys/idp-rsa.crt", "--allow-algorithm", "rs256", "swt/tv-2.txt"],
    ] {
      let outcome = try ClaimsTool.run(Array(arguments))
      #expect(outcome.status == 2)
      #expect(outcome.talk.contains("policy.unknown-algorithm-name"))
      #expect(!outcome.talk.contains("to allow"))
      #expect(outcome.talk.contains("rs256") && outcome.talk.contains("RS256"))
    }
  }
}
