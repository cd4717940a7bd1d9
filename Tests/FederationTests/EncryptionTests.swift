import Federation
import SecurityKeys
import TestSupport
import Testing
import XMLSecurity
import XMLTree

/// The vectors of `TestVectors/encryption`, by the entry of the attack catalogue that they test.
@Suite("Encrypted tokens")
struct EncryptionTests {
  /// Every vector of an entry, including the look-alikes that must be accepted.
  static func check(_ attack: String, hasTwin: Bool = true) throws {
    let vectors = TestVector.all.filter {
      $0.id.hasPrefix("encryption/") && $0.attacks.contains(attack)
    }
    #expect(!vectors.isEmpty)
    #expect(vectors.contains(where: \.accepts) || !hasTwin)
    for vector in vectors {
      let result = Result { try vector.report(on: vector.token).get() }
      switch result {
      case .success:
        #expect(vector.accepts, "\(vector.id) is accepted")
      case .failure(let error):
        #expect((error as? TokenError)?.code.rawValue == vector.code, "\(vector.id): \(error)")
      }
    }
  }

  @Test("ENC-1 An encrypted assertion is not thereby authentic")
  func enc1() throws { try Self.check("ENC-1") }

  @Test("ENC-2 Ciphertext swapped under a signed response is detected before decrypting")
  func enc2() throws { try Self.check("ENC-2") }

  @Test("ENC-3 Wrapping with ciphertext, and inside it, is refused")
  func enc3() throws { try Self.check("ENC-3", hasTwin: false) }

  @Test("ENC-4 Identifiers inside and outside the plaintext never meet")
  func enc4() throws { try Self.check("ENC-4") }

  @Test("ENC-5 Odd plaintexts are refused, without revealing the cause")
  func enc5() throws { try Self.check("ENC-5", hasTwin: false) }

  @Test("ENC-6 CTX-3 Changed CBC ciphertext and a wrong signature inside look the same")
  func enc6() throws { try Self.check("ENC-6") }

  @Test("ENC-7 RSA 1.5 is refused unless allowed, and then shows no padding")
  func enc7() throws { try Self.check("ENC-7") }

  @Test("ENC-8 Relabelled algorithms open nothing")
  func enc8() throws { try Self.check("ENC-8", hasTwin: false) }

  @Test("ENC-9 A GCM tag or IV of another length is refused")
  func enc9() throws { try Self.check("ENC-9") }

  @Test("ENC-10 Only the last byte of CBC padding counts, and it must be possible")
  func enc10() throws { try Self.check("ENC-10") }

  @Test("ENC-11 Weak, unknown and missing algorithms are refused")
  func enc11() throws { try Self.check("ENC-11") }

  @Test("ENC-12 A content key of another length is refused")
  func enc12() throws { try Self.check("ENC-12", hasTwin: false) }

  @Test("ENC-13 Encrypted keys are inside or beside the data and nowhere else")
  func enc13() throws { try Self.check("ENC-13") }

  @Test("ENC-14 A CipherReference is refused and nothing is fetched")
  func enc14() throws { try Self.check("ENC-14", hasTwin: false) }

  @Test("ENC-15 Encrypted content is where its schema has it, and names are signed")
  func enc15() throws { try Self.check("ENC-15") }

  @Test("ENC-16 The audience and issuer inside count, whoever encrypted")
  func enc16() throws { try Self.check("ENC-16", hasTwin: false) }

  @Test("ENC-17 A wrapped key that was changed is refused")
  func enc17() throws { try Self.check("ENC-17") }

  @Test("ENC-18 ECDH-ES with a bad point, curve or derivation is refused")
  func enc18() throws { try Self.check("ENC-18") }

  @Test("ENC-19 OAEP parameters are those that are named")
  func enc19() throws { try Self.check("ENC-19") }

  @Test("ENC-20 A wrong key looks like any failure, an older one of a rollover decrypts")
  func enc20() throws { try Self.check("ENC-20") }

  @Test("ENC-21 Whatever needs no private key is checked before one is used")
  func enc21() throws { try Self.check("ENC-21") }

  @Test(
    "OK-4, OK-35, OK-37 Encryption of real issuers is accepted",
    arguments: ["OK-4", "OK-35", "OK-37"])
  func lookAlikes(entry: String) throws {
    try Self.check(entry)
  }

  @Test("Every failure caused by an outsider is the same value, with the same checks before it")
  func opaque() throws {
    let vectors = TestVector.all.filter {
      $0.id.hasPrefix("encryption/cbc-flip") || $0.id == "encryption/evil-cbc"
        || $0.id == "encryption/tampered-cbc" || $0.id == "encryption/unsigned-cbc"
        || $0.id == "encryption/cbc-padding-17"
    }
    #expect(vectors.count > 8)
    let seen = try vectors.map { vector in
      let report = try vector.report(on: vector.token)
      guard case .failure(let error) = report.result else { return "accepted" }
      let checks = report.checks.map { "\($0.name) \($0.outcome) \($0.found ?? "")" }
      return "\(error) \(checks) \(report.warnings)"
    }
    #expect(Set(seen).count == 1)
  }

  @Test("CBC and legacy algorithms are accepted with a warning")
  func warnings() throws {
    func warnings(_ id: String) throws -> [String] {
      let vector = try #require(TestVector.all.first { $0.id == "encryption/" + id })
      return try vector.report(on: vector.token).get().warnings
    }
    #expect(try warnings("assertion-aes128-gcm") == [])
    #expect(try warnings("assertion-aes128-cbc").contains { $0.contains("AES-GCM") })
    #expect(try warnings("rsa-1-5-allowed").contains("legacy: rsa-1_5 was allowed by name"))
    #expect(try warnings("assertion-tripledes-cbc").contains("legacy: 3des was allowed by name"))
  }

  @Test("A legacy algorithm must be allowed for the issuer that uses it")
  func perIssuer() throws {
    let vector = try #require(TestVector.all.first { $0.id == "encryption/rsa-1-5-allowed" })
    var trust = try vector.trust()
    let other = TrustedIssuer(
      .exactly("https://other.example/"), keys: trust.issuers[0].keys, formats: [.saml20])
    trust.issuers[0].keys[0].exceptions = []
    trust.issuers.append(other)
    let report = TokenValidator(trust).report(
      on: try AnyToken(reading: vector.token), at: try Instant(dateTime: vector.at ?? ""),
      expecting: Expectations(recipient: vector.recipient, inResponseTo: vector.inResponseTo))
    // The issuer is part of the plaintext, which CBC in an unsigned message hides.
    #expect(throws: TokenError(.decryptionFailed)) { try report.get() }
  }

  @Test("A changed byte of an encrypted token is refused, or nothing that is read changed")
  func flips() throws {
    let vector = try #require(
      TestVector.all.first { $0.id == "encryption/response-signed-aes128-gcm" })
    let validator = TokenValidator<AnyToken>(try vector.trust())
    let now = try Instant(dateTime: vector.at ?? "")
    let expected = Expectations(recipient: vector.recipient, inResponseTo: vector.inResponseTo)
    func verified(_ octets: [UInt8]) throws -> Verified<AnyToken> {
      try validator.validate(AnyToken(reading: octets), at: now, expecting: expected)
    }
    let genuine = try verified(vector.token)
    for index in stride(from: 0, to: vector.token.count, by: 3) {
      var changed = vector.token
      changed[index] ^= 0x01
      guard let accepted = try? verified(changed) else { continue }
      #expect(accepted.claims == genuine.claims, "byte \(index)")
    }
  }
}
