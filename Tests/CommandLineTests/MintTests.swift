import Foundation
import TestSupport
import Testing

@Suite("claims mint")
struct MintTests {
  static let common = [
    "--issuer", "https://idp.example/idp", "--audience", "https://rp.example/saml", "--subject",
    "alice", "--claim", "http://x.example/role=user", "--claim", "http://x.example/name=a=b",
    "--claim", "http://x.example/role=admin", "--at", "2030-01-01T12:00:00Z",
  ]
  static let key = ["--signing-key", "keys/idp-rsa.key", "--certificate", "keys/idp-rsa.crt"]
  static let swt = [
    "mint", "swt", "--issuer", "https://talksns.accesscontrol.windows.net/", "--audience",
    "uri:talks.example.org", "--claim", "role=editor", "--at", "2029-12-31T23:50:00Z",
  ]

  @Test("mint swt gives TV-2 from its inputs, with a line end after it")
  func simpleWebToken() throws {
    for key in ["hmac-file:keys/acs.key", "hmac:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="] {
      let outcome = try ClaimsTool.run(Self.swt + ["--key", key, "--algorithm", "hmac-sha256"])
      #expect(outcome.status == 0)
      #expect(outcome.talk.isEmpty)
      let expected = String(decoding: TestVector.bytes("swt/tv-2.txt"), as: UTF8.self)
      #expect(outcome.output == expected.trimmingCharacters(in: .newlines) + "\n")
    }
  }

  @Test("mint jwt signs with ML-DSA, and verify accepts it by the key set", arguments: [65, 87])
  func moduleLattice(number: Int) throws {
    let token = try ClaimsTool.run(
      ["mint", "jwt"] + Self.common + ["--signing-key", "jwk:keys/idp-mldsa-\(number).jwk"])
    #expect(token.status == 0, "\(token.talk)")
    let verdict = try ClaimsTool.run(
      [
        "verify", "--key", "jwks:keys/jwks-mldsa.json", "--audience", "https://rp.example/saml",
        "--at",
        "2030-01-01T12:00:00Z",
      ], input: Array(token.output.utf8))
    let signer = verdict.records.first?["signedBy"] as? [String: Any]
    #expect(signer?["algorithm"] as? String == "ml-dsa-\(number)")
    let version = try ClaimsTool.run(["--version", "--json"])
    #expect(version.output.contains("\"ML-DSA-\(number)\""))
    #expect(!version.output.contains("ML-DSA-44"))
  }

  @Test(
    "verify accepts what mint writes, and the same arguments give the same bytes",
    arguments: [
      ["saml11"], ["saml20"], ["saml20", "--attribute-name-format", "none"],
      ["saml11", "--wrap", "rstr"], ["saml20", "--wrap", "rstr"],
      ["saml11", "--wrap", "response"], ["saml20", "--wrap", "response", "--sign", "response"],
      [
        "saml20", "--wrap", "response", "--sign", "both", "--recipient", "https://rp.example/acs",
        "--in-response-to", "_q1",
      ],
    ])
  func verified(arguments: [String]) throws {
    let mint = ["mint"] + arguments + Self.common + Self.key + ["--id", "_a1"]
    let token = try ClaimsTool.run(mint)
    #expect(token.status == 0)
    #expect(token.talk.isEmpty)
    #expect(token.output.hasSuffix(">\n"))
    #expect(try ClaimsTool.run(mint).output == token.output)
    let asked = arguments.contains("--recipient") ? Array(arguments.dropFirst(5)) : []
    let verdict = try ClaimsTool.run(
      ["verify", "--trust", "trust.json", "--at", "2030-01-01T12:09:59Z", "--skew", "0"] + asked,
      input: Array(token.output.utf8))
    #expect(verdict.status == 0)
    let record = try #require(verdict.records.first)
    #expect(record["subject"] as? String == "alice")
    #expect(record["tokenID"] as? String == "_a1")
    #expect(record["notBefore"] as? String == "2030-01-01T11:59:00Z")
    #expect(record["expires"] as? String == "2030-01-01T12:10:00Z")
    let claims = try #require(record["claims"] as? [String: [String]])
    #expect(claims["http://x.example/role"] == ["user", "admin"])
    #expect(claims["http://x.example/name"] == ["a=b"])
  }

