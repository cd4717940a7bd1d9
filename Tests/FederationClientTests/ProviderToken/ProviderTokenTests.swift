import Claims
import Federation
import FederationClient
import HTTPExchange
import SecrecyTesting
import TestSupport
import Testing

@Suite("A provider's own token")
struct ProviderTokenTests {
  static func tokens(_ more: [Claim] = []) throws -> [ProviderToken] {
    var draft = ACS.draft()
    draft.claims = ClaimSet(
      Array(Sample.claims).filter { $0.type != .role && $0.type != .name } + more)
    let key = try SymmetricKey(bytes: Array(0..<32))
    let token = try AnyToken(reading: SimpleWebToken.mint(draft, key: key))
    let verified = try ACS.service().verify(token, trust: ACS.trust(), at: ACS.now)
    return ProviderToken.all(in: verified)
  }

  @Test("S3 Facebook's token is read from its claim, with provider and expiry, and not displayed")
  func facebook() throws {
    let token = try #require(try Self.tokens().first)
    #expect(token.type == .facebookAccessToken)
    #expect(token.provider == "Facebook-1234567890")
    #expect(token.reveal() == "AAAB1+x/y=")
    // Seven digits of fraction, as ACS writes it; not the expiry of the token around it.
    #expect(
      token.expires == Instant(secondsSinceEpoch: 1_893_535_200, nanoseconds: 359_347_500))
    #expect(token.isValid(at: Instant(secondsSinceEpoch: 1_893_535_200)))
    #expect(!token.isValid(at: Instant(secondsSinceEpoch: 1_893_535_201)))
    var dumped = ""
    dump(token, to: &dumped)
    for text in ["\(token)", String(reflecting: token), dumped, "\(token.type)"] {
      #expect(!text.contains("AAAB1"))
    }
  }

  @Test("Similar claims are tokens too, with their own expiry and scope")
  func siblings() throws {
    let tokens = try Self.tokens([
      Claim("http://www.example.org/claims/access_token", "T2"),
      Claim("http://www.example.org/claims/expires", "1893460000"),
      Claim("http://www.example.org/claims/scope", "read,write"),
    ])
    #expect(tokens.map { $0.reveal() } == ["AAAB1+x/y=", "T2"])
    #expect(tokens[1].expires == Instant(secondsSinceEpoch: 1_893_460_000))
    #expect(tokens[1].scopes == ["read", "write"])
  }

  @Test(
    "TRUST-5 A token has its kind, and its provider by the namespace of its claim",
    arguments: [
      (
        "http://www.facebook.com/claims/AccessToken", TokenProvider.facebook,
        ProviderToken.Kind.access
      ),
      ("https://facebook.com/claims/refresh_token", .facebook, .refresh),
      ("http://twitter.com/claims/AccessTokenSecret", .x, .secret),
      ("https://X.com/claims/access-token", .x, .access),
      ("http://www.linkedin.com/claims/id_token", .linkedIn, .identity),
      ("http://facebook.com.evil.example/claims/AccessToken", nil, .access),
      ("http://mia@facebook.com/AccessToken", nil, .access),
      ("facebook.com/AccessToken", nil, .access),
    ] as [(String, TokenProvider?, ProviderToken.Kind)])
  func kinds(type: String, issuer: TokenProvider?, kind: ProviderToken.Kind) throws {
    let session = Session(
      principal: Principal(authority: "acs", subject: "mia"),
      claims: ClaimSet([Claim(ClaimType(type), "T")]),
      credential: Credential(.bearer, Secret("c")), signedInAt: ACS.now)
    let token = try #require(session.providerTokens.first)
    #expect(token.kind == kind)
    let known: [TokenProvider] = [.facebook, .x, .linkedIn]
    #expect(known.first { $0 == token.issuer } == issuer)
    for provider in known where provider != issuer || kind != .access {
      expect(throws: TokenError(.sessionProviderToken)) {
        try session.providerTokens.accessToken(of: provider, at: ACS.now)
      }
    }
    if let issuer, kind == .access {
      #expect(try session.providerTokens.accessToken(of: issuer, at: ACS.now).revealed == "T")
    }
  }

  @Test("TRUST-5 A Mastodon instance accepts its own tokens, and an expired token is none")
  func instances() throws {
    let tokens = try Self.tokens([
      Claim("https://social.example.org/claims/AccessToken", "T3")
    ])
    let instance = Mastodon.provider(of: try HTTPURL("https://social.example.org"))
    // The claims name Facebook as the provider, so that no other provider's token is accepted.
    expect(throws: TokenError(.sessionProviderToken)) {
      try tokens.accessToken(of: instance, at: ACS.now)
    }
    let end = Instant(secondsSinceEpoch: 1_893_535_201)
    #expect(try tokens.accessToken(of: .facebook, at: ACS.now).revealed == "AAAB1+x/y=")
    expect(throws: TokenError(.sessionProviderToken)) {
      try tokens.accessToken(of: .facebook, at: end)
    }
  }

  @Test(
    "S3 Claims have their full names, or those of the former toolkit's two branches")
  func projections() throws {
    let token = try AnyToken(reading: Array(ACS.swt.utf8))
    let claims = try ACS.service().verify(token, trust: ACS.trust(), at: ACS.now).claims
    #expect(claims.map(\.type.name).filter { $0.hasPrefix("http://") }.count == 6)
    #expect(claims.projected(.all).count == 6)
    let short = claims.projected(.identityShortNames)
    #expect(short.map(\.type.name) == ["nameidentifier", "name", "emailaddress"])
    #expect(short.single("name") == "Mia Müller")
    // Reserved names are no claims in either branch.
    #expect(claims["Issuer"].isEmpty)
  }

  @Test("RP-9 A session has the provider's token beside its claims, never among them")
  func session() {
    let session = Sample.session()
    #expect(session.claims[.facebookAccessToken].isEmpty)
    #expect(session.claims[.role] == ["editor", "speaker"])
    #expect(session.providerTokens.count == 1)
  }
}
