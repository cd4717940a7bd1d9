import HTTPExchange
import SignInAttack
import TestSupport
import Testing
import TokenBasics

@Suite("The provider")
struct ProviderTests {
  private let clock = AdvancingTime()

  private func provider(_ name: AttackConfiguration.SignInProtocol) throws -> RogueProvider {
    RogueProvider(try AttackFixture.configuration(name), try AttackFixture.keys.get())
  }

  private func answer(_ provider: RogueProvider, challenge: String?) throws -> String {
    var request = SignInRequest(
      consumer: try HTTPURL(AttackFixture.service + "/callback"), audience: "app")
    request.state = "s"
    request.challenge = challenge
    let made = try #require(try provider.answer(to: request, AnswerPlan("alice"), at: clock.now))
    let code = try #require(made.answer.url.query?.firstMatch(of: /code=([^&]+)/))
    return String(code.1)
  }

  private func token(
    _ provider: RogueProvider, _ form: String, at path: String = "/token"
  ) -> HTTPResponse {
    provider.respond(
      to: WebRequest(
        method: "POST", path: path, contentType: "application/x-www-form-urlencoded",
        body: Array(form.utf8)), at: clock.now)
  }

  @Test("A code gives a token once")
  func once() throws {
    let provider = try provider(.openID)
    let code = try answer(provider, challenge: nil)
    #expect(token(provider, "code=\(code)").status == 200)
    #expect(token(provider, "code=\(code)").status == 400)
    #expect(token(provider, "code=unknown").status == 400)
  }

  @Test("A code of one provider gives no token at the other")
  func otherProvider() throws {
    let provider = try provider(.openID)
    let code = try answer(provider, challenge: nil)
    #expect(token(provider, "code=\(code)", at: "/second/token").status == 400)
    #expect(token(provider, "code=\(code)").status == 200)
  }

  @Test("The second provider has its own name and key")
  func second() throws {
    let provider = try provider(.openID)
    func body(_ path: String) -> [UInt8] { provider.respond(to: .get(path), at: clock.now).body }
    let discovery = try JSONParser.parse(body("/second/.well-known/openid-configuration"))
    #expect(discovery["issuer"]?.string == AttackFixture.issuer + "/second")
    #expect(discovery["jwks_uri"]?.string == AttackFixture.issuer + "/second/keys")
    #expect(Set([body("/keys"), body("/second/keys"), body("/elsewhere/keys")]).count == 3)
  }

  @Test("A proof key has to fit")
  func proofKey() throws {
    let provider = try provider(.openID)
    // RFC 7636, appendix B.
    let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
    let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    #expect(token(provider, "code=\(try answer(provider, challenge: challenge))").status == 400)
    #expect(
      token(provider, "code=\(try answer(provider, challenge: challenge))&code_verifier=x").status
        == 400)
    #expect(
      token(
        provider, "code=\(try answer(provider, challenge: challenge))&code_verifier=\(verifier)"
      ).status
        == 200)
  }

  @Test("UserInfo speaks of the person of the access token")
  func user() throws {
    let provider = try provider(.openID)
    let given = try JSONParser.parse(
      token(provider, "code=\(try answer(provider, challenge: nil))").body)
    var request = WebRequest.get("/userinfo")
    try request.fields.append("Authorization", "Bearer \(given["access_token"]?.string ?? "")")
    let person = try JSONParser.parse(provider.respond(to: request, at: clock.now).body)
    #expect(person["sub"]?.string == "alice")
    #expect(provider.respond(to: .get("/userinfo"), at: clock.now).status == 401)
  }

  @Test(
    "What a service reads is there",
    arguments: [
      "/metadata", "/FederationMetadata/2007-06/FederationMetadata.xml",
      "/.well-known/openid-configuration", "/keys",
      "/certificate.pem", "/second/metadata", "/second/.well-known/openid-configuration",
      "/second/keys", "/second/certificate.pem", "/elsewhere/keys", "/elsewhere/certificate.pem",
    ])
  func documents(path: String) throws {
    #expect(try provider(.saml20).respond(to: .get(path), at: clock.now).status == 200)
    #expect(try provider(.saml20).respond(to: .get(path + "x"), at: clock.now).status == 404)
  }

  @Test("A person's own browser gets a page with a button, and nothing runs")
  func page() throws {
    let query =
      "wa=wsignin1.0&wtrealm=urn%3Aapp&wctx=%22%3E%3Cb%3E&wreply=http%3A%2F%2F127.0.0.1%3A8080%2Facs"
    let request = WebRequest(method: "GET", path: "/sso", query: query)
    let response = try provider(.wsFederation).respond(to: request, at: clock.now)
    let form = try #require(FormFinder.forms(in: response.body).first)
    #expect(form.action == "http://127.0.0.1:8080/acs" && form["wctx"] == "\"><b>")
    #expect(!String(decoding: response.body, as: UTF8.self).contains("<script"))
    let elsewhere = WebRequest(
      method: "GET", path: "/sso",
      query: query.replacing("127.0.0.1%3A8080", with: "elsewhere.example").replacing(
        "http%3A", with: "https%3A"))
    #expect(try provider(.wsFederation).respond(to: elsewhere, at: clock.now).status == 400)
  }

  @Test("Keys come back from their file as they were, and from nothing else")
  func keys() throws {
    let keys = try AttackFixture.keys.get()
    let read = try #require(ProviderKeys(keys.json))
    #expect(read.json == keys.json)
    #expect(ProviderKeys(Array("{}".utf8)) == nil)
  }
}
