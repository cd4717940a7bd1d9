import Federation
import TestSupport
import Testing

/// How several entries of a trust apply to one issuer.
@Suite("One issuer has one source of keys")
struct TrustEntryTests {
  static let issuer = "https://idp.example/idp"
  static let now = Instant(secondsSinceEpoch: 1_893_499_200)

  static func key(_ name: String) throws -> TrustedKey {
    TrustedKey(try KeySpecification.key("keys/\(name)", files: VectorFiles()))
  }

  static func entry(
    _ key: String, _ formats: Set<TokenFormat> = [.saml20],
    _ source: TrustedIssuer.Source = .configuration, named name: TrustedIssuer.Name? = nil,
    projection: ClaimProjection = .all
  ) throws -> TrustedIssuer {
    TrustedIssuer(
      name ?? .exactly(issuer), keys: [try Self.key(key)], formats: formats,
      projection: projection, source: source)
  }

  /// A token that idp-rsa signed.
  static func verify(_ entries: TrustedIssuer...) throws -> Verified<AnyToken> {
    try TokenValidator(
      Trust(issuers: entries, audiences: .oneOf(["https://rp.example/saml"]))
    ).validate(
      AnyToken(reading: TestVector.bytes("saml20/response-assertion-signed.xml")), at: now)
  }

