import HTTPExchange
import SignIn
import TestSupport
import Testing

@Suite("OpenID Connect: UserInfo")
struct UserInfoTests {
  private let fixture: OpenIDFixture
  private let party: OpenIDRelyingParty

  init() throws {
    fixture = try OpenIDFixture()
    party = try fixture.party { $0.userInfo = .always }
  }

  @Test("Its claims are added, marked with where they came from; what is signed comes first")
  func adds() async throws {
    let signIn = try await fixture.signIn(party) {
      $0.userInfo = [
        "sub": "\"alice\"", "email": "\"alice@example.com\"", "name": "\"Mallory\"",
        "groups": "[\"a\",\"b\"]", "email_verified": "true", "acr": "\"mfa\"", "nothing": "null",
      ]
    }
    #expect(
      fixture.transport.requests.filter { $0.url.path.hasSuffix("/userinfo") }
        .map { $0.fields["Accept"] } == ["application/json, application/jwt"])
    let claims = signIn.principal.claims
    #expect(claims["name"] == ["Alice"] && claims["groups"] == ["a", "b"])
    #expect(claims["email_verified"] == ["true"] && claims["acr"].isEmpty)
    #expect(claims["nothing"].isEmpty)
    let email = try #require(claims.first { $0.type == "email" })
    #expect(email.properties[OpenIDSignIn.sourceProperty] == OpenIDSignIn.userInfo)
    #expect(email.issuer == fixture.provider.issuer && email.value == "alice@example.com")
    let name = try #require(claims.first { $0.type == "name" })
    #expect(name.properties[OpenIDSignIn.sourceProperty] == nil)
  }

  @Test("It is asked only where the registration says so")
  func onRequest() async throws {
    let signIn = try await fixture.signIn(fixture.party())
    #expect(signIn.principal.claims["email"].isEmpty)
    #expect(!fixture.transport.requests.contains { $0.url.path.hasSuffix("/userinfo") })
  }

  @Test("An answer about another subject is refused; one about the same is not")
  func otherSubject() async throws {
    for subject in ["\"mallory\"", "\"ALICE\"", "7", "null"] {
      #expect(try await fixture.refusal(party) { $0.userInfo["sub"] = subject } == .signInUserInfo)
    }
    #expect(try await fixture.refusal(party) { $0.userInfo["sub"] = nil } == .signInUserInfo)
    #expect(try await fixture.refusal(party) { $0.userInfo["sub"] = "\"alice\"" } == nil)
  }

  @Test("An encrypted answer, a page, a redirect, an array or an outage is refused")
  func otherAnswers() async throws {
    let answers: [(HTTPResponse, TokenError.Code)] = [
      (.of(200, "application/jwt", "a.b.c.d.e"), .signInUserInfo),
      (.of(200, "Application/JWT; charset=utf-8", "{}"), .signInUserInfo),
      (.of(200, "text/html", "<html>"), .transportMalformedResponse),
      (.json("[]"), .transportMalformedResponse), (.of(302), .transportRedirect),
      (.of(500), .transportStatus),
      (.json("{\"sub\":\"x\",\"sub\":\"alice\"}"), .duplicateJSONName),
    ]
    for (answer, expected) in answers {
      #expect(try await fixture.refusal(party) { $0.replaced["/userinfo"] = answer } == expected)
    }
    fixture.provider.change {
      $0.replaced["/userinfo"] = nil
      $0.discovery["userinfo_endpoint"] = nil
    }
    await fixture.registry.refresh()
    #expect(try await fixture.refusal(party) { _ in } == .signInNoEndpoint)
  }

  @Test("Where it is read for missing claims, an ID token that has them all is enough")
  func onlyMissing() async throws {
    func asked() -> Int {
      fixture.transport.requests.count { $0.url.path.hasSuffix("/userinfo") }
    }
    let enough = try fixture.party { $0.userInfo = .forMissing([["upn", "name"], ["sid"]]) }
    _ = try await fixture.signIn(enough, code: "a")
    #expect(asked() == 0)
    let needed: [[ClaimType]] = [["name"], ["email", .emailAddress]]
    let party = try fixture.party { $0.userInfo = .forMissing(needed) }
    let signIn = try await fixture.signIn(party, code: "b") { $0.userInfo["name"] = "\"Mallory\"" }
    #expect(asked() == 1)
    #expect(signIn.principal.claims["name"] == ["Alice"])
    #expect(signIn.principal.claims["email"] == ["alice@example.com"])
    // Its answer is no less compared.
    #expect(try await fixture.refusal(party) { $0.userInfo["sub"] = "\"bob\"" } == .signInUserInfo)
    fixture.provider.change { $0.discovery["userinfo_endpoint"] = nil }
    await fixture.registry.refresh()
    #expect(try await fixture.signIn(party, code: "c").principal.claims["email"].isEmpty)
  }

  @Test(
    "Where nobody demands it, a request that fails refuses nobody: what it was asked for is unknown, and a warning says why"
  )
  func optional() async throws {
    let party = try fixture.party { $0.userInfo = .forMissing([["name"], ["email"], ["groups"]]) }
    for (answer, cause) in [
      (HTTPResponse.of(401), "transport.status"), (.of(302), "transport.redirect"),
      (.of(200, "text/html", "<html>"), "transport.malformed-response"),
    ] {
      let signIn = try await fixture.signIn(party, code: cause) {
        $0.replaced["/userinfo"] = answer
      }
      let principal = signIn.principal
      #expect(principal.claims["name"] == ["Alice"] && principal.claims["email"].isEmpty)
      #expect(
        principal.warnings.contains { $0.contains("userinfo_endpoint") && $0.contains(cause) })
      let known = try #require(principal.keptTypes)
      #expect(known.contains("name") && !known.contains("email") && !known.contains("groups"))
    }
    fixture.provider.change { $0.replaced["/userinfo"] = nil }
    let whole = try await fixture.signIn(party, code: "whole").principal
    #expect(whole.claims["email"] == ["alice@example.com"] && whole.keptTypes == nil)
    // What is not in a good answer is absent, not unknown.
    #expect(whole.claims["groups"].isEmpty && whole.warnings.isEmpty)
  }

  // MARK: Signed answers

  private func signed(
    _ change: (inout [String: String]) -> Void = { _ in }, type: String? = "JWT",
    by key: ProviderKey? = nil
  ) throws -> HTTPResponse {
    var payload = [
      "iss": quoted(fixture.provider.issuer), "aud": quoted(ScriptedProvider.clientID),
      "sub": quoted("alice"), "email": quoted("alice@example.com"),
    ]
    change(&payload)
    let key = try key ?? ProviderKey.first
    let token = try key.token(payload, type: type, keyID: key.keyID)
    return .of(200, "application/jwt", token)
  }

  @Test("A signed answer is verified with the provider's keys, for this issuer and this client")
  func signedAnswer() async throws {
    for type in ["JWT", nil] {
      let answer = try signed(type: type)
      let signIn = try await fixture.signIn(party, code: "s\(type ?? "")") {
        $0.replaced["/userinfo"] = answer
      }
      #expect(signIn.principal.claims["email"] == ["alice@example.com"])
      #expect(signIn.principal.claims["aud"].isEmpty && signIn.principal.claims["iss"].isEmpty)
    }
    let end = "\(fixture.time.now.seconds + 60)"
    let ended = "\(fixture.time.now.seconds - 61)"
    let cases: [(HTTPResponse, TokenError.Code?)] = [
      (try signed { $0["iss"] = "\"https://evil.example/\"" }, .signInUserInfo),
      (try signed { $0["iss"] = nil }, .signInUserInfo),
      (try signed { $0["aud"] = "\"other\"" }, .signInUserInfo),
      (try signed { $0["aud"] = nil }, .signInUserInfo),
      (try signed { $0["aud"] = "[\"other\",\"client 1\"]" }, nil),
      (try signed { $0["sub"] = "\"mallory\"" }, .signInUserInfo),
      (try signed { $0["exp"] = ended }, .signInUserInfo),
      (try signed { $0["exp"] = end }, nil),
      (try signed(type: "at+jwt"), .tokenPurpose),
      (try signed(by: ProviderKey.second), .unknownKeyID),
      (try signed(by: ProviderKey("idp-ec256", .ecdsaSHA256)), .algorithmNotAllowed),
    ]
    for (answer, expected) in cases {
      #expect(try await fixture.refusal(party) { $0.replaced["/userinfo"] = answer } == expected)
    }
  }

  @Test("The algorithms of a signed answer are those that the provider lists for it")
  func signedAlgorithms() async throws {
    let key = try ProviderKey("idp-ec256", .ecdsaSHA256)
    let answer = try signed(by: key)
    fixture.provider.change {
      $0.discovery["userinfo_signing_alg_values_supported"] = "[\"ES256\",\"none\",\"HS256\"]"
      $0.keySet.append(key)
      $0.replaced["/userinfo"] = answer
    }
    #expect(try await fixture.signIn(party).principal.claims["email"] == ["alice@example.com"])
    let other = try signed()
    #expect(
      try await fixture.refusal(party) { $0.replaced["/userinfo"] = other } == .algorithmNotAllowed)
  }

  @Test("A signed answer by a key that the provider published since is verified with it")
  func newKey() async throws {
    let key = try ProviderKey.second
    _ = try await fixture.signIn(fixture.party())
    let answer = try signed(by: key)
    fixture.provider.change {
      $0.keySet.append(key)
      $0.replaced["/userinfo"] = answer
    }
    fixture.time.advance(bySeconds: 3_600)
    let principal = try await fixture.signIn(party, code: "new").principal
    #expect(principal.claims["email"] == ["alice@example.com"])
    // What is wrong in itself is not asked for again.
    let before = fixture.transport.requests.count { $0.url.path.hasSuffix("/keys") }
    let wrong = try signed(by: ProviderKey("idp-ec256", .ecdsaSHA256))
    // Long enough to ask for an unknown key again, and too short for a refresh that is due anyway.
    fixture.time.advance(bySeconds: 90)
    let code = try await fixture.refusal(party) { $0.replaced["/userinfo"] = wrong }
    #expect(code == .algorithmNotAllowed)
    let after = fixture.transport.requests.count { $0.url.path.hasSuffix("/keys") }
    #expect(before == after)
  }
}