  @Test(
    "verify reads what mint encrypts, only with the key",
    arguments: [
      (["saml20"], "rp-rsa"), (["saml11", "--wrap", "rstr"], "rp-rsa"),
      (["saml20", "--wrap", "rstr", "--encryption-algorithm", "aes128-cbc"], "rp-rsa"),
      (
        [
          "saml20", "--wrap", "response", "--sign", "both", "--recipient",
          "https://rp.example/acs", "--key-encryption", "rsa-oaep-sha256",
        ], "rp-rsa"
      ),
      (["saml20", "--wrap", "response", "--sign", "response"], "rp-ec256"),
    ])
  func encrypted(arguments: [String], keyName: String) throws {
    let mint =
      ["mint"] + arguments + Self.common + Self.key
      + ["--id", "_a1", "--encrypt-to", "keys/\(keyName).crt"]
    let token = try ClaimsTool.run(mint)
    #expect(token.status == 0)
    #expect(token.talk.isEmpty)
    #expect(token.output.contains("EncryptedData") && !token.output.contains("alice"))
    #expect(try ClaimsTool.run(mint).output != token.output)
    func verdict(_ words: [String]) throws -> ClaimsTool.Outcome {
      let delivery = arguments.contains("--recipient") ? arguments[5...6] : []
      return try ClaimsTool.run(
        ["verify", "--key", "keys/idp-rsa.crt", "--audience", "https://rp.example/saml", "--at"]
          + ["2030-01-01T12:00:00Z"] + delivery + words, input: Array(token.output.utf8))
    }
    let accepted = try verdict(["--decrypt-key", "keys/\(keyName).key"])
    #expect(accepted.status == 0)
    #expect(accepted.records.first?["subject"] as? String == "alice")
    let unread = try verdict([])
    #expect(unread.status == 1)
    #expect(unread.code == "encryption.no-key")
  }

  @Test("A value may begin with a dash, and hold anything but a control character")
  func dashes() throws {
    let values = ["-x", "--id", "=", "", "ä𝄞", "<a>&\"'"]
    let claims = values.enumerated().flatMap { ["--claim", "urn:t/\($0)=\($1)"] }
    for format in ["saml11", "saml20"] {
      let token = try ClaimsTool.run(
        ["mint", format] + Self.common.map { $0 == "alice" ? "-alice" : $0 } + Self.key + claims)
      let verdict = try ClaimsTool.run(
        ["verify", "--trust", "trust.json", "--at", "2030-01-01T12:00:00Z"],
        input: Array(token.output.utf8))
      let record = try #require(verdict.records.first)
      #expect(record["subject"] as? String == "-alice")
      let found = try #require(record["claims"] as? [String: [String]])
      #expect(values.indices.map { found["urn:t/\($0)"] } == values.map { [$0] })
    }
  }

  @Test("--not-before sets the beginning of validity, in the formats that have one")
  func notBefore() throws {
    let beginning = ["--not-before", "2030-01-01T11:30:00Z"]
    for format in ["saml11", "saml20", "jwt"] {
      let key = format == "jwt" ? Array(Self.key.prefix(2)) : Self.key
      let token = try ClaimsTool.run(["mint", format] + Self.common + key + beginning)
      let verdict = try ClaimsTool.run(
        ["verify", "--key", "keys/idp-rsa.crt", "--audience", "https://rp.example/saml", "--at"]
          + ["2030-01-01T11:30:00Z"], input: Array(token.output.utf8))
      // Not yet issued at that time, which another check detects.
      #expect(verdict.code == "time.issued-in-future")
      let later = try ClaimsTool.run(
        ["verify", "--key", "keys/idp-rsa.crt", "--audience", "https://rp.example/saml", "--at"]
          + ["2030-01-01T12:00:00Z"], input: Array(token.output.utf8))
      #expect(later.records.first?["notBefore"] as? String == "2030-01-01T11:30:00Z")
    }
    let malformed = try ClaimsTool.run(
      ["mint", "saml20", "--not-before", "soon"] + Self.common + Self.key)
    #expect(malformed.status == 2)
    #expect(malformed.talk.contains("--not-before"))
    let swt = try ClaimsTool.run(Self.swt + ["--key", "hmac-file:keys/acs.key"] + beginning)
    #expect(swt.status == 2)
  }

