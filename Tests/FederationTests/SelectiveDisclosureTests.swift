import Federation
import TestSupport
import Testing

/// What the vectors of `sdjwt/` do not show: origins, warnings, and what a key vouches for.
@Suite("SD-JWT")
struct SelectiveDisclosureTests {
  static func vector(_ name: String) throws -> TestVector {
    try #require(TestVector.all.first { $0.id == "sdjwt/\(name)" })
  }

  static func origins(_ name: String) throws -> [String: [ClaimOrigin]] {
    let vector = try vector(name)
    let verified = try vector.report(on: vector.token).get()
    var found: [String: [ClaimOrigin]] = [:]
    for (claim, origin) in zip(verified.claims, verified.token.claimOrigins) {
      found[claim.type.name, default: []].append(origin)
    }
    #expect(verified.claims.count == verified.token.claimOrigins.count)
    return found
  }

  @Test("Each claim says whether it was visible or disclosed")
  func provenance() throws {
    let one = try Self.origins("one")
    #expect(one["sub"] == [.visible])
    #expect(one["given_name"] == [.disclosed])
    #expect(one["family_name"] == nil)
    #expect(try Self.origins("array")["nationalities"] == [.disclosed, .visible])
    #expect(try Self.origins("nested")["address"] == [.partlyDisclosed])
    #expect(try Self.origins("recursive")["address"] == [.disclosed])
    #expect(try Self.origins("none").values.allSatisfy { $0 == [.visible] })
  }

  @Test("A key vouches for SD-JWTs only where it is told to")
  func formats() throws {
    let vector = try Self.vector("one")
    _ = try vector.report(on: vector.token).get()
    var trust = try vector.trust()
    for place in trust.issuers.indices { trust.issuers[place].formats = [.jwt, .saml20] }
    let token = try AnyToken(reading: vector.token)
    #expect(token.format == .sdjwt)
    #expect(throws: TokenError(.noKey)) {
      try TokenValidator(trust).validate(token, at: Instant(dateTime: "2030-01-01T12:00:00Z"))
    }
  }

  @Test("A key binding that is not demanded is unread, with a warning")
  func unread() throws {
    let bound = try Self.vector("bound-not-demanded")
    #expect(try bound.report(on: bound.token).warnings.contains { $0.hasPrefix("binding:") })
    let unbound = try Self.vector("unbound-not-demanded")
    #expect(try unbound.report(on: unbound.token).warnings.isEmpty)
    // Whatever it says.
    let octets = Array(bound.token.dropLast(90))
    #expect(throws: TokenError(.malformedBinding)) { try bound.report(on: octets).get() }
  }

  @Test("Without a nonce there is a warning of replay")
  func nonce() throws {
    let any = try Self.vector("bound-any-nonce")
    #expect(try any.report(on: any.token).warnings.contains { $0.contains("nonce") })
    let one = try Self.vector("bound")
    #expect(try one.report(on: one.token).warnings.isEmpty)
  }

  @Test("A key binding may name Ed25519 by either of its names", arguments: ["EdDSA", "Ed25519"])
  func edwards(name: String) throws {
    let credential = try Credential(holder: .ed25519)
    let demand = KeyBindingDemand(audience: "https://rp.example", nonce: "n")
    _ = try credential.verified(
      credential.bound(to: demand.audience, algorithm: name), demand: demand)
    #expect(throws: TokenError(.bindingSignature)) {
      try credential.verified(
        credential.bound(to: demand.audience, algorithm: "Ed448"), demand: demand)
    }
  }

  @Test("A token of a format without key binding is refused where it is demanded")
  func otherFormats() throws {
    let demand = Expectations(
      keyBinding: KeyBindingDemand(audience: "https://rp.example/saml", nonce: nil))
    for id in ["jwt/pyjwt-rs256", "swt/at-noon", "saml20/response-assertion-signed", "jwe/good"] {
      let vector = try #require(TestVector.all.first { $0.id == id })
      let trust = try vector.trust()
      let token = try AnyToken(reading: vector.token, as: vector.pin)
      let now = try Instant(dateTime: vector.at ?? "2030-01-01T12:00:00Z")
      _ = try TokenValidator(trust).validate(token, at: now)
      #expect(throws: TokenError(.bindingMissing), "\(id)") {
        try TokenValidator(trust).validate(token, at: now, expecting: demand)
      }
    }
  }

  @Test("The disclosures that come with it do not make another token of it")
  func identity() throws {
    let all = try Self.vector("all")
    let text = String(decoding: all.token, as: UTF8.self)
    let fewer = Array((text.split(separator: "~")[0] + "~").utf8)
    let first = try TokenIdentity(all.report(on: all.token).get())
    #expect(try TokenIdentity(all.report(on: fewer).get()) == first)
  }

  @Test("An identifier that the holder shows or withholds does not make another token of it")
  func disclosableIdentifier() async throws {
    let identifier = Credential.disclosure("jti", #""J1""#)
    let credential = try Credential(disclosures: [identifier])
    let shown = try credential.verified(credential.presented([identifier]))
    let withheld = try credential.verified(credential.presented())
    #expect(shown.facts.tokenID == "J1")
    #expect(withheld.facts.tokenID == nil)
    for (first, second) in [(shown, withheld), (withheld, shown)] {
      let store = MemoryReplayStore()
      let trust = Trust(issuers: [], audiences: .any)
      try await store.use(first, under: trust, at: Credential.now)
      await #expect(throws: TokenError(.replayUsed)) {
        try await store.use(second, under: trust, at: Credential.now)
      }
    }
    // What the issuer signed anew is another token.
    let other = try Credential(disclosures: [identifier])
    #expect(TokenIdentity(try other.verified(other.presented([identifier]))) != TokenIdentity(shown))
  }

  @Test("Limits hold for what is disclosed")
  func limits() throws {
    let vector = try Self.vector("nothing-to-disclose")
    let many = vector.token + Array(String(repeating: "WyJzIiwxXQ~", count: 1_001).utf8)
    #expect(throws: TokenError(.disclosureParts)) { try vector.report(on: many).get() }
    #expect(throws: TokenError(.disclosureParts)) {
      try SelectiveDisclosureToken(parsing: Array("a.b.c".utf8))
    }
  }
}
