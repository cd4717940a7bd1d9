import IdentityProviderTesting
import SecurityKeys
import SignIn
import TestSupport
import Testing

/// Tokens that a client presents for a person, without a sign-in (RFC 8693, RFC 7521).
@Suite("Tokens of providers that clients present")
struct PresentedTokenTests {
  private static let client = "https://client.example"
  private let clock = ManualTime()
  private let key: SigningKey

  init() throws {
    let certificate = try #require(try PEM.onlyBlock(of: TestVector.bytes("keys/idp-rsa.crt")))
    key = try SigningKey(
      PrivateKey(pemOrDER: TestVector.bytes("keys/idp-rsa.key")),
      certificate: Certificate(der: certificate.bytes))
  }

  private func draft(_ issuer: String) -> TokenDraft {
    TokenDraft(
      issuer: issuer, audiences: [Self.client], subject: "ada",
      claims: ClaimSet([Claim(.emailAddress, "ada@x.example")]), issuedAt: clock.now)
  }

  /// Trusts two issuers with one key.
  private func registry() -> StaticRegistry {
    StaticRegistry(
      Trust(
        issuers: ["https://idp.example/", "https://other.example/"].map {
          TrustedIssuer(
            .exactly($0), keys: [TrustedKey(.publicKey(key.publicKey))],
            formats: [.saml11, .saml20, .jwt])
        }, audiences: .oneOf([])))
  }

  private func passive() throws -> SignInProvider {
    SignInProvider(
      id: "adfs", name: "ADFS",
      .wsFederation(
        try PassiveRelyingParty(realm: "urn:app", reply: HTTPURL("https://app.example/wsfed")),
        .fixed(
          PassiveIssuer(
            entityID: "https://idp.example/", endpoint: try HTTPURL("https://idp.example/in")))),
      registry: registry())
  }

  private func saml() throws -> SignInProvider {
    SignInProvider(
      id: "campus", name: "Campus",
      .saml(
        try ServiceProvider(
          entityID: "https://app.example/saml", consumer: HTTPURL("https://app.example/acs")),
        .fixed(IdentityProvider(entityID: "https://idp.example/", signOn: []))),
      registry: registry())
  }

  private func presented(
    _ octets: [UInt8], _ kind: PresentedToken.Kind
  ) throws -> PresentedToken {
    try PresentedToken(parsing: octets, as: kind, audiences: [Self.client], recipients: [])
  }

  @Test("A token is its provider's, whomever else the provider's trust names")
  func issuers() async throws {
    for (issuer, code) in [
      ("https://idp.example/", nil), ("https://other.example/", .signInOtherIssuer),
    ] as [(String, TokenError.Code?)] {
      let octets = try SAMLIssuer(.v2, key: key).assertion(draft(issuer))
      for provider in [try passive(), try saml()] {
        let token = try presented(octets, .saml20)
        let found = await refusalCode { _ = try await provider.verify(token, at: clock.now) }
        #expect(found == code, "\(provider.id)")
      }
    }
  }

  @Test("An assertion is one of its version, and alone")
  func versions() async throws {
    let (two, one) = (SAMLIssuer(.v2, key: key), SAMLIssuer(.v1, key: key))
    let draft = draft("https://idp.example/")
    for (octets, kind) in [
      (try two.assertion(draft), PresentedToken.Kind.saml11),
      (try one.assertion(draft), .saml20), (try two.response(draft), .saml20),
      (try one.response(draft), .saml11),
    ] {
      #expect(throws: TokenError(.signInTokenKind)) { try presented(octets, kind) }
    }
    let old = try presented(try one.assertion(draft), .saml11)
    #expect(await refusalCode { _ = try await passive().verify(old, at: clock.now) } == nil)
    #expect(try passive().mayIssue(.saml11) && !saml().mayIssue(.saml11))
    let code = await refusalCode { _ = try await saml().verify(old, at: clock.now) }
    #expect(code == .signInTokenKind)
  }

  @Test("An ID token is for a party that it may be for, and for no other")
  func idTokens() async throws {
    let fixture = try OpenIDFixture()
    let provider = SignInProvider(id: "op", name: "OP", openID: try fixture.party())
    func code(_ changes: [String: String]) async throws -> TokenError.Code? {
      var payload = [
        "iss": quoted(fixture.provider.issuer), "aud": quoted(Self.client), "sub": quoted("ada"),
        "iat": "\(fixture.time.now.seconds)", "exp": "\(fixture.time.now.seconds + 300)",
      ]
      payload.merge(changes) { $1 }
      let key = try ProviderKey.first
      let text = try key.token(payload, keyID: key.keyID)
      let token = try presented(Array(text.utf8), .idToken)
      return await refusalCode { _ = try await provider.verify(token, at: fixture.time.now) }
    }
    let own = quoted(ScriptedProvider.clientID)
    #expect(try await code([:]) == nil)
    #expect(try await code(["azp": quoted(Self.client)]) == nil)
    #expect(try await code(["aud": own]) == nil)
    #expect(try await code(["azp": quoted("https://evil.example")]) == .audienceMismatch)
    #expect(try await code(["aud": quoted("https://evil.example")]) == .audienceMismatch)
  }

