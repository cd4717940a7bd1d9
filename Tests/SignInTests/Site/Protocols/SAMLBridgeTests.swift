import AccessControl
import HTTPExchange
import IdentityProviderTesting
import SecurityKeys
import SignIn
import TestSupport
import Testing
import TokenBasics

/// People of a SAML provider above the local token service.
@Suite("People of a SAML provider above the local token service")
struct SAMLBridgeTests {
  private let clock = ManualTime()
  private let above: SAMLUpstream
  private let site: AccessControlSite

  init() throws {
    above = try SAMLUpstream(pages: Pages(), clock: clock)
    var offered = ACSIdentityProvider(id: "Campus", name: "Campus", .upstream("idp"))
    offered.mailDomains = ["idp.example"]
    var client = RelyingParty(realm: "client", format: .jwt, ruleGroups: ["all"])
    client.returnAddresses = [try HTTPURL("https://client.example/in")]
    client.clientSecret = Secret("client secret")
    let namespace = try ServiceNamespace(
      issuer: "https://app.example/", relyingParties: [client], providers: [offered],
      ruleGroups: [RuleGroup("all", rules: [ClaimRule(ClaimCondition(.provider("Campus")))])],
      keys: NamespaceKeys(
        signing: above.own.key, identifiers: SymmetricKey(bytes: [UInt8](repeating: 9, count: 32))))
    site = try AccessControlSite(
      NamespaceStore(namespace), pages: Pages(), upstream: above.site, clock: clock)
  }

  private struct Pages: PageRenderer {
    func html(_ page: SitePage) -> (html: String, policy: String) {
      if case .refusal(let refusal) = page { ("refusal \(refusal.code)", "") } else { ("page", "") }
    }
  }

  /// Signs in at the provider: the parameters at the client.
  private func answer(
    _ claims: [Claim], nameFormat: String? = nil
  ) async throws -> FormReader {
    var browser = UpstreamFixture.Browser(site: site)
    let chosen = try await browser.get(
      "/v2/openid/authorize?response_type=code&client_id=client&scope=openid%20profile%20email"
        + "&redirect_uri=https%3A%2F%2Fclient.example%2Fin")
    let there = try await browser.get(HTTPURL(try #require(chosen.fields["Location"])).target)
    let answer = try above.answer(to: there, claims, at: clock.now) { $0.nameFormat = nameFormat }
    let back = try await browser.post("/v2/upstream/saml/acs", answer)
    let done = try await browser.get(try #require(back.fields["Location"]))
    let location = try HTTPURL(try #require(done.fields["Location"]))
    return try FormReader((location.query ?? "").utf8)
  }

  private func idToken(_ claims: [Claim]) async throws -> JSONValue {
    var browser = UpstreamFixture.Browser(site: site)
    let code = try await answer(claims).require("code")
    let body = [
      "grant_type=authorization_code", "client_id=client", "client_secret=client%20secret",
      "redirect_uri=https%3A%2F%2Fclient.example%2Fin",
      "code=" + code,
    ].joined(separator: "&")
    let response = try await browser.post(
      "/v2/openid/token",
      WebRequest(
        method: "POST", path: "/", contentType: FormReader.mediaType, body: Array(body.utf8)))
    let token = try #require(try JSONParser.parse(response.body)["id_token"]?.string)
    return try JSONParser.parse(Base64.decode(Array(token.split(separator: ".")[1].utf8), .url))
  }

  @Test("What a JSON Web Token says of itself is no claim that SAML can give")
  func claims() async throws {
    let token = try await idToken([
      Claim("events", "a claim"), Claim(.emailAddress, "ada@idp.example"), Claim(.name, "Ada"),
    ])
    #expect(token["events"] == nil && token["name"]?.string == "Ada")
    // Its domain is the provider's, and SAML has no word on verified addresses.
    #expect(token["email_verified"]?.bool == true)
    let stranger = try await idToken([Claim(.emailAddress, "ada@other.example")])
    #expect(stranger["email_verified"]?.bool != true)
  }

  @Test("A name that does not last identifies nobody over OpenID Connect; one that lasts does")
  func transient() async throws {
    let refused = try await answer([], nameFormat: NameFormat.transient)
    #expect(refused["code"] == nil && refused["error"] == "access_denied")
    #expect(try await answer([], nameFormat: NameFormat.persistent)["code"] != nil)
  }
}