  @Test("A session and the format of attribute names can be set in SAML 2.0")
  func sessionAndNames() throws {
    let mint = ["mint", "saml20"] + Self.common + Self.key + ["--id", "_a1"]
    #expect(try ClaimsTool.run(mint).output.contains(" SessionIndex=\"_a1-session\""))
    #expect(
      try ClaimsTool.run(mint + ["--session-index", "s7"]).output.contains(" SessionIndex=\"s7\""))
    let prefix = " NameFormat=\"urn:oasis:names:tc:SAML:2.0:attrname-format:"
    for (word, shown) in [
      ("uri", prefix + "uri\""), ("basic", prefix + "basic\""),
      ("unspecified", prefix + "unspecified\""), ("urn:x", " NameFormat=\"urn:x\""),
    ] {
      let written = try ClaimsTool.run(mint + ["--attribute-name-format", word]).output
      #expect(written.ranges(of: "NameFormat=").count == 2)
      #expect(written.contains(shown))
    }
    let none = try ClaimsTool.run(mint + ["--attribute-name-format", "none"]).output
    #expect(!none.contains("NameFormat"))
    #expect(try ClaimsTool.run(mint + ["--attribute-name-format", "word"]).status == 2)
  }

  @Test("--sign applies to a response of SAML 1.1, which is signed twice without it")
  func signedParts() throws {
    let mint = ["mint", "saml11", "--wrap", "response"] + Self.common + Self.key
    for (words, count) in [([], 2), (["--sign", "assertion"], 1), (["--sign", "response"], 1)] {
      let written = try ClaimsTool.run(mint + words).output
      #expect(written.ranges(of: "<ds:Signature ").count == count)
    }
  }

  @Test("Without --id every token has another one")
  func unpredictable() throws {
    let mint = ["mint", "saml20"] + Self.common + Self.key
    let first = try ClaimsTool.run(mint)
    let second = try ClaimsTool.run(mint)
    #expect(first.status == 0)
    #expect(first.output != second.output)
    #expect(first.output.contains(/\sID="_[0-9a-f]{40}"/))
  }

  @Test(
    "A token that cannot be issued is wrong usage: exit code 2, the code on standard error, no output",
    arguments: [
      (["swt", "--key", "keys/idp-rsa.crt"], "key.unreadable"),
      (["swt", "--key", "hmac-file:keys/acs.key", "--algorithm", "hmac-sha1"], "hmac-sha256"),
      (["swt", "--key", "hmac:AAAA"], "key.hmac-length"),
      (["swt", "--key", "hmac-file:keys/acs.key", "--audience", "b"], "policy.mint-audiences"),
      (["swt", "--key", "hmac-file:keys/acs.key", "--claim", "Issuer=x"], "policy.mint-reserved"),
      (["swt", "--key", "hmac-file:keys/acs.key", "--claim", "novalue"], "TYPE=VALUE"),
      (["saml11", "--claim", "role=x"] + Self.key, "policy.mint-claim-type"),
      (["saml11", "--recipient", "urn:r"] + Self.key, "policy.mint-delivery"),
      (["saml20", "--id", "1"] + Self.key, "policy.mint-identifier"),
      (["saml20", "--lifetime", "0"] + Self.key, "policy.mint-lifetime"),
      (["saml20", "--sign", "both"] + Self.key, "--wrap response"),
      (["saml20", "--algorithm", "rsa-sha1"] + Self.key, "policy.mint-algorithm"),
      (["saml20", "--algorithm", "none"] + Self.key, "policy.unknown-algorithm-name"),
      (
        ["saml20", "--signing-key", "keys/idp-rsa.key", "--certificate", "keys/other-rsa.crt"],
        "policy.mint-certificate"
      ),
      (["saml20", "--encryption-algorithm", "aes128-gcm"] + Self.key, "need --encrypt-to"),
      (["saml11", "--encrypt-to", "keys/rp-rsa.crt"] + Self.key, "policy.mint-encryption-place"),
      (
        ["saml11", "--wrap", "response", "--encrypt-to", "keys/rp-rsa.crt"] + Self.key,
        "policy.mint-encryption-place"
      ),
      (
        ["saml20", "--encryption-algorithm", "3des", "--encrypt-to", "keys/rp-rsa.crt"] + Self.key,
        "policy.mint-encryption-algorithm"
      ),
      (
        ["saml20", "--encryption-algorithm", "x", "--encrypt-to", "keys/rp-rsa.crt"] + Self.key,
        "policy.unknown-algorithm-name"
      ),
      (
        ["saml20", "--key-encryption", "rsa-1_5", "--encrypt-to", "keys/rp-rsa.crt"] + Self.key,
        "policy.unknown-algorithm-name"
      ),
      (["saml20", "--encrypt-to", "keys/weak-rsa1024.crt"] + Self.key, "key.weak"),
      (["saml20", "--encrypt-to", "keys/idp-rsa.pub"] + Self.key, "keys/idp-rsa.pub"),
      (["saml20", "--signing-key", "keys/idp-rsa.crt"], "key.unreadable"),
      (["saml20", "--signing-key", "keys/absent.key"], "keys/absent.key"),
    ])
  func refused(arguments: [String], talk: String) throws {
    let outcome = try ClaimsTool.run(["mint"] + arguments + Self.common)
    #expect(outcome.status == 2)
    #expect(outcome.output.isEmpty)
    #expect(outcome.talk.hasPrefix("claims: error: "))
    #expect(outcome.talk.contains(talk))
    #expect(!outcome.talk.contains("AAECAwQF"))
  }

  @Test("mint metadata publishes two certificates, signed by the key of either")
  func metadata() throws {
    let mint = [
      "mint", "metadata", "--issuer", "https://idp.example/idp", "--certificate",
      "keys/idp-rsa.crt", "--certificate", "keys/other-rsa.crt", "--sign-on",
      "https://idp.example/sso", "--id", "_m",
    ]
    for name in ["idp-rsa", "other-rsa"] {
      let written = try ClaimsTool.run(mint + ["--signing-key", "keys/\(name).key"])
      #expect(written.status == 0)
      let file = try TemporaryFile(written.output)
      defer { file.remove() }
      let verdict = try ClaimsTool.run(
        ["xml", "verify", "--key", "keys/\(name).crt", file.url.path()])
      #expect(verdict.status == 0)
    }
    let unsigned = try ClaimsTool.run(mint)
    #expect(unsigned.status == 0)
    #expect(!unsigned.output.contains("SignatureValue"))
    let other = try ClaimsTool.run(mint + ["--signing-key", "keys/rp-rsa.key"])
    #expect(other.status == 2)
    #expect(other.talk.contains("policy.mint-certificate"))
  }

  @Test(
    "mint --count writes lines that verify --lines accepts, each about a subject of its own",
    arguments: ["jwt", "saml11", "saml20"])
  func count(format: String) throws {
    let key = format == "jwt" ? Array(Self.key.prefix(2)) : Self.key
    let minted = try ClaimsTool.run(
      [
        "mint", format, "--count", "3", "--issuer", "https://idp.example/idp", "--audience",
        "urn:a",
        "--subject", "user-{n}", "--at", "2030-01-01T12:00:00Z",
      ] + key)
    #expect(minted.status == 0, "\(minted.talk)")
    let verdict = try ClaimsTool.run(
      [
        "verify", "--lines", "--key", "keys/idp-rsa.crt", "--audience", "urn:a", "--at",
        "2030-01-01T12:00:00Z",
      ], input: Array(minted.output.utf8))
    #expect(verdict.status == 0, "\(verdict.talk)")
    #expect(
      verdict.records.map { $0["subject"] as? String } == ["user-1", "user-2", "user-3"])
  }

  @Test("mint --count refuses an identifier, and a number that is none")
  func wrongCount() throws {
    let common = ["mint", "jwt"] + Self.common + Self.key.prefix(2)
    #expect(try ClaimsTool.run(common + ["--count", "2", "--id", "_a"]).status == 2)
    #expect(try ClaimsTool.run(common + ["--count", "0"]).status == 2)
    #expect(try ClaimsTool.run(common + ["--count", "2"]).status == 0)
  }

  @Test(
    "With --short-names a role has one name, whatever type the token has it under",
    arguments: [
      "role", "roles", "http://schemas.microsoft.com/ws/2008/06/identity/claims/role",
    ])
  func shortNames(type: String) throws {
    let minted = try ClaimsTool.run(
      [
        "mint", "jwt", "--issuer", "https://idp.example/idp", "--audience", "urn:a", "--claim",
        "\(type)=staff", "--claim", "urn:other=1",
      ] + Self.key.prefix(2))
    let record = try #require(
      ClaimsTool.run(["decode", "--short-names"], input: Array(minted.output.utf8)).records.first)
    let claims = try #require(record["claims"] as? [String: [String]])
    #expect(claims["roles"] == ["staff"])
    #expect(claims["urn:other"] == ["1"])
  }
}
