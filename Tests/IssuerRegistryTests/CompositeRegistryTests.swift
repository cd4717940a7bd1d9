import IssuerRegistry
import RegistryTesting
import TestSupport
import Testing

@Suite("Several registries as one")
struct CompositeRegistryTests {
  let now = Instant(secondsSinceEpoch: 1_893_499_200)

  func issuer(_ name: String, _ key: String = "other-rsa") throws -> TrustedIssuer {
    TrustedIssuer(
      name, keys: [try VerificationKey(pemOrDER: TestVector.bytes("keys/\(key).crt"))],
      formats: [.saml20])
  }

  func fixed(_ names: String..., audience: String = "https://rp.example/saml") throws
    -> StaticRegistry
  {
    StaticRegistry(
      Trust(issuers: try names.map { try issuer($0) }, audiences: .oneOf([audience])))
  }

  func names(_ trust: Trust?) -> [TrustedIssuer.Name]? { trust?.issuers.map(\.name) }

  @Test("The first registry gives the relying party's data; all give the issuers")
  func merged() async throws {
    let registry = CompositeRegistry(
      try fixed("a"), adding: [try fixed("b", audience: "https://x.example/"), try fixed("c", "d")])
    let trust = try #require(registry.readyTrust(at: now))
    #expect(trust.audiences == .oneOf(["https://rp.example/saml"]))
    #expect(names(trust) == ["a", "b", "c", "d"].map { .exactly($0) })
    // In any order of completion.
    for _ in 0..<20 { #expect(names(try await registry.trust(at: now)) == names(trust)) }
    #expect(registry.health(at: now).count == 3)
  }

  @Test("An issuer of two registries is not trusted, and health shows that (META-3)")
  func disputed() async throws {
    let registry = CompositeRegistry(
      try fixed("a", "b"), adding: [try fixed("b", "c"), try fixed("B", "d")])
    #expect(names(registry.readyTrust(at: now)) == ["a", "c", "B", "d"].map { .exactly($0) })
    #expect(
      registry.health(at: now).compactMap { $0.lastError?.code } == [.registryDuplicateIssuer])
    // Twice in one registry is no dispute between two; verification refuses it (issuer.ambiguous).
    let one = CompositeRegistry(try fixed("a", "a"), adding: [try fixed("b")])
    #expect(names(one.readyTrust(at: now)) == ["a", "a", "b"].map { .exactly($0) })
    #expect(one.health(at: now).allSatisfy { $0.lastError == nil })
  }

  @Test("TRUST-1: An issuer that one registry pins is pinned, whatever its metadata")
  func pinned() throws {
    func described(_ names: String..., key: String) throws -> StaticRegistry {
      StaticRegistry(
        Trust(
          issuers: try names.map { name in
            var entry = try issuer(name, key)
            entry.source = .metadata
            return entry
          }, audiences: .oneOf([])))
    }
    let registry = CompositeRegistry(
      try fixed("a"),
      adding: [
        try described("a", "b", "c", key: "evil-rsa"), try described("a", "c", key: "idp-rsa"),
      ])
    let trust = try #require(registry.readyTrust(at: now))
    #expect(names(trust) == ["a", "b"].map { .exactly($0) })
    #expect(trust.issuers.map(\.source) == [.configuration, .metadata])
    // Two metadata files dispute c; that both describe a does not matter.
    #expect(
      registry.health(at: now).compactMap { $0.lastError?.found } == ["\"c\""])
  }

  @Test("A registry that is down does not affect the others")
  func partlyDown() async throws {
    let server = try ScriptedServer()
    let story = try RefreshStory(server, over: server)
    let registry = CompositeRegistry(try fixed("a"), adding: [story.registry])
    #expect(registry.readyTrust(at: story.time.now) == nil)
    #expect(names(try await registry.trust(at: story.time.now)) == [.exactly("a")])
    #expect(registry.health(at: story.time.now).map(\.status) == [.good, .empty])
    try await story.meet(.current)
    #expect(
      names(registry.readyTrust(at: story.time.now))
        == ["a", "https://idp.example/idp"].map { .exactly($0) })
  }

  @Test("Without any issuer, the cause is thrown; without the first registry, its error")
  func allDown() async throws {
    let server = try ScriptedServer()
    let story = try RefreshStory(server, over: server)
    await #expect(throws: TokenError(.registryUnavailable)) {
      try await CompositeRegistry(fixed(), adding: [story.registry]).trust(at: story.time.now)
    }
    await #expect(throws: TokenError(.registryUnavailable)) {
      try await CompositeRegistry(story.registry, adding: [fixed("a")]).trust(at: story.time.now)
    }
  }
}
