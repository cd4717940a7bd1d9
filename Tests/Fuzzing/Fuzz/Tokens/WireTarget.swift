import Federation
import TestSupport
import XMLOracle

/// Every wire form: WS-Trust responses, envelopes, base64, DEFLATE, JSON.
struct WireTarget: FuzzTarget {
  private let vectors: [TestVector]
  private let properties: [TokenProperties]
  private let genuine: GenuineContent

  init() {
    vectors = TestVector.of("rstr", "saml20", "saml11").filter {
      $0.token.count < 12_000
        && ($0.format == "rstr" || $0.accepts || $0.token.first != UInt8(ascii: "<"))
    }
    let responses = vectors.filter { $0.format == "rstr" }
    // Its Simple Web Tokens are older than its assertions.
    properties = [
      TokenProperties(World.of(responses, at: "2029-12-31T23:55:00Z", Expectations())),
      TokenProperties(World.of(vectors, at: "2030-01-01T12:00:00Z", Expectations())),
    ]
    genuine = GenuineContent(vectors, properties.map(\.world))
  }

  var seeds: [(name: String, octets: [UInt8])] { vectors.map { ($0.id, $0.token) } }

  func mutate(_ octets: [UInt8], _ random: inout SplitMix64) -> [UInt8]? {
    WireMutator.mutate(octets, &random)
  }

  func cross(_ first: [UInt8], _ second: [UInt8], _ random: inout SplitMix64) -> [UInt8]? {
    guard first.first == UInt8(ascii: "<"), second.first == UInt8(ascii: "<") else { return nil }
    return XMLMutator.cross(first, second, &random)
  }

  func exercise(_ octets: [UInt8]) {
    // The bare format would need no envelope; the format is recognised.
    for properties in properties {
      guard let (token, verified) = properties.check(octets) else { continue }
      require(genuine.contains(verified), "accepted ⇒ an issuer said exactly this")
      SignedOctets.check(token, verified, properties.world)
    }
  }
}
