import Foundation
import TestSupport
import Testing

@Suite("Operands of the command")
struct OperandTests {
  static let jwt = "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJodHRwczovL2kifQ.c2lnbmF0dXJl"
  static let key = "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkq\n-----END PRIVATE KEY-----"

  @Test(
    "SVC-12: A secret where a file is meant is not on standard error",
    arguments: [
      ["decode", "@"], ["verify", "--key", "@", "swt/tv-2.txt"], ["verify", "--key", "jwks:@"],
      ["verify", "--key", "hmac-file:@"], ["verify", "--key=@"], ["verify", "--kye=@"],
      ["verify", "--trust", "@"], ["verify", "--metadata", "@"], ["decode", "--decrypt-key", "@"],
      ["verify", "--metadata", "@", "--metadata-key", "keys/idp-rsa.crt"],
      ["verify", "--key", "keys/idp-rsa.crt", "--lines", "@"], ["decode", "--format", "@"],
      ["verify", "--key", "keys/idp-rsa.crt", "--at", "@"], ["bench", "--seconds", "@"],
      ["verify", "--key", "keys/idp-rsa.crt", "--allow-algorithm", "@"], ["@"], ["verify", "--@"],
      ["trust", "check", "@"], ["metadata", "show", "@"], ["metadata", "lint", "@"],
      ["xml", "verify", "--key", "@", "@"], ["xml", "decrypt", "--key", "@", "@"],
      ["mint", "jwt", "--issuer", "i", "--audience", "a", "--signing-key", "@"],
      ["explain", "@"], ["mutate", "@"], ["mutate", "--key", "@", "swt/tv-2.txt"],
    ])
  func secrets(arguments: [String]) throws {
    for secret in [Self.jwt, Self.key, "c2VjcmV0MTIzNDU2Nzg5MDEy", "Audience=a&HMACSHA256=x"] {
      let outcome = try ClaimsTool.run(
        arguments.map { $0.replacingOccurrences(of: "@", with: secret) })
      #expect(outcome.status != 0)
      #expect(outcome.talk.hasPrefix("claims: error: "))
      #expect(!outcome.talk.contains(secret), "\(outcome.talk)")
      for part in ["MIIEv", "eyJpc3", "BEGIN"] { #expect(!outcome.talk.contains(part)) }
    }
  }

  @Test("SVC-12: A line feed in the name of a file begins no message")
  func lineFeed() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.path() + "/a\nclaims: error: forged"
    try Data("x".utf8).write(to: URL(filePath: path))
    for arguments in [
      ["verify", "--key", path], ["decode", path + "/x"], ["trust", "check", path],
    ] {
      let outcome = try ClaimsTool.run(arguments)
      let lines = outcome.talk.split(separator: "\n")
      #expect(lines.allSatisfy { !$0.hasPrefix("claims: error: forged") }, "\(outcome.talk)")
      #expect(lines.first?.hasPrefix("claims: error: ") == true)
    }
  }

  @Test("A missing file is told by its own code, not as a key that cannot be read")
  func missing() throws {
    for arguments in [["--trust", "absent.json"], ["--key", "absent.crt"]] {
      let outcome = try ClaimsTool.run(["verify"] + arguments + ["swt/tv-2.txt"])
      #expect(outcome.status == 2)
      #expect(outcome.talk.hasPrefix("claims: error: input.file: "))
      #expect(outcome.talk.contains("absent"))
      #expect(!outcome.talk.contains("PEM or DER"))
    }
  }

  @Test("An unknown option is named before what is missing without it")
  func unknownOption() throws {
    let outcome = try ClaimsTool.run(["verify", "--trsut", "trust.json", "swt/tv-2.txt"])
    #expect(outcome.status == 2)
    #expect(
      outcome.talk.hasPrefix("claims: error: unknown option --trsut; did you mean --trust?\n"))
    #expect(!outcome.talk.contains("nothing is trusted"))
    #expect(try ClaimsTool.run(["verify"]).talk.contains("nothing is trusted"))
    // Another verb has it.
    let mint = try ClaimsTool.run(["mint", "saml20", "--key", "idp.key"])
    #expect(mint.talk.hasPrefix("claims: error: unknown option --key\n"))
  }

  @Test("CTX-5: Several keys are not several issuers' in all pairs")
  func pairs() throws {
    let keys = ["--key", "keys/idp-rsa.crt", "--key", "keys/other-rsa.crt"]
    let issuers = ["--issuer", "https://a.example/", "--issuer", "https://b.example/"]
    let signers = ["--metadata-key", "keys/idp-rsa.crt", "--metadata-key", "keys/other-rsa.crt"]
    let metadata = ["--metadata", "a.xml", "--metadata", "b.xml"]
    for options in [keys + issuers, signers + metadata] {
      let outcome = try ClaimsTool.run(["verify"] + options + ["swt/tv-2.txt"])
      #expect(outcome.status == 2)
      #expect(outcome.talk.contains("policy.unpaired-keys"))
    }
    // A rollover, and one key of two names.
    for options in [keys + Array(issuers[..<2]), Array(keys[..<2]) + issuers] {
      let outcome = try ClaimsTool.run(
        ["verify"] + options
          + ["--allow-any-audience", "--at", "2030-01-01", "saml20/response-assertion-signed.xml"])
      #expect(outcome.status == 1)
      #expect(outcome.code == "issuer.untrusted")
    }
  }

  @Test("Without trust the content is shown, and that nothing was judged")
  func unjudged() throws {
    let outcome = try ClaimsTool.run(["explain", "swt/tv-1.txt"])
    #expect(outcome.status == 2)
    #expect(outcome.output.contains("  http://www.facebook.com/claims/AccessToken: AAAB1+x/y="))
    #expect(outcome.output.contains("\nnot judged: "))
    #expect(!outcome.output.contains("accepted"))
    #expect(outcome.talk.contains("nothing was judged"))
  }

  @Test("The clock is an instant, a date or seconds", arguments: ["2030-01-01", "1893456000"])
  func clock(at: String) throws {
    let outcome = try ClaimsTool.run(
      ["explain"] + CommandLineTests.saml.dropLast() + [at, "saml20/response-assertion-signed.xml"])
    #expect(outcome.output.contains("clock     2030-01-01T00:00:00.000Z"))
  }

  @Test("An old recording is answered with its age and the option for the clock")
  func recording() throws {
    let outcome = try ClaimsTool.run(
      ["verify"] + CommandLineTests.saml.dropLast()
        + ["2039-03-06T12:05:00Z", "saml20/response-assertion-signed.xml"])
    let error = outcome.records.first?["error"] as? [String: Any]
    #expect((error?["found"] as? String)?.hasSuffix("expired 9 years 64 days ago") == true)
    #expect((error?["hint"] as? String)?.contains("--at") == true)
  }
}