  @Test("TRUST-1: Metadata about a pinned issuer is not used, in any order or format")
  func pinned() throws {
    let pinned = try Self.entry("other-rsa.crt")
    let described = try Self.entry("idp-rsa.crt", [.saml11, .saml20, .jwt], .metadata)
    for entries in [[pinned, described], [described, pinned]] {
      #expect(throws: TokenError(.signatureInvalid)) { try Self.verify(entries[0], entries[1]) }
    }
    let otherFormat = try Self.entry("other-rsa.crt", [.saml11])
    #expect(throws: TokenError(.noKey)) { try Self.verify(otherFormat, described) }
    #expect(try Self.verify(described).facts.issuer == Self.issuer)
    #expect(
      try Self.verify(Self.entry("idp-rsa.crt"), Self.entry("evil-rsa.crt", [.saml20], .metadata))
        .facts.issuer == Self.issuer)
  }

  @Test("TRUST-1: A key for any issuer applies only to issuers without an entry of their own")
  func any() throws {
    let any = try Self.entry("idp-rsa.crt", named: .any)
    #expect(try Self.verify(any).facts.issuer == Self.issuer)
    for source in [TrustedIssuer.Source.configuration, .metadata] {
      let own = try Self.entry("other-rsa.crt", [.saml20], source)
      #expect(throws: TokenError(.signatureInvalid)) { try Self.verify(any, own) }
    }
  }

  @Test("TRUST-2: Two entries that vouch for one issuer and format reject its tokens")
  func ambiguous() throws {
    let entry = try Self.entry("idp-rsa.crt")
    for source in [TrustedIssuer.Source.configuration, .metadata] {
      var same = entry
      same.source = source
      var other = try Self.entry("other-rsa.crt", [.saml20, .jwt])
      other.source = source
      #expect(throws: TokenError(.ambiguousIssuer)) { try Self.verify(same, other) }
      other.formats = [.saml11, .jwt]
      #expect(try Self.verify(same, other).facts.issuer == Self.issuer)
    }
  }

  @Test("TRUST-2: The projection is that of the entry whose key verified")
  func projection() throws {
    let short = ClaimProjection(
      prefixes: ["http://schemas.microsoft.com/ws/2008/06/identity/claims/"])
    let verified = try Self.verify(
      Self.entry("idp-rsa.crt", [.saml11]),
      Self.entry("idp-rsa.crt", [.saml20], projection: short))
    #expect(verified.projection == short)
    #expect(verified.projectedClaims.count < verified.claims.count)
    #expect(
      verified.projectedClaims.allSatisfy { $0.type.name.hasPrefix(short.prefixes[0]) })
  }

  static func file(_ issuers: String) -> TrustFile {
    TrustFile(
      parsing: Array("{\"audiences\":[\"https://rp.example/saml\"],\"issuers\":[\(issuers)]}".utf8),
      files: VectorFiles())
  }

  static func pinning(_ key: String, _ more: String = "") -> String {
    "{\"name\":\"\(issuer)\",\"keys\":[\"keys/\(key)\"]\(more)}"
  }

  @Test("TRUST-1: A trust file warns that metadata is not used for a pinned issuer")
  func fileWarns() throws {
    let metadata = "{\"metadata\":\"metadata/entity.xml\"}"
    let file = Self.file("\(Self.pinning("other-rsa.crt")),\(metadata)")
    #expect(file.errors.isEmpty)
    #expect(file.warnings.count { $0.contains("pins") } == 1)
    let token = try AnyToken(
      reading: TestVector.bytes("saml20/response-assertion-signed.xml"))
    #expect(throws: TokenError(.signatureInvalid)) {
      try TokenValidator(file.get()).validate(token, at: Self.now)
    }
    let alone = Self.file(metadata)
    #expect(alone.warnings.isEmpty)
    _ = try TokenValidator(alone.get()).validate(token, at: Self.now)
  }

  @Test("TRUST-2: A trust file that names an issuer twice for one format is refused, with the line")
  func fileRefuses() throws {
    let jwt = ",\"formats\":[\"jwt\"]"
    let twice = Self.file(
      "\n\(Self.pinning("idp-rsa.crt")),\n\(Self.pinning("other-rsa.crt", jwt))")
    #expect(twice.errors.map(\.code) == [.ambiguousIssuer])
    #expect(twice.errors.first?.node?.hasPrefix("line 3") == true)
    let apart = Self.file(
      "\(Self.pinning("idp-rsa.crt", ",\"formats\":[\"saml20\"]")),"
        + Self.pinning("other-rsa.crt", jwt))
    #expect(apart.errors.isEmpty)
  }

  @Test("An identifier is of one issuer, and comes with the tokens that its keys verified")
  func identifiers() throws {
    let file = Self.file(
      "\(Self.pinning("idp-rsa.crt", ",\"formats\":[\"saml20\"],\"id\":\"campus\"")),"
        + Self.pinning("other-rsa.crt", ",\"formats\":[\"jwt\"],\"id\":\"campus\""))
    let trust = try file.get()
    #expect(trust.issuers.map(\.id) == ["campus", "campus"])
    let other = "{\"name\":\"urn:other\",\"keys\":[\"keys/other-rsa.crt\"],\"id\":\"campus\"}"
    let twice = Self.file("\(Self.pinning("idp-rsa.crt", ",\"id\":\"campus\"")),\n\(other)")
    #expect(twice.errors.map(\.code) == [.trustFileValue])
    #expect(twice.errors.first?.node?.hasPrefix("line 2") == true)
    for id in ["\"any\"", "\"\"", "\"a b\"", "\"a/b\"", "7"] {
      let wrong = Self.file(Self.pinning("idp-rsa.crt", ",\"id\":\(id)"))
      #expect(wrong.errors.map(\.code) == [.trustFileValue], "\(id)")
    }
    let described = Self.file("{\"metadata\":\"metadata/entity.xml\",\"id\":\"idp\"}")
    #expect(try described.get().issuers.allSatisfy { $0.id == "idp" })
    #expect(try Self.file(Self.pinning("idp-rsa.crt")).get().issuers.allSatisfy { $0.id == nil })
  }

  @Test("Keys of one entry apply together, each to its formats")
  func together() throws {
    let keys =
      "[\"keys/other-rsa.crt\",\"keys/idp-rsa.crt\",\"hmac-file:keys/acs.key\",\"jwks:keys/jwks.json\"]"
    let file = Self.file("{\"name\":\"\(Self.issuer)\",\"keys\":\(keys)}")
    let trust = try file.get()
    let token = try AnyToken(reading: TestVector.bytes("saml20/response-assertion-signed.xml"))
    _ = try TokenValidator(trust).validate(token, at: Self.now)
    let formats = trust.issuers.flatMap(\.formats)
    #expect(Set(formats).count == formats.count)
    #expect(Set(formats) == Set(TokenFormat.all).subtracting([.sdjwt]))
  }

  @Test(
    "A certificate or a public key is no secret, which everybody may have; a key of random bytes is one"
  )
  func secrets() throws {
    for name in ["keys/idp-rsa.crt", "keys/other-rsa.crt"] {
      #expect(throws: TokenError(.unreadableKey)) {
        try KeySpecification.key("hmac-file:\(name)", files: VectorFiles())
      }
    }
    _ = try KeySpecification.key("hmac-file:keys/acs.key", files: VectorFiles())
  }
}
