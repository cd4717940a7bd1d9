import Foundation
import HTTPExchange
import IdentityProviderTesting
import IssuerRegistry
import JSONWebTokens
import RegistryTesting
import SecurityKeys
import SignIn
import TestSupport
import Testing

/// Bearer tokens of issuers that are asked about each.
@Suite("Bearer tokens: introspection")
struct IntrospectionTests {
  private let fixture: BearerTokenFixture

  init() throws { fixture = try BearerTokenFixture() }

  @Test("An opaque token is what its issuer says of it: subject, claims, audience")
  func opaque() async throws {
    let authenticator = try fixture.authenticator(BearerTokenFixture.introspection())
    fixture.answering([:])
    let found = try #require(try await fixture.principal(authenticator, "opaque-1"))
    #expect(found.subject == "bob" && found.issuer == "https://as.example")
    #expect(found.claims["scope"] == ["read write"] && found.claims["active"].isEmpty)
    #expect(found.authenticationContexts == ["mfa"] && found.tokenScopes == ["read", "write"])
    let request = try #require(fixture.transport.requests.last)
    #expect(request.method == .post && request.parameter("token") == "opaque-1")
    #expect(
      request.fields["Authorization"] == "Basic "
        + Data("api%201:s3cret".utf8).base64EncodedString())
    #expect(!fixture.observer.lines.contains { $0.contains("opaque-1") })
    fixture.answering(["sub": nil, "iss": nil])
    #expect(try await fixture.principal(authenticator, "opaque-2")?.subject == "")
  }

  @Test(
    "An issuer vouches for its refresh tokens, too, and for those that are bound: none is for whoever has it",
    arguments: [
      ("Bearer", true), ("bearer", true), ("access_token", true), ("refresh_token", false),
      ("Refresh", false), ("DPoP", false), ("ID_TOKEN", false), ("MAC", false),
    ])
  func introspectedTypes(type: String, isGood: Bool) async throws {
    let authenticator = try fixture.authenticator(BearerTokenFixture.introspection())
    fixture.answering(["token_type": quoted(type)])
    #expect(await fixture.code(authenticator, "opaque") == (isGood ? nil : .tokenPurpose))
  }

  @Test("An address that the issuer does not call verified is no identity")
  func introspectedEmail() async throws {
    for (place, (word, values)) in [
      (nil, ["a@x.example"]), ("true", ["a@x.example"]), ("\"true\"", ["a@x.example"]),
      ("false", []), ("\"no\"", []),
    ].enumerated() as EnumeratedSequence<[(String?, [String])]> {
      let authenticator = try fixture.authenticator(BearerTokenFixture.introspection())
      fixture.answering(["email": quoted("a@x.example"), "email_verified": word, "phone": "\"1\""])
      let found = try #require(try await fixture.principal(authenticator, "mail-\(place)"))
      #expect(found.claims["email"] == values, "\(word ?? "nothing")")
      #expect(found.claims["phone"] == ["1"])
    }
  }

  @Test("Where nothing is said of an address, those of the issuer's own domains count")
  func emailDomains() async throws {
    func isMarked(
      _ authenticator: TokenAuthenticator, _ token: String, _ domains: [String]
    ) async throws -> [Bool] {
      let fields = try HTTPFields([("Authorization", "Bearer \(token)")])
      let read = try #require(try RequestToken(fields))
      var expectations = BearerExpectations()
      expectations.domains = { ["op", "as"].contains($0) ? domains : [] }
      let found = try await authenticator.authenticate(read, expecting: expectations)
      return found.principal.claims.filter { $0.type == "email" }
        .map { $0.properties[Claim.unconfirmedEmail] != nil }
    }
    let token = try fixture.jwt { $0["email"] = "\"a@x.example\"" }
    fixture.answering(["email": quoted("a@x.example")])
    for (issuer, token) in [
      (BearerTokenFixture.discovery, token), (BearerTokenFixture.introspection(), "opaque"),
    ] {
      let authenticator = try fixture.authenticator(issuer)
      for (domains, isUnconfirmed) in [([], true), (["y.example"], true), (["X.example"], false)] {
        let found = try await isMarked(authenticator, token, domains)
        #expect(found == [isUnconfirmed], "\(domains)")
      }
    }
    let verified = try fixture.jwt {
      $0["email"] = "\"a@x.example\""
      $0["email_verified"] = "true"
    }
    #expect(
      try await isMarked(fixture.authenticator(BearerTokenFixture.discovery), verified, []) == [
        false
      ])
  }

  @Test("An answer counts for a minute, and never past the end of the token")
  func memory() async throws {
    let authenticator = try fixture.authenticator(BearerTokenFixture.introspection())
    fixture.answering(["exp": "\(fixture.time.now.seconds + 30)"])
    for _ in 0..<5 { #expect(try await fixture.principal(authenticator, "short") != nil) }
    #expect(fixture.requests("/introspect") == 1)
    fixture.time.advance(bySeconds: 30)
    #expect(await fixture.code(authenticator, "short") == .expired)
    fixture.answering([:])
    #expect(try await fixture.principal(authenticator, "long") != nil)
    fixture.answering(["active": "false"])
    fixture.time.advance(bySeconds: 59)
    #expect(try await fixture.principal(authenticator, "long") != nil)
    fixture.time.advance(bySeconds: 1)
    #expect(await fixture.code(authenticator, "long") == .signInTokenInactive)
  }

  @Test("The issuer that is asked is called, and shown, as the file says now")
  func renamed() async throws {
    let before = BearerTokenFixture.introspection()
    let authenticator = try fixture.authenticator(before)
    fixture.answering(["urn:x/role": quoted("a"), "group": quoted("b")])
    func found() async throws -> (id: String?, types: [String]) {
      let fields = try HTTPFields([("Authorization", "Bearer opaque")])
      let (principal, entry) = try await authenticator.authenticate(
        try #require(try RequestToken(fields)))
      return (entry.id, principal.claims.map(\.type.name))
    }
    let first = try await found()
    #expect(first.id == "as" && first.types.contains("group"))
    let after = before.replacing(
      "\"id\": \"as\"", with: "\"id\": \"other\", \"claimsPrefix\": [\"urn:x/\"]")
    try fixture.write(
      "trust.json", "{\"audiences\": [\"\(BearerTokenFixture.audience)\"], \"issuers\": [\(after)]}"
    )
    fixture.time.advance(bySeconds: 2)
    let second = try await found()
    #expect(second.id == "other" && second.types == ["urn:x/role"])
    // It is the same issuer, whose answer is remembered.
    #expect(fixture.requests("/introspect") == 1)
  }

  @Test("Ten requests at once with one token are one question")
  func singleFlight() async throws {
    let authenticator = try fixture.authenticator(BearerTokenFixture.introspection())
    fixture.answering([:])
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<10 {
        group.addTask { [self] in
          let found = try await fixture.principal(authenticator, "same")
          #expect(found != nil)
        }
      }
      try await group.waitForAll()
    }
    #expect(fixture.requests("/introspect") == 1)
  }

  @Test("A token of another issuer, audience or time is refused")
  func refusals() async throws {
    let now = fixture.time.now.seconds
    let cases: [([String: String?], TokenError.Code?)] = [
      (["active": "false"], .signInTokenInactive), (["aud": nil], .audienceMissing),
      (["aud": "\"other\""], .audienceMismatch), (["aud": "[\"x\",\"https://api.example\"]"], nil),
      (["iss": "\"https://evil.example\""], .registryIntrospection), (["exp": "\(now)"], .expired),
      (["nbf": "\(now + 1)"], .notYetValid), (["exp": "\(now + 1)"], nil),
    ]
    for (place, (members, expected)) in cases.enumerated() {
      let authenticator = try fixture.authenticator(BearerTokenFixture.introspection())
      fixture.answering(members)
      #expect(await fixture.code(authenticator, "token-\(place)") == expected, "\(members)")
    }
  }

  @Test(
    "Where the file needs no audience of an issuer's answers, one that is there has to be ours, and a resource demands one",
    arguments: [
      (nil, nil, TokenError.Code.audienceMissing), ("null", nil, .audienceMissing),
      ("[]", .audienceMissing, .audienceMissing),
      ("\"other\"", .audienceMismatch, .audienceMismatch),
      ("\"https://api.example\"", nil, nil),
    ] as [(String?, TokenError.Code?, TokenError.Code?)])
  func optionalAudience(
    audience: String?, expected: TokenError.Code?, atResource: TokenError.Code?
  ) async throws {
    let issuer = BearerTokenFixture.introspection()
      .replacing("\"id\": \"as\"", with: "\"id\": \"as\", \"audience\": \"optional\"")
    let authenticator = try fixture.authenticator(issuer)
    fixture.answering(["aud": audience])
    #expect(await fixture.code(authenticator, "opaque") == expected)
    let fields = try HTTPFields([("Authorization", "Bearer opaque")])
    let read = try #require(try RequestToken(fields))
    var resource = BearerExpectations()
    resource.audiences = [BearerTokenFixture.audience]
    resource.demandsAudience = true
    do throws(TokenError) {
      _ = try await authenticator.authenticate(read, expecting: resource)
      #expect(atResource == nil)
    } catch {
      #expect(error.code == atResource)
    }
  }

  @Test("The issuer is asked about a token of any visible characters, and about no other text")
  func visibleCharacters() async throws {
    let authenticator = try fixture.authenticator(BearerTokenFixture.introspection())
    fixture.answering([:])
    for token in ["00D580!AQ4AQFg7vF5Kx0yPq2w3._x", "abc:def@ghi", "v^1.1#i^1#p^3#f^0"] {
      #expect(try await fixture.principal(authenticator, token) != nil, "\(token)")
    }
    #expect(fixture.requests("/introspect") == 3)
    for token in ["two words", "caf\u{E9}"] {
      #expect(await fixture.code(authenticator, token) != nil, "\(token)")
    }
    #expect(fixture.requests("/introspect") == 3)
  }

  @Test(
    "Where the issuer is away, or does not say whether the token is active, nothing is known: 503")
  func away() async throws {
    let answers: [HTTPResponse] = [
      .of(500), .of(401), .of(302), .json("{}"), .json("{\"active\":\"true\"}"),
      .json("{\"active\":1}"),
      .json("[]"), .of(200, "text/html", "<html>"), .json("{\"active\":true,\"active\":true}"),
      .json("{\"active\":true,\"pad\":\"" + String(repeating: "a", count: 300_000) + "\"}"),
    ]
    for (place, given) in answers.enumerated() {
      let authenticator = try fixture.authenticator(BearerTokenFixture.introspection())
      fixture.answer.withLock { $0 = given }
      let error = await #expect(throws: TokenError.self) {
        try await fixture.principal(authenticator, "t\(place)")
      }
      #expect(error?.code == .registryIntrospection, "\(place)")
      #expect(TokenAuthenticator.refusal(error).status == 503)
      // It is not remembered.
      fixture.answering([:])
      #expect(try await fixture.principal(authenticator, "t\(place)") != nil)
    }
    #expect(fixture.observer.lines.contains { $0.hasPrefix("registry.introspection-failed") })
  }

  @Test(
    "Where the issuer is slow, away or sends more than is read, nothing is known: 503",
    arguments: [
      TokenError.Code.transportTimeout, .transportNoConnection, .transportTooLarge,
      .transportUntrustedServer,
    ])
  func network(code: TokenError.Code) async throws {
    try fixture.write(
      "trust.json",
      "{\"audiences\": [\"\(BearerTokenFixture.audience)\"], \"issuers\": [\(BearerTokenFixture.introspection())]}"
    )
    let limits = Mutexed([Int]())
    let broken = ScriptedTransport { (request) throws(TokenError) in
      limits.withLock { $0.append(request.maximumResponseBytes) }
      throw TokenError(code)
    }
    let authenticator = TokenAuthenticator(
      BearerTokenRegistry(
        trustFile: fixture.folder.path() + "trust.json", transport: broken, clock: fixture.time,
        observer: fixture.observer),
      clock: fixture.time)
    let error = await #expect(throws: TokenError.self) {
      try await fixture.principal(authenticator, "opaque")
    }
    #expect(error?.code == .registryIntrospection)
    #expect(TokenAuthenticator.refusal(error).status == 503)
    // Five megabytes are never read.
    #expect(limits.current.allSatisfy { $0 <= 1 << 20 } && limits.current.count == 1)
  }

  @Test("Tokens are shown to no stranger: a JWT goes there only if it names that issuer")
  func strangers() async throws {
    let authenticator = try fixture.authenticator(
      BearerTokenFixture.introspection() + ", " + BearerTokenFixture.keysAt)
    fixture.answering([:])
    #expect(try await fixture.principal(authenticator, fixture.jwt())?.subject == "alice")
    for token in [
      try fixture.jwt { $0["iss"] = "\"https://stranger.example\"" },
      try fixture.jwt { $0["iss"] = nil },
      "eyJhbGciOiJSU0EtT0FFUCJ9.a.b.c.d", "eyJhbGciOiJSUzI1NiJ9.!!.x",
    ] { #expect(await fixture.code(authenticator, token) != nil) }
    #expect(fixture.requests("/introspect") == 0)
    let own = try fixture.jwt { $0["iss"] = "\"https://as.example\"" }
    #expect(try await fixture.principal(authenticator, own)?.subject == "bob")
    #expect(fixture.requests("/introspect") == 1)
  }
}
