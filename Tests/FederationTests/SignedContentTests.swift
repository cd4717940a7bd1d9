import Federation
import SAML
import TestSupport
import Testing
import XMLTree

@Suite("Claims come from what was digested")
struct SignedContentTests {
  @Test(
    "The octets that were digested, parsed again, give the same claims",
    arguments: TestVector.of("saml20", "saml11").filter { $0.accepts && $0.decryptKeys.isEmpty })
  func reparsed(vector: TestVector) throws {
    // A fresh parse of the canonical assertion must give the claims of the verified one.
    let verified = try vector.report(on: vector.token).get()
    guard case .saml(let token) = verified.token else { return }
    let octets = try #require(token.digestedOctets)
    let again = try SAMLToken(parsing: octets)
    #expect(again.unverifiedClaims == verified.claims)
    #expect(again.unverifiedFacts == verified.facts)
  }
}

@Suite("No signed byte can be changed")
struct ByteFlipTests {
  static let vectors = TestVector.all.filter {
    [
      "saml20/response-assertion-signed", "saml20/response-response-signed",
      "saml20/response-both-signed", "saml20/response-assertion-ecdsa-p256",
      "saml11/response-assertion-signed", "saml11/rstr", "swt/tv-1", "swt/tv-2", "swt/tv-3",
      "jwt/pyjwt-rs256", "jwt/pyjwt-es256", "jwt/tv-8",
    ].contains($0.id)
  }

  @Test("A changed byte is refused, or nothing that is read changed", arguments: vectors)
  func flips(vector: TestVector) throws {
    let trust = try vector.trust()
    let now = try Instant(dateTime: vector.at ?? "")
    let expected = Expectations(recipient: vector.recipient, inResponseTo: vector.inResponseTo)
    let validator = TokenValidator<AnyToken>(trust)
    let genuine = try validator.validate(
      AnyToken(reading: vector.token, as: vector.pin), at: now, expecting: expected)
    var accepted = 0
    for index in vector.token.indices {
      for mask: UInt8 in [0x01, 0x20, 0x80] {
        var changed = vector.token
        changed[index] ^= mask
        guard
          let verified = try? validator.validate(
            AnyToken(reading: changed, as: vector.pin), at: now, expecting: expected)
        else { continue }
        accepted += 1
        #expect(verified.claims == genuine.claims, "byte \(index) of \(vector.id)")
        #expect(verified.facts == genuine.facts, "byte \(index) of \(vector.id)")
      }
    }
    // Only unsigned parts may change: a KeyInfo, white space, an unsigned Response.
    #expect(accepted < vector.token.count * 2)
    if vector.format == "swt" { #expect(accepted <= 4, "escapes of the MAC in the other case") }
  }
}
