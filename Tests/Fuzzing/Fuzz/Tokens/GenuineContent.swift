import Federation
import TestSupport

/// What issuers signed: the facts and claims of every vector that is accepted unchanged.
struct GenuineContent: Sendable {
  private struct Content: Hashable {
    var facts: TokenFacts
    var claims: ClaimSet
  }

  private var contents: Set<Content> = []

  init(_ vectors: [TestVector], _ worlds: [World]) {
    for vector in vectors {
      if vector.accepts, let verified = try? vector.report(on: vector.token).get() {
        insert(verified)
      }
      for world in worlds {
        for octets in [vector.token, Self.said(by: vector)].compactMap({ $0 }) {
          guard let token = try? AnyToken(reading: octets),
            let verified = try? TokenValidator(world.trust).validate(
              token, at: world.now, expecting: world.expectations)
          else { continue }
          insert(verified)
        }
      }
    }
  }

  /// A token of an issuer that the vector does not trust, but a world may, without the enclosing
  /// message of another issuer.
  private static func said(by vector: TestVector) -> [UInt8]? {
    guard vector.code == TokenError.Code.issuerUntrusted.rawValue else { return nil }
    let text = String(decoding: vector.token, as: UTF8.self)
    return Array(
      text.replacing(/<saml:Issuer>[^<]*<\/saml:Issuer>/, with: "", maxReplacements: 1).utf8)
  }

  func contains(_ verified: Verified<AnyToken>) -> Bool {
    contents.contains(Content(facts: verified.facts, claims: verified.claims))
  }

  private mutating func insert(_ verified: Verified<AnyToken>) {
    contents.insert(Content(facts: verified.facts, claims: verified.claims))
  }
}
