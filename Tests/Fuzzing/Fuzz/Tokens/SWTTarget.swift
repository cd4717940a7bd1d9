import Federation
import SecurityKeys
import TestSupport
import XMLOracle

/// Simple Web Tokens. The mutator has the secret, so accepted tokens are compared with a second,
/// simpler reader.
struct SWTTarget: FuzzTarget {
  private let properties: TokenProperties
  private let mutator: PairMutator
  private let key: SymmetricKey

  init() {
    let vectors = TestVector.of("swt").filter { $0.keys == ["hmac-file:keys/acs.key"] }
    properties = TokenProperties(
      World.of(vectors, at: "2029-12-31T23:55:00Z", Expectations()))
    guard
      case .secret(let key) = try? KeySpecification.key(
        "hmac-file:keys/acs.key", files: VectorFiles()
      ).material
    else { fail("no secret") }
    self.key = key
    mutator = PairMutator(key: key)
  }

  var seeds: [(name: String, octets: [UInt8])] {
    TestVector.of("swt").filter { $0.token.count < 4_096 }.map { ($0.id, $0.token) }
  }

  func mutate(_ octets: [UInt8], _ random: inout SplitMix64) -> [UInt8]? {
    mutator.mutate(octets, &random)
  }

  func exercise(_ octets: [UInt8]) {
    guard let (_, verified) = properties.check(octets, as: .swt) else { return }
    guard let model = PlainPairs(octets),
      let mac = key.authenticate(model.signed.span, with: .sha256)
    else { fail("accepted, and the second reading finds no token") }
    require(mac == model.mac, "accepted without its MAC")
    let facts = verified.facts
    require(Array(facts.issuer.utf8) == model[Self.issuer], "the issuer is the signed one")
    require(
      facts.audiences.map { Array($0.utf8) } == model[Self.audience].map { [$0] } ?? [],
      "the audience is the signed one")
    let expires = model[Self.expiry].flatMap { Int64(String(decoding: $0, as: UTF8.self)) }
    require(facts.expires?.seconds == expires, "the end is the signed one")
    let reserved = [Self.issuer, Self.audience, Self.expiry]
    let claims = model.pairs.filter { !reserved.contains($0.name) }.map { [$0.name, $0.value] }
    require(
      verified.claims.map { [Array($0.type.name.utf8), Array($0.value.utf8)] } == claims,
      "the claims are the signed ones")
  }

  private static let issuer = Array("Issuer".utf8)
  private static let audience = Array("Audience".utf8)
  private static let expiry = Array("ExpiresOn".utf8)
}
