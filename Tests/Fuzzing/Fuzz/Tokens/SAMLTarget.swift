import Federation
import SAML
import TestSupport
import XMLOracle

/// SAML responses and assertions of both versions. Only the issuers of the vectors can sign, so
/// accepted content must be what one of them signed.
struct SAMLTarget: FuzzTarget {
  private let properties: TokenProperties
  private let older: TokenProperties
  private let genuine: GenuineContent
  private let vectors: [TestVector]

  init() {
    vectors = TestVector.of("saml20", "saml11").filter { $0.token.count < 12_000 }
    let expected = Expectations(recipient: "https://rp.example/acs", inResponseTo: "_q1")
    properties = TokenProperties(
      World.of(vectors.filter { $0.format == "saml20" }, at: "2030-01-01T12:00:00Z", expected))
    older = TokenProperties(
      World.of(vectors.filter { $0.format == "saml11" }, at: "2030-01-01T12:00:00Z", Expectations())
    )
    genuine = GenuineContent(vectors, [properties.world, older.world])
  }

  var seeds: [(name: String, octets: [UInt8])] { vectors.map { ($0.id, $0.token) } }

  func mutate(_ octets: [UInt8], _ random: inout SplitMix64) -> [UInt8]? {
    XMLMutator.mutate(octets, &random)
  }

  func cross(_ first: [UInt8], _ second: [UInt8], _ random: inout SplitMix64) -> [UInt8]? {
    XMLMutator.cross(first, second, &random)
  }

  func exercise(_ octets: [UInt8]) {
    let isOlder = octets.contains("SAML:1.0:assertion")
    let chosen = isOlder ? older : properties
    guard let (token, verified) = chosen.check(octets) else { return }
    require(genuine.contains(verified), "accepted ⇒ an issuer said exactly this")
    SignedOctets.check(token, verified, chosen.world)
  }
}

extension [UInt8] {
  func contains(_ text: StaticString) -> Bool {
    let text = Array<UInt8>(text.description.utf8)
    guard count >= text.count else { return false }
    return (0...count - text.count).contains {
      self[$0] == text[0] && self[$0..<$0 + text.count].elementsEqual(text)
    }
  }
}
