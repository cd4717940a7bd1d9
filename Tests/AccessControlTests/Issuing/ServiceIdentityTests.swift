import IdentityProviderTesting
import TestSupport
import Testing
import TokenBasics
@testable import AccessControl

@Suite("Service identities")
struct ServiceIdentityTests {
  private let fixture: NamespaceFixture
  private let now = Instant(secondsSinceEpoch: 1_893_455_400)

  init() throws { fixture = try NamespaceFixture() }

  @Test(
    "A service identity signs in by its password or key, by a Simple Web Token or by an assertion")
  func identities() throws {
    let namespace = fixture.namespace
    #expect(try namespace.identity("uploader", password: "open sesame").name == "uploader")
    let key = Base64.encode(fixture.identitySecret)
    #expect(try namespace.identity("uploader", password: key).name == "uploader")
    for (name, password) in [
      ("uploader", "open sesam"), ("uploader", ""), ("Uploader", "open sesame"), ("", ""),
      ("keyless", ""), ("keyless", key), ("keyless", "open sesame"),
    ] {
      #expect(
        refusalCode { _ = try namespace.identity(name, password: password) } == .issuingCredentials)
    }
    let party = try namespace.relyingParty("http://bus.example/")
    let token = try namespace.issue(
      for: namespace.identity("uploader", password: key), to: party, at: now)
    let text = String(decoding: token.octets, as: UTF8.self)
    #expect(text.hasPrefix("net.windows.servicebus.action=Send&"))
    #expect(text.contains("identityprovider=https%3a%2f%2fns.example%2f&Audience="))
  }

  @Test("An assertion about a service identity holds for it alone, here and now")
  func assertions() throws {
    let namespace = fixture.namespace
    func asserted(_ pairs: String, key: [UInt8]? = nil) throws -> SimpleWebToken {
      try SimpleWebToken(parsing: fixture.macced(pairs, key ?? fixture.identitySecret))
    }
    let audience = "Audience=https%3a%2f%2fns.example%2f"
    let end = "Issuer=uploader&ExpiresOn=\(now.seconds + 60)"
    for pairs in [end, end + "&" + audience] {
      #expect(
        try namespace.identity(assertedBy: asserted(pairs), at: now).identity.name == "uploader")
    }
    #expect(
      refusalCode { _ = try namespace.identity(assertedBy: asserted("Issuer=uploader"), at: now) }
        == .noExpiry)
    #expect(
      refusalCode {
        _ = try namespace.identity(
          assertedBy: asserted("Issuer=uploader&ExpiresOn=\(now.seconds + 86_401)"), at: now)
      } == .issuingAssertion)
    let other = [UInt8](repeating: 9, count: 32)
    #expect(
      refusalCode {
        _ = try namespace.identity(assertedBy: asserted(end, key: other), at: now)
      }
        == .macMismatch)
    #expect(
      refusalCode { _ = try namespace.identity(assertedBy: asserted("Issuer=keyless"), at: now) }
        == .issuerUntrusted)
    #expect(
      refusalCode {
        _ = try namespace.identity(
          assertedBy: asserted(end + "&Audience=urn%3aother"), at: now)
      } == .audienceMismatch)
    #expect(
      refusalCode {
        _ = try namespace.identity(
          assertedBy: asserted("Issuer=uploader&ExpiresOn=\(now.seconds - 61)"), at: now)
      } == .expired)
    let draft = TokenDraft(
      issuer: "keyless", audiences: ["https://ns.example/"], subject: "keyless", issuedAt: now)
    for version in [SAMLToken.Version.v1, .v2] {
      let assertion = try SAMLIssuer(version, key: fixture.identityKey).assertion(draft)
      let read = try SAMLToken(parsing: assertion)
      #expect(try namespace.identity(assertedBy: read, at: now).identity.name == "keyless")
      var other = draft
      other.subject = "uploader"
      let stolen = try SAMLIssuer(version, key: fixture.identityKey).assertion(other)
      #expect(
        refusalCode { _ = try namespace.identity(assertedBy: SAMLToken(parsing: stolen), at: now) }
          == .issuingAssertion)
      let stranger = try SAMLIssuer(version, key: fixture.signing).assertion(draft)
      #expect(
        refusalCode {
          _ = try namespace.identity(assertedBy: SAMLToken(parsing: stranger), at: now)
        } != nil)
    }
  }

  @Test("An assertion that names who may receive it is for one of the addresses of the endpoint")
  func recipients() throws {
    let addresses = ["https://ns.example/v2/one", "https://ns.example/v2/two"]
    let draft = TokenDraft(
      issuer: "keyless", audiences: ["https://ns.example/"], subject: "keyless", issuedAt: now)
    func read(_ recipient: String?) throws {
      let assertion = try SAMLIssuer(.v2, key: fixture.identityKey).assertion(
        draft, delivery: SAMLDelivery(recipient: recipient))
      _ = try fixture.namespace.identity(
        assertedBy: SAMLToken(parsing: assertion), addresses: addresses, at: now)
    }
    for address in addresses { try read(address) }
    try read(nil)
    #expect(refusalCode { try read("https://other.example/") } == .recipientMismatch)
  }
}
