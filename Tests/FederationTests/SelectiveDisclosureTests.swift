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
    // The credential names its holder's key, and nobody proved to have it.
    #expect(
      try unbound.report(on: unbound.token).warnings.contains { $0.contains("no key-binding JWT") })
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
    let anew = try other.verified(other.presented([identifier]))
    #expect(TokenIdentity(anew) != TokenIdentity(shown))
  }

  /// The error of a presentation; nil where it is accepted.
  static func refusal(
    _ credential: Credential, _ text: String, _ audiences: Trust.Audiences,
    _ demand: KeyBindingDemand? = nil
  ) throws -> TokenError? {
    do {
      _ = try credential.verified(text, audiences: audiences, demand: demand)
      return nil
    } catch let error as TokenError {
      return error
    }
  }

  @Test("The key binding that is demanded names the audience of a credential without aud")
  func presentedAudience() throws {
    let (own, other) = ("https://rp.example", "https://other.example")
    let demand = KeyBindingDemand(audience: own, nonce: "n")
    let credential = try Credential()
    let bound = try credential.bound(to: own)
    #expect(try Self.refusal(credential, bound, .oneOf([other, own]), demand) == nil)
    // It has to be one of ours, and has to be proved.
    let foreign = try Self.refusal(credential, bound, .oneOf([other]), demand)
    #expect(foreign?.code == .audienceMissing && foreign?.found?.contains(own) == true)
    #expect(
      try Self.refusal(credential, credential.bound(to: other), .oneOf([own]), demand)?.code
        == .bindingAudience)
    #expect(
      try Self.refusal(credential, credential.presented(), .oneOf([own]), demand)?.code
        == .bindingMissing)
    // Not demanded, it proves nothing.
    let unread = try Self.refusal(credential, bound, .oneOf([own]))
    #expect(unread?.code == .audienceMissing && unread?.hint.contains("key binding") == true)
  }

  @Test(
    "An aud that is there must name us, whatever the key binding says",
    arguments: [
      (#""https://other.example""#, TokenError.Code.audienceMismatch),
      ("[]", .audienceMissing), (#"["https://rp.example"]"#, nil),
    ])
  func restrictedAudience(aud: String, code: TokenError.Code?) throws {
    let credential = try Credential(Credential.claims + #","aud":\#(aud)"#)
    let demand = KeyBindingDemand(audience: "https://rp.example", nonce: "n")
    let bound = try credential.bound(to: demand.audience)
    #expect(
      try Self.refusal(credential, bound, .oneOf([demand.audience]), demand)?.code == code)
  }

  @Test("What SD-JWT VC leaves optional and is demanded here is named")
  func optionalMembers() throws {
    let endless = try Credential(#""iss":"https://issuer.example""#)
    let error = try Self.refusal(endless, endless.presented(), .any)
    #expect(error?.code == .noExpiry && error?.hint.contains("SD-JWT VC") == true)
  }

  @Test(
    "A credential without iss is of the issuer whose pinned key signed it",
    arguments: [#""exp":1893499500"#, #""exp":1893499500,"iss":null"#])
  func withoutIssuer(claims: String) throws {
    let credential = try Credential(claims)
    let verified = try credential.verified(credential.presented())
    #expect(verified.facts.issuer == Credential.issuer)
    #expect(verified.claims.first?.issuer == Credential.issuer)
    // An iss that is there has to be the issuer's.
    let named = try Credential(#""exp":1893499500,"iss":"https://other.example""#)
    #expect(try Self.refusal(named, named.presented(), .any)?.code == .issuerUntrusted)
  }

  @Test(
    "A credential without iss is refused where its key is another's, or of two issuers, or not pinned"
  )
  func withoutIssuerAndKey() throws {
    let credential = try Credential(#""exp":1893499500"#)
    let stranger = try Credential(#""exp":1893499500"#)
    func code(_ entries: [TrustedIssuer]) throws -> TokenError.Code? {
      do {
        _ = try credential.verified(credential.presented(), by: entries)
        return nil
      } catch let error as TokenError { return error.code }
    }
    let own = credential.entry()
    var metadata = own
    metadata.source = .metadata
    var otherFormat = own
    otherFormat.formats = [.jwt]
    #expect(try code([own, stranger.entry("https://b.example")]) == nil)
    #expect(try code([stranger.entry()]) == .signatureInvalid)
    #expect(try code([own, credential.entry("https://b.example")]) == .ambiguousIssuer)
    #expect(try code([metadata]) == .issuerMissing)
    #expect(try code([otherFormat]) == .issuerMissing)
    #expect(try code([]) == .issuerMissing)
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
