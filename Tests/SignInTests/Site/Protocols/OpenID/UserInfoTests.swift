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
    party = try fixture.party { $0.fetchesUserInfo = true }
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
        .map { $0.fields["Accept"] } == ["application/json"])
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

  @Test("A signed answer, a page, a redirect, an array or an outage is refused")
  func otherAnswers() async throws {
    let answers: [(HTTPResponse, TokenError.Code)] = [
      (.of(200, "application/jwt", "a.b.c"), .signInUserInfo),
      (.of(200, "Application/JWT; charset=utf-8", "a.b.c"), .signInUserInfo),
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
}
