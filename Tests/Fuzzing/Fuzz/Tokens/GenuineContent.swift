import Federation
import TestSupport

/// What issuers really said: the facts and claims of every vector that is accepted as it stands.
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
        guard let token = try? AnyToken(reading: vector.token),
          let verified = try? TokenValidator(world.trust).validate(
            token, at: world.now, expecting: world.expectations)
        else { continue }
        insert(verified)
      }
    }
  }

  func contains(_ verified: Verified<AnyToken>) -> Bool {
    contents.contains(Content(facts: verified.facts, claims: verified.claims))
  }

  private mutating func insert(_ verified: Verified<AnyToken>) {
    contents.insert(Content(facts: verified.facts, claims: verified.claims))
  }
}