  /// What becomes of a token of that kind with these members beside the usual ones, at a provider with that registration.
  private func code(
    _ kind: PresentedToken.Kind, _ members: [String: String], type: String? = nil,
    _ change: (inout OpenIDClient) throws -> Void
  ) async throws -> TokenError.Code? {
    let fixture = try OpenIDFixture()
    let provider = SignInProvider(id: "op", name: "OP", openID: try fixture.party(change))
    let now = fixture.time.now.seconds
    var payload = [
      "iss": quoted(fixture.provider.issuer), "aud": quoted(Self.client), "sub": quoted("ada"),
      "iat": "\(now)", "exp": "\(now + 300)", "jti": quoted("a1"), "client_id": quoted("agent"),
    ]
    payload.merge(members) { $1 }
    let key = try ProviderKey.first
    let type = type ?? (kind == .identityAssertionGrant ? "oauth-id-jag+jwt" : "JWT")
    let octets = Array(try key.token(payload, type: type, keyID: key.keyID).utf8)
    return await refusalCode {
      _ = try await provider.verify(presented(octets, kind), at: fixture.time.now)
    }
  }

  @Test("What the file demands of a sign-in holds for a token of any kind that tells of one")
  func demands() async throws {
    let now = try OpenIDFixture().time.now.seconds
    let kinds = [PresentedToken.Kind.idToken, .jwt, .identityAssertionGrant]
    for kind in kinds {
      for (time, expected) in [
        ("\(now - 30)", nil), ("\(now - 3_600)", .signInContext), (nil, .signInContext),
      ] as [(String?, TokenError.Code?)] {
        let members = time.map { ["auth_time": $0] } ?? [:]
        #expect(try await code(kind, members) { $0.maxAge = 60 } == expected, "\(kind)")
        #expect(try await code(kind, members) { _ in } == nil, "\(kind)")
      }
      for (context, expected) in [
        ("mfa", nil), ("pwd", .signInContext), (nil, .signInContext),
      ] as [(String?, TokenError.Code?)] {
        let members = context.map { ["acr": quoted($0)] } ?? [:]
        #expect(try await code(kind, members) { $0.contexts = ["mfa"] } == expected, "\(kind)")
        #expect(try await code(kind, members) { _ in } == nil, "\(kind)")
      }
    }
  }

  @Test(
    "What the file demands of an ID token holds for one that is called a JWT; an access token is for whom it is for"
  )
  func idTokenDemands() async throws {
    let audiences = ["aud": "[\(quoted(Self.client)),\(quoted("evil"))]"]
    let stranger = ["azp": quoted("evil")]
    for kind in [PresentedToken.Kind.idToken, .jwt] {
      #expect(try await code(kind, audiences) { $0.otherAudiences = ["evil"] } == nil)
      #expect(
        try await code(kind, audiences) { $0.otherAudiences = ["good"] } == .audienceMismatch)
      #expect(try await code(kind, stranger) { _ in } == .audienceMismatch)
      #expect(try await code(kind, [:]) { try Self.demandEncryption(&$0) } == .signInNotEncrypted)
      #expect(try await code(kind, [:]) { _ in } == nil)
    }
    let access = audiences.merging(stranger) { $1 }.merging(["scope": quoted("a")]) { $1 }
    #expect(
      try await code(.jwt, access) {
        $0.otherAudiences = ["good"]
        try Self.demandEncryption(&$0)
      } == nil)
  }

  private static func demandEncryption(_ client: inout OpenIDClient) throws {
    let key = try PrivateKey(pemOrDER: TestVector.bytes("keys/rp-rsa.key"))
    client.decryptionKeys = [DecryptionKey(key, keyID: key.publicKey.thumbprint)]
    client.demandsEncryption = true
  }

  @Test("RFC 8725, 3.11: An access token that names its type is no JWT for others")
  func accessTokens() async throws {
    for kind in [PresentedToken.Kind.jwt, .idToken] {
      for (type, expected) in [("at+jwt", TokenError.Code.tokenPurpose), ("JWT", nil)] {
        #expect(try await code(kind, [:], type: type) { _ in } == expected, "\(kind), \(type)")
      }
    }
  }
}
