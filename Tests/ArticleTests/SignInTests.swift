import Foundation
import IdentityProviderTesting
import SignIn
import TestSupport
import Testing

@testable import ArticleExamples

@Suite("The articles on signing in")
struct ArticleSignInTests {
  private let clock = ManualTime()
  private let idp: IdentityProviderSimulator
  private let origin = "https://app.example/"

  init() throws { idp = try IdentityProviderSimulator() }

  private static func text(_ response: HTTPResponse) -> String {
    String(decoding: response.body, as: UTF8.self)
  }

  @Test("SAML 2.0: a person is signed in; an answer that was not asked for has its code")
  func saml() async throws {
    let metadata = try IdentityProviderMetadata(
      entityID: idp.entityID, certificates: [idp.certificate], signOn: "https://idp.example/sso"
    ).document()
    let browser = Browser(
      try samlSite(
        origin: origin, metadata: metadata, key: idp.key, pages: CodePages(), clock: clock))
    let request = try await browser.begin()
    #expect(request.origin.description == "https://idp.example")
    let id = try #require(request.parameter("RelayState"))
    func answer(_ request: String?) throws -> WebRequest {
      try idp.message(
        .init(
          inResponseTo: request, recipient: origin + "sso/saml/acs", audience: origin + "saml",
          at: clock.now))
    }
    let refused = try await browser.send("POST", "/sso/saml/acs", form: answer(nil))
    #expect(Self.text(refused) == "signin.unsolicited")
    #expect(try await browser.subject() == nil)
    let done = try await browser.send("POST", "/sso/saml/acs", form: answer("_" + id))
    #expect(done.status == 303 && done.fields["Location"] == "/page")
    #expect(try await browser.subject() == "ada")
  }

  @Test("WS-Federation: a person is signed in; a token for another realm has its code")
  func wsFederation() async throws {
    let metadata = try SecurityTokenServiceMetadata(
      issuer: idp.entityID, certificates: [idp.certificate],
      passive: "https://idp.example/adfs/ls/"
    ).document()
    let browser = Browser(
      try wsFederationSite(
        origin: origin, realm: "urn:app", metadata: metadata, signedBy: nil, pages: CodePages(),
        clock: clock))
    let request = try await browser.begin()
    #expect(request.path == "/adfs/ls/")
    let context = try #require(request.parameter("wctx"))
    func answer(for realm: String) throws -> WebRequest {
      let draft = TokenDraft(
        issuer: idp.entityID, audiences: [realm], subject: "ada", issuedAt: clock.now)
      let result = try SAMLIssuer(.v2, key: idp.key).tokenResponse(draft)
      return IdentityProviderSimulator.form([
        ("wa", "wsignin1.0"), ("wresult", String(decoding: result, as: UTF8.self)),
        ("wctx", context),
      ])
    }
    let refused = try await browser.send("POST", "/sso/wsfed", form: answer(for: "urn:other"))
    #expect(Self.text(refused) == "audience.mismatch")
    let done = try await browser.send("POST", "/sso/wsfed", form: answer(for: "urn:app"))
    #expect(done.status == 303)
    #expect(try await browser.subject() == "ada")
  }

  @Test("OpenID Connect: a person is signed in; an ID token with another nonce has its code")
  func openID() async throws {
    let nonce = Mutexed("another")
    let (clock, key) = (clock, idp.key)
    let transport = ScriptedTransport { request throws(TokenError) in
      switch request.url.path {
      case "/.well-known/openid-configuration":
        return .json(
          """
          {"issuer":"https://idp.example","authorization_endpoint":"https://idp.example/authorize",
          "token_endpoint":"https://idp.example/token","jwks_uri":"https://idp.example/keys",
          "response_types_supported":["code"],"subject_types_supported":["public"],
          "id_token_signing_alg_values_supported":["RS256"]}
          """)
      case "/keys":
        return .json(String(decoding: TestVector.bytes("keys/jwks.json"), as: UTF8.self))
      default:
        let draft = TokenDraft(
          issuer: "https://idp.example", audiences: ["app"], subject: "ada",
          claims: ClaimSet([Claim("nonce", nonce.current)]), issuedAt: clock.now)
        let token = String(
          decoding: try JSONWebToken.mint(draft, key: key, keyID: "rsa-1"), as: UTF8.self)
        return .json("{\"access_token\":\"a\",\"token_type\":\"Bearer\",\"id_token\":\"\(token)\"}")
      }
    }
    let browser = Browser(
      try openIDSite(
        origin: origin, issuer: "https://idp.example", clientID: "app", secret: Secret("secret"),
        over: transport, pages: CodePages(), clock: clock))
    func callback(_ request: HTTPURL) throws -> String {
      "/sso/openid/login/callback?code=c&state=" + (try #require(request.parameter("state")))
    }
    let other = try await browser.send("GET", callback(try await browser.begin()))
    #expect(Self.text(other) == "response.in-response-to-mismatch")
    #expect(try await browser.subject() == nil)
    clock.advance(bySeconds: 60)
    let request = try await browser.begin()
    #expect(request.path == "/authorize")
    nonce.withLock { $0 = request.parameter("nonce") ?? "" }
    let done = try await browser.send("GET", callback(request))
    #expect(done.status == 303, "\(Self.text(done))")
    #expect(try await browser.subject() == "ada")
  }
}
