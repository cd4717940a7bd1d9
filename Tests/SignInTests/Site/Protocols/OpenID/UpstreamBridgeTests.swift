import AccessControl
import HTTPExchange
import Octets
import SecurityKeys
import TestSupport
import Testing

/// A real provider above the local token service: whose name its people have, and what of a request reaches it.
@Suite("People of a provider above the local token service")
struct UpstreamBridgeTests {
  private let fixture: OpenIDFixture
  private let site: AccessControlSite
  private let key = [UInt8](repeating: 7, count: 32)
  private let signing: SigningKey

  init() throws { (fixture, site, signing) = try Self.make() }

  private static func make(
    _ edit: (inout ACSIdentityProvider) -> Void = { _ in }
  ) throws -> (OpenIDFixture, AccessControlSite, SigningKey) {
    let fixture = try OpenIDFixture()
    let callback = "https://app.example/v2/upstream/openid/callback"
    fixture.provider.change { $0.redirectURI = callback }
    let party = try fixture.party { $0.redirectURI = try HTTPURL(callback) }
    let upstream = try SignInSite(
      SiteSettings(origin: try HTTPURL(callback).origin, prefix: "/v2/upstream/"),
      providers: [SignInProvider(id: "op", name: "OP", openID: party)], pages: Pages(),
      clock: fixture.time)
    var offered = ACSIdentityProvider(id: "OP", name: "OP", .upstream("op"))
    offered.errors = .openID
    edit(&offered)
    let everything = RuleGroup("all", rules: [ClaimRule(ClaimCondition(.provider("OP")))])
    var talks = RelyingParty(realm: "urn:talks", format: .swt, ruleGroups: ["all"])
    talks.returnAddresses = [try HTTPURL("https://talks.example/in")]
    talks.key = try SymmetricKey(bytes: [UInt8](repeating: 7, count: 32))
    var client = RelyingParty(realm: "client", format: .jwt, ruleGroups: ["all"])
    client.returnAddresses = [try HTTPURL("https://client.example/in")]
    client.clientSecret = Secret("client secret")
    let signing = try SigningKey(
      PrivateKey(pemOrDER: TestVector.bytes("keys/idp-rsa.key")),
      certificate: Certificate(
        der: try #require(try PEM.onlyBlock(of: TestVector.bytes("keys/idp-rsa.crt"))).bytes))
    let namespace = try ServiceNamespace(
      issuer: "https://app.example/", relyingParties: [talks, client], providers: [offered],
      ruleGroups: [everything],
      keys: NamespaceKeys(
        signing: signing, identifiers: SymmetricKey(bytes: [UInt8](repeating: 9, count: 32))))
    let site = try AccessControlSite(
      NamespaceStore(namespace), pages: Pages(), upstream: upstream, clock: fixture.time)
    return (fixture, site, signing)
  }

  private struct Pages: PageRenderer {
    func html(_ page: SitePage) -> (html: String, policy: String) {
      switch page {
      case .form(let address, let fields):
        (
          "form \(address.text)\n"
            + fields.map { "field \($0.name)=\($0.value)" }.joined(separator: "\n"), ""
        )
      case .content(let content): (content.notes.joined(separator: " "), "")
      case .refusal(let refusal): ("refusal \(refusal.code)", "")
      default: ("page", "")
      }
    }
  }

  /// A browser: what it was told to keep.
  private struct Browser {
    let site: AccessControlSite
    var jar: [String: String] = [:]

    mutating func get(_ target: String) async throws -> HTTPExchange.HTTPResponse {
      let parts = target.split(separator: "?", maxSplits: 1).map(String.init)
      let cookies = jar.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
      let response = await site.respond(
        to: WebRequest(
          method: "GET", path: parts[0], query: parts.count > 1 ? parts[1] : nil,
          fields: try HTTPFields(cookies.isEmpty ? [] : [("Cookie", cookies)])))
      for text in response.fields.values("Set-Cookie") {
        let pair = text.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1).map(String.init)
        jar[pair[0]] = text.contains("Max-Age=0") ? nil : pair.count > 1 ? pair[1] : ""
      }
      return response
    }
  }

  /// From a relying party to the provider.
  private func begin(
    _ target: String, _ browser: inout Browser
  ) async throws -> HTTPURL {
    let chosen = try await browser.get(target)
    let there = try await browser.get(
      HTTPURL(try #require(chosen.fields["Location"], "\(text(chosen))")).target)
    return try HTTPURL(try #require(there.fields["Location"], "\(text(there))"))
  }

  private func text(_ response: HTTPExchange.HTTPResponse) -> String {
    String(decoding: response.body, as: UTF8.self)
  }

  /// From the provider to the relying party.
  private func finish(
    _ address: HTTPURL, _ browser: inout Browser
  ) async throws -> HTTPExchange.HTTPResponse {
    let answer = try fixture.provider.authorize(.redirect(address))
    let back = try await browser.get("/v2/upstream/openid/callback?" + (answer.query ?? ""))
    return try await browser.get(try #require(back.fields["Location"], "\(text(back))"))
  }

  private func said(_ members: [String: String]) {
    fixture.provider.change { state in
      state.payload = { payload in for (name, value) in members { payload[name] = value } }
    }
  }

  private static let passive = "/v2/wsfederation?wa=wsignin1.0&wtrealm=urn%3Atalks"
  private static let authorize =
    "/v2/openid/authorize?response_type=code&client_id=client&scope=openid%20profile%20email&state=s"
    + "&redirect_uri=https%3A%2F%2Fclient.example%2Fin"

  /// The claims of the token that a relying party gets by WS-Federation.
  private func claims() async throws -> ClaimSet {
    var browser = Browser(site: site)
    let response = try await finish(try await begin(Self.passive, &browser), &browser)
    let line = try #require(
      text(response).split(separator: "\nfield ").first { $0.hasPrefix("wresult=") },
      "\(text(response))")
    let trust = Trust(
      issuers: [
        TrustedIssuer("https://app.example/", keys: [.secret(try SymmetricKey(bytes: key))])
      ], audiences: .oneOf(["urn:talks"]))
    return try TokenValidator(trust).validate(
      AnyToken(reading: Array(line.dropFirst(8).utf8)), at: fixture.time.now
    ).claims
  }

  /// What the client of OpenID Connect gets: the parameters at its address.
  private func answer(_ more: String = "") async throws -> FormReader {
    var browser = Browser(site: site)
    let response = try await finish(try await begin(Self.authorize + more, &browser), &browser)
    let location = try HTTPURL(try #require(response.fields["Location"], "\(text(response))"))
    return try FormReader((location.query ?? "").utf8)
  }

  /// The payload of an ID token.
  private func idToken(_ more: String = "") async throws -> JSONValue {
    let code = try await answer(more).require("code")
    let body = [
      "grant_type=authorization_code", "client_id=client", "client_secret=client%20secret",
      "redirect_uri=https%3A%2F%2Fclient.example%2Fin", "code=" + code,
    ].joined(separator: "&")
    let response = await site.respond(
      to: WebRequest(
        method: "POST", path: "/v2/openid/token",
        fields: try HTTPFields([("Content-Type", "application/x-www-form-urlencoded")]),
        body: Array(body.utf8)))
    let token = try #require(
      try JSONParser.parse(response.body)["id_token"]?.string, "\(text(response))")
    return try JSONParser.parse(Base64.decode(Array(token.split(separator: ".")[1].utf8), .url))
  }

  @Test(
    "SVC-5: One name for a person: a claim that is named like it stands neither beside nor before it"
  )
  func oneName() async throws {
    said(["sub": quoted("eve"), "nameid": quoted("ada"), "email": quoted("eve@example.org")])
    let claims = try await claims()
    #expect(claims[.nameIdentifier] == ["eve"])
    // What the token says of itself is nothing of the person.
    for name in ["iat", "nonce", "exp", "aud", "sub", "iss"] {
      #expect(claims[ClaimType(name)] == [])
    }
    let eve = try await idToken()["sub"]?.string
    said(["sub": quoted("ada"), "nameid": quoted("ada")])
    let ada = try await idToken()
    #expect(eve != nil && ada["sub"]?.string != nil && eve != ada["sub"]?.string)
    #expect(ada["nameid"] == nil)
  }

  @Test(
    "A provider's subjectFrom names the attribute that identifies people; it has one value or the person none"
  )
  func subjectFrom() async throws {
    let (fixture, site, _) = try Self.make { $0.subjectType = "employee" }
    let other = Self(fixture, site, signing)
    other.said(["sub": quoted("x1"), "employee": quoted("4711")])
    #expect(try await other.claims()[.nameIdentifier] == ["4711"])
    other.said(["sub": quoted("x1"), "employee": "[\"4711\",\"4712\"]"])
    #expect(try await other.answer()["error"] == "access_denied")
    other.said(["sub": quoted("x1"), "employee": quoted("")])
    #expect(try await other.answer()["error"] == "access_denied")
  }

  private init(_ fixture: OpenIDFixture, _ site: AccessControlSite, _ signing: SigningKey) {
    self.fixture = fixture
    self.site = site
    self.signing = signing
  }

  @Test("An e-mail address is verified where the provider is authoritative for it and says so")
  func emails() async throws {
    let (fixture, site, _) = try Self.make { $0.mailDomains = ["Corp.example"] }
    let other = Self(fixture, site, signing)
    for (email, verified, expected) in [
      ("ceo@corp.example", "true", true), ("ceo@corp.example", "false", false),
      ("ceo@corp.example.evil", "true", false), ("ceo@other.example", "true", false),
      ("ceo@corp.example", "\"true \"", false),
    ] {
      other.said(["sub": quoted("a"), "email": quoted(email), "email_verified": verified])
      let token = try await other.idToken()
      if token["email"] != nil {
        #expect(token["email_verified"]?.bool == expected, "\(email) \(verified)")
      } else {
        #expect(!expected)
      }
    }
  }

  @Test("An e-mail address of which the provider says nothing is not called verified")
  func silentEmail() async throws {
    let (fixture, site, _) = try Self.make { $0.mailDomains = ["corp.example"] }
    let other = Self(fixture, site, signing)
    other.said(["sub": quoted("a"), "email": quoted("ceo@corp.example")])
    #expect(try await other.idToken()["email_verified"]?.bool != true)
    other.said([
      "sub": quoted("a"), "email": quoted("ceo@corp.example"), "email_verified": "true",
    ])
    #expect(try await other.idToken()["email_verified"]?.bool == true)
  }

  @Test("SVC-10: What a relying party demands goes to the provider, and its word comes back")
  func freshness() async throws {
    var browser = Browser(site: site)
    let address = try await begin(
      Self.authorize + "&prompt=login&max_age=300&acr_values=urn%3Amfa&login_hint=ada", &browser)
    let query = try FormReader((address.query ?? "").utf8)
    #expect(query["prompt"] == "login" && query["max_age"] == "0")
    #expect(query["acr_values"] == "urn:mfa" && query["login_hint"] == "ada")
    var second = Browser(site: site)
    let wished = try await begin(Self.passive + "&wfresh=5&wauth=urn%3Amfa", &second)
    #expect(try FormReader((wished.query ?? "").utf8)["max_age"] == "300")
    let passive = try await begin(Self.authorize + "&prompt=none", &second)
    #expect(try FormReader((passive.query ?? "").utf8)["prompt"] == "none")

    let now = fixture.time.now.seconds
    said(["auth_time": "\(now - 200)", "acr": quoted("urn:password")])
    let token = try await idToken("&max_age=300&acr_values=urn%3Amfa")
    #expect(token["auth_time"]?.integer == Int(now - 200))
    #expect(token["acr"]?.string == "urn:password")
    // Too long ago, never said, and a person who did not sign in anew.
    for (instant, demand) in [
      ("\(now - 400)", "&max_age=300"), ("null", "&max_age=300"), ("\(now - 200)", "&prompt=login"),
      ("1e300", "&max_age=300"), ("-1", "&max_age=300"),
    ] {
      said(["auth_time": instant])
      #expect(try await answer(demand)["error"] == "login_required", "\(instant) \(demand)")
    }
    said([:])
    #expect(try await idToken()["auth_time"] == nil)
  }

  @Test(
    "SVC-3: What came back from the provider is one token of one sign-in, and none after sign-out")
  func arrivals() async throws {
    var browser = Browser(site: site)
    let first = try await begin(Self.passive, &browser)
    let abandoned = try await browser.get(Self.passive)
    let open = try #require(abandoned.fields["Location"])
    let other = try await browser.get(HTTPURL(open).target)
    #expect(other.status == 303)
    let answer = try fixture.provider.authorize(.redirect(first))
    let back = try await browser.get("/v2/upstream/openid/callback?" + (answer.query ?? ""))
    let nextLink = try #require(back.fields["Location"])
    // Another sign-in of the same browser is not finished by it.
    let cx = try #require(open.split(separator: "=").last)
    #expect(try await browser.get("/v2/continue?cx=" + cx).status == 400)
    var stranger = Browser(site: site)
    #expect(try await stranger.get(nextLink).status == 400)
    let before = browser
    #expect(text(try await browser.get(nextLink)).hasPrefix("form https://talks.example/in"))
    var copy = before
    #expect(try await copy.get(nextLink).status == 400)
    // Signed out between the answer and the token.
    browser = Browser(site: site)
    let second = try await begin(Self.passive, &browser)
    let again = try fixture.provider.authorize(.redirect(second))
    let arrived = try await browser.get("/v2/upstream/openid/callback?" + (again.query ?? ""))
    let target = try #require(arrived.fields["Location"])
    copy = browser
    _ = try await browser.get("/v2/wsfederation?wa=wsignout1.0")
    #expect(try await copy.get(target).status == 400)
    #expect(
      try await browser.get("/v2/upstream/sign-in?provider=op&return=/v2/continue").status == 404)
  }
}
