import Federation
import Foundation
import SecurityKeys
import TestSupport
import Testing
import XMLTree

/// Entries of the catalogue that concern more than one token.
@Suite("Attacks on more than one token")
struct AttackRuleTests {
  static func vector(_ name: String) throws -> TestVector {
    try #require(TestVector.attacks.first { $0.id == "attacks/" + name })
  }

  static func code(_ name: String, _ trust: Trust) throws -> String? {
    let vector = try vector(name)
    let report = TokenValidator(trust).report(
      on: try AnyToken(reading: vector.token), at: try Instant(dateTime: vector.at ?? ""),
      expecting: Expectations(recipient: vector.recipient, inResponseTo: vector.inResponseTo))
    guard case .failure(let error) = report.result else { return nil }
    return error.code.rawValue
  }

  @Test("DSIG-26 A failed result offers no claims")
  func noFailureIsRead() throws {
    let trust = try Self.vector("b1").trust()
    #expect(try Self.code("b1", trust) == nil)
    for name in ["key-1-b1", "xsw-3-new-first", "dsig-1-b1", "cry-1-zero"] {
      let vector = try Self.vector(name)
      let validator = TokenValidator<AnyToken>(trust)
      let expected = Expectations(recipient: vector.recipient, inResponseTo: vector.inResponseTo)
      let now = try Instant(dateTime: vector.at ?? "")
      #expect(throws: TokenError.self) {
        try validator.validate(AnyToken(reading: vector.token), at: now, expecting: expected)
      }
    }
  }

  @Test("DSIG-27 Trust without a key refuses everything, signed or not")
  func emptyTrust() throws {
    let genuine = try Self.vector("b1").trust()
    var none = genuine
    none.issuers = []
    var keyless = genuine
    keyless.issuers[0].keys = []
    var otherFormat = genuine
    otherFormat.issuers[0].formats = [.jwt]
    for trust in [none, keyless, otherFormat] {
      #expect(try Self.code("b1", trust) == "key.none")
      #expect(try Self.code("key-1-b1", trust) == "key.none")
      #expect(try Self.code("dsig-1-b1", trust) == "signature.missing")
    }
    // A file that is no certificate is an error when configured, never an empty list of keys.
    for path in ["manifest.jsonl", "keys/idp-rsa.key", "attacks/b1.xml"] {
      #expect(throws: TokenError(.unreadableKey)) {
        try KeySpecification.keys(path, files: VectorFiles())
      }
    }
    for name in ["metadata/use-encryption", "metadata/certificate-empty"] {
      let vector = try #require(TestVector.all.first { $0.id == name })
      #expect(vector.code == "policy.metadata-no-key")
    }
  }

  @Test(
    "DSIG-29 A verified document proves nothing about another one with the same identifiers")
  func nothingIsRemembered() throws {
    let trust = try Self.vector("b1").trust()
    for _ in 0..<2 {
      #expect(try Self.code("b1", trust) == nil)
      #expect(try Self.code("xsw-13-digest-value-extensions", trust) == "signature.digest-mismatch")
      #expect(try Self.code("dsig-13-value-zeros", trust) == "signature.invalid")
    }
  }

  @Test("CRY-14 A failure leaves no state that affects the next token")
  func errorQueue() throws {
    let failures = TestVector.attacks.filter {
      ($0.id.hasPrefix("attacks/cry-") || $0.id.hasPrefix("attacks/key-")) && !$0.accepts
    }
    #expect(failures.count > 50)
    let genuine = try ["b1", "cry-5-p256-genuine", "b8"].map(Self.vector)
    for (index, failure) in failures.enumerated() {
      try AttackVectorTests.check(failure)
      try AttackVectorTests.check(genuine[index % genuine.count])
    }
  }

  @Test("DOS-25 No hashing is predictable by an attacker")
  func hashing() throws {
    let root = TestVector.packageRoot
    for path in ["Package.swift", "README.md", "CHANGELOG.md"] {
      let text = try String(contentsOf: root.appending(path: path), encoding: .utf8)
      #expect(!text.contains("DETERMINISTIC_HASHING"), "\(path)")
    }
  }

  @Test("DOS-26, SW-19 The deepest documents are read on a small stack")
  func smallStack() async throws {
    let names = ["dos-2-100", "dos-2-101", "dos-2-thousands", "dos-17-deep", "dos-27-issued-7"]
    let vectors = try names.map(Self.vector)
    let failures = await withCheckedContinuation { continuation in
      let thread = Thread {
        var failures: [String] = []
        for vector in vectors {
          let code = Result { try vector.report(on: vector.token).get() }
          switch code {
          case .success: if !vector.accepts { failures.append(vector.id) }
          case .failure(let error):
            if (error as? TokenError)?.code.rawValue != vector.code { failures.append(vector.id) }
          }
        }
        continuation.resume(returning: failures)
      }
      thread.stackSize = 512 << 10
      thread.start()
    }
    #expect(failures == [])
  }

  @Test("SW-1 Names that differ in nothing but their composition are two attributes")
  func noFalseWarning() throws {
    for name in ["cmt-13-kelvin", "cmt-13-composed"] {
      let vector = try Self.vector(name)
      #expect(try vector.report(on: vector.token).get().warnings == [])
    }
  }

  @Test("SW-18 Every reader handles an empty buffer")
  func emptyBuffers() {
    #expect(throws: TokenError(.emptyInput)) { try AnyToken(reading: []) }
    for format in [PinnedFormat.swt, .saml20, .saml11, .jwt, .rstr] {
      #expect(throws: TokenError(.emptyInput)) { try AnyToken(reading: [], as: format) }
    }
    #expect(throws: TokenError.self) { try Document(parsing: []) }
    #expect(throws: TokenError.self) { try SAMLToken(parsing: []) }
    #expect(throws: TokenError.self) { try SimpleWebToken(parsing: []) }
    #expect(throws: TokenError.self) { try JSONWebToken(parsing: []) }
    #expect(throws: TokenError.self) { try JSONWebKeySet(parsing: []) }
    #expect(throws: TokenError.self) { try VerificationKey(pemOrDER: []) }
  }

  @Test("RP-22 A verified token does not change with its buffer or trust")
  func immutable() throws {
    let vector = try Self.vector("b1")
    var octets = vector.token
    var trust = try vector.trust()
    let token = try AnyToken(reading: octets)
    let report = TokenValidator(trust).report(
      on: token, at: try Instant(dateTime: vector.at ?? ""),
      expecting: Expectations(recipient: vector.recipient, inResponseTo: vector.inResponseTo))
    let verified = try report.get()
    let before = verified.claims.grouped.map(\.values)
    for index in octets.indices { octets[index] = 0 }
    trust.issuers = []
    #expect(verified.claims.grouped.map(\.values) == before)
    #expect(verified.facts.subject == vector.subject)
  }

  @Test("RP-9, DOS-23 An error shows little of a token, and no secret")
  func quietErrors() throws {
    let secret = String(decoding: TestVector.bytes("keys/acs.key").dropLast(), as: UTF8.self)
    for vector in TestVector.attacks
    where !vector.accepts
      && (vector.attacks.contains("DOS-23") || vector.keys.contains("hmac-file:keys/acs.key"))
    {
      do {
        _ = try vector.report(on: vector.token).get()
      } catch {
        let text = "\(error)"
        // A failure of the identity provider is reported with a longer excerpt.
        let most = (error as? TokenError)?.code == .responseStatus ? 512 : 64
        #expect(!text.contains(secret), "\(vector.id)")
        #expect(!text.contains(String(repeating: "x", count: most + 1)), "\(vector.id)")
      }
    }
  }

  @Test("Every vector has one verdict on every thread")
  func threads() async throws {
    let vectors = TestVector.attacks.enumerated().filter { $0.offset % 20 == 0 }.map(\.element)
    let verdicts = await withTaskGroup(of: [String].self) { group in
      for _ in 0..<4 {
        group.addTask {
          vectors.map { vector in
            switch Result(catching: { try vector.report(on: vector.token).get() }) {
            case .success: "accepted"
            case .failure(let error): (error as? TokenError)?.code.rawValue ?? "?"
            }
          }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(Set(verdicts).count == 1)
  }
}
