import Foundation
import Octets
import SecurityKeys
import TestSupport
import Testing
import TokenBasics
import XMLSecurity
import XMLTree

@Suite("The signature of an element, by another program")
struct SignedElementTests {
  private static let vector = "saml20/assertion-alone.xml"

  private static func verify(
    _ changes: [(String, String)] = [], id: String = "_a", place: SignaturePlace = .first,
    whole: WholeDocument = .refused, key: String = "keys/idp-rsa.crt"
  ) throws -> SignedElement {
    var text = String(decoding: TestVector.bytes(vector), as: UTF8.self)
    for (old, new) in changes {
      try #require(text.contains(old))
      text = text.replacingOccurrences(of: old, with: new)
    }
    let element = try Document(parsing: Array(text.utf8)).root
    let signature = try #require(try SignedElement.signature(of: element))
    var scratch = OctetWriter()
    return try SignedElement.verify(
      element, signature, id: Array(id.utf8)[...], place: place, wholeDocument: whole,
      keys: KeyRing([TrustedKey(try VerificationKey(pemOrDER: TestVector.bytes(key)))]),
      at: try Instant(dateTime: "2030-01-01T12:00:00Z"), limits: Limits(), scratch: &scratch)
  }

  @Test("What is read is what was digested: the element without its signature")
  func verified() throws {
    let signed = try Self.verify(
      place: .behind(ExpandedName("Issuer", in: "urn:oasis:names:tc:SAML:2.0:assertion")))
    #expect(signed.match.algorithm == .rsaSHA256)
    #expect(signed.match.warnings.isEmpty)
    #expect(try signed.element.children().allSatisfy { $0.localName != "Signature" })
    #expect(try signed.element.children().count == 5)
  }

  @Test("A changed octet is refused")
  func digest() {
    #expect(throws: TokenError(.digestMismatch)) { try Self.verify([("alice@idp", "alicf@idp")]) }
  }

  @Test("A changed SignedInfo is refused")
  func value() {
    #expect(throws: TokenError(.signatureInvalid)) {
      try Self.verify([("QCbAIswXlLpz", "QCbAIswXlLpy")])
    }
  }

  @Test("Another key is refused")
  func key() {
    #expect(throws: TokenError(.signatureInvalid)) { try Self.verify(key: "keys/other-rsa.crt") }
  }

  @Test("A reference to another identifier is refused")
  func reference() {
    #expect(throws: TokenError(.referenceURI)) { try Self.verify(id: "_b") }
  }

  @Test("A second signature is refused before either is verified")
  func repeated() throws {
    let text = String(decoding: TestVector.bytes(Self.vector), as: UTF8.self)
    let start = try #require(text.range(of: "<ds:Signature "))
    let end = try #require(text.range(of: "</ds:Signature>"))
    let signature = text[start.lowerBound..<end.upperBound]
    let doubled = text.replacingOccurrences(of: signature, with: signature + signature)
    let element = try Document(parsing: Array(doubled.utf8)).root
    #expect(throws: TokenError(.signatureRepeated)) { try SignedElement.signature(of: element) }
  }

  @Test("A signature in another place than the schema's is verified, with a warning")
  func place() throws {
    #expect(try Self.verify(place: .last).match.warnings.count == 1)
  }
}
