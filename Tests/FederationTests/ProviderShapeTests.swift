import Federation
import SAML
import SecurityKeys
import TestSupport
import Testing

@Suite("Deviations of real providers that are accepted, and their warnings")
struct ProviderShapeTests {
  static func warnings(_ id: String) throws -> [String] {
    let vector = try #require(TestVector.all.first { $0.id == id }, "\(id)")
    return try vector.report(on: vector.token).get().warnings
  }

  @Test(
    "A signature in another place than the schema's is a warning",
    arguments: TestVector.all.filter {
      $0.accepts && $0.id.contains("/place-") && ["saml11", "saml20"].contains($0.format)
    })
  func otherPlace(vector: TestVector) throws {
    let warnings = try vector.report(on: vector.token).get().warnings
    #expect(warnings.count == (vector.id.contains("both") ? 2 : 1))
    #expect(warnings.allSatisfy { $0.hasPrefix("signature: the Signature of ") })
  }

  @Test(
    "A signature in the schema's place is no warning",
    arguments: [
      "saml20/response-both-signed", "saml20/response-without-issuer", "saml20/assertion-alone",
      "saml11/response-both-signed", "saml11/assertion-alone", "saml11/rstr",
      "saml20/whole-response", "saml20/comments-transform-exclusive", "encryption/both-signed",
    ])
  func ownPlace(id: String) throws {
    #expect(try Self.warnings(id).isEmpty)
  }

  @Test("Each use of an exception is a warning, and an algorithm includes its digest")
  func exceptions() throws {
    #expect(
      try Self.warnings("saml20/sha1-brought") == [
        "legacy: rsa-sha1 was allowed by name", "legacy: sha1 was allowed with rsa-sha1",
      ])
    #expect(
      try Self.warnings("saml20/sha1-allowed") == [
        "legacy: rsa-sha1 was allowed by name", "legacy: sha1 was allowed by name",
      ])
    #expect(
      try Self.warnings("saml20/ecdsa-asn1-allowed") == ["legacy: ecdsa-asn1 was allowed by name"])
    #expect(try Self.warnings("saml20/ecdsa-asn1-flat").isEmpty)
  }

  @Test("The exception for ECDSA in XML allows nothing in a JWT")
  func neverInJWT() throws {
    let vector = try #require(TestVector.all.first { $0.id == "jwt/jwt-26-der" })
    var trust = try vector.trust()
    for issuer in trust.issuers.indices {
      for key in trust.issuers[issuer].keys.indices {
        trust.issuers[issuer].keys[key].exceptions = Set(LegacyException.all)
      }
    }
    let token = try AnyToken(reading: vector.token)
    let now = try Instant(dateTime: vector.at ?? "")
    #expect(throws: TokenError(.signatureInvalid)) {
      try TokenValidator(trust).validate(token, at: now)
    }
  }

  @Test("Signed metadata reports which token services are not trusted and why")
  func uncoveredTypes() throws {
    func warnings(_ name: String) throws -> [String] {
      let key = TrustedKey(try VerificationKey(pemOrDER: TestVector.bytes("keys/idp-rsa.crt")))
      return try SignedMetadata(
        verifying: TestVector.bytes("metadata/\(name).xml"), keys: [key],
        at: Instant(dateTime: "2030-01-01T12:00:00Z")
      ).warnings
    }
    for name in ["type-uncovered", "type-uncovered-beside", "type-children"] {
      let found = try warnings(name)
      #expect(found.count == 1)
      #expect(found.first?.hasPrefix("role: ") ?? false)
    }
    for name in ["type-listed", "type-inclusive", "type-used", "signed"] {
      #expect(try warnings(name).isEmpty)
    }
    #expect(try warnings("signed-last").count == 1)
  }
}
