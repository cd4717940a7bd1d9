import Federation
import SecurityKeys
import TestSupport
import Testing
import XMLSecurity
import XMLTree

@Suite("Publishing an issuer's keys")
struct MetadataMintingTests {
  func certificate(_ name: String) throws -> Certificate {
    try #require(try Minted.key(name, .rsaSHA256).certificate)
  }

  func metadata(_ names: [String]) throws -> IdentityProviderMetadata {
    IdentityProviderMetadata(
      entityID: "https://idp.example/idp?a&b", certificates: try names.map(certificate),
      signOn: "https://idp.example/sso?x=1&y=2",
      validUntil: try Instant(dateTime: "2030-01-08T12:00:00Z"))
  }

  @Test("The current and the next certificate are there, in order, and nothing else is claimed")
  func content() throws {
    let octets = try metadata(["idp-rsa", "other-rsa"]).document(id: "_m")
    let root = try Document(parsing: octets).root
    #expect(root.attribute(ExpandedName("entityID")) == "https://idp.example/idp?a&b")
    #expect(root.attribute(ExpandedName("validUntil")) == "2030-01-08T12:00:00.000Z")
    let certificates = try root.descendants { $0.localName == "X509Certificate" }.map {
      try VerificationKey(
        pemOrDER: Array("-----BEGIN CERTIFICATE-----\n\($0.text())\n-----END CERTIFICATE-----".utf8)
      )
    }
    let expected = try ["idp-rsa", "other-rsa"].map {
      VerificationKey.certificate(try certificate($0)).fingerprint
    }
    #expect(certificates.map(\.fingerprint) == expected)
    let service = root.descendants { $0.localName == "SingleSignOnService" }.first
    #expect(service?.attribute(ExpandedName("Location")) == "https://idp.example/sso?x=1&y=2")
  }

  @Test("Signed metadata verifies, with the signature first, and is the same every time")
  func signed() throws {
    let metadata = try self.metadata(["idp-rsa", "other-rsa"])
    let key = try Minted.key("idp-rsa", .rsaSHA256)
    let octets = try metadata.document(id: "_m", signedWith: key)
    #expect(try octets == metadata.document(id: "_m", signedWith: key))
    let document = try Document(parsing: octets)
    #expect(try document.root.children().first?.localName == "Signature")
    let ring = KeyRing([TrustedKey(.certificate(try certificate("idp-rsa")))])
    let verified = try DocumentSignatures.verify(
      document, identifiers: IdentifierIndex(document), keys: ring,
      at: Minted.draft.issuedAt, limits: Limits())
    #expect(verified.count == 1)
  }

  @Test("Metadata without a certificate, or with a broken name, is an error")
  func refused() throws {
    #expect(throws: TokenError(.mintEmpty)) { try self.metadata([]).document() }
    var metadata = try self.metadata(["idp-rsa"])
    #expect(throws: TokenError(.mintIdentifier)) { try metadata.document(id: "1") }
    metadata.entityID = "a\n"
    #expect(throws: TokenError(.mintCharacter)) { try metadata.document() }
    metadata.entityID = ""
    #expect(throws: TokenError(.mintEmpty)) { try metadata.document() }
  }
}
