import Federation
import SAML
import TestSupport
import Testing

@Suite("Certificates of an entity")
struct EntityCertificateTests {
  @Test("A repeated text is the same certificate")
  func same() {
    var certificates = EntityCertificates()
    #expect(certificates.certificate("MIIK") === certificates.certificate("MIIK"))
    #expect(certificates.certificate("MIIK") !== certificates.certificate("MIIL"))
  }

  @Test("A text of other octets is another certificate, though the strings are equal")
  func otherOctets() {
    let kelvin = "MII\u{212A}"
    #expect(kelvin == "MIIK")
    var certificates = EntityCertificates()
    #expect(certificates.certificate(kelvin) !== certificates.certificate("MIIK"))
  }

  @Test("Every role has the key of a certificate that several have")
  func severalRoles() throws {
    let text = certificateText()
    let descriptor = """
      <KeyDescriptor><d:KeyInfo xmlns:d="http://www.w3.org/2000/09/xmldsig#"><d:X509Data>
      <d:X509Certificate>\(text)</d:X509Certificate></d:X509Data></d:KeyInfo></KeyDescriptor>
      """
    let protocols = "protocolSupportEnumeration=\"urn:oasis:names:tc:SAML:2.0:protocol\""
    let document = """
      <EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="urn:x">
      <IDPSSODescriptor \(protocols)>\(descriptor)\(descriptor)</IDPSSODescriptor>
      <SPSSODescriptor \(protocols)>\(descriptor)</SPSSODescriptor></EntityDescriptor>
      """
    var reader = try MetadataReader()
    let entities = try reader.consume(Array(document.utf8)) + reader.finish()
    let keys = entities.flatMap(\.roles).flatMap(\.keys)
    #expect(keys.count == 3)
    let fingerprints = try keys.map { try $0.key().fingerprint }
    #expect(Set(fingerprints).count == 1)
  }

  @Test("A certificate that cannot be used throws each time")
  func refused() throws {
    var certificates = EntityCertificates()
    for text in ["", "?", "MIIK"] {
      let certificate = certificates.certificate(text)
      for _ in 0..<2 {
        #expect(throws: TokenError(.unreadableKey)) { try certificate.key() }
      }
    }
  }

  /// The base64 between the lines of a PEM file.
  private func certificateText() -> String {
    let pem = String(decoding: TestVector.bytes("keys/idp-rsa.crt"), as: UTF8.self)
    return pem.split(separator: "\n").filter { !$0.hasPrefix("-----") }.joined(separator: "\n")
  }
}
