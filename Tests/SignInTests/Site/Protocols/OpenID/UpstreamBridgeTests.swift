import AccessControl
import HTTPExchange
import SecurityKeys
import TestSupport
import Testing
import TokenBasics

/// A real provider above the local token service: whose name its people have, and what of a request reaches it.
@Suite("People of a provider above the local token service")
struct UpstreamBridgeTests {
  private typealias Browser = UpstreamFixture.Browser
  private let fixture: OpenIDFixture
  private let site: AccessControlSite

  init() throws { self.init(try UpstreamFixture()) }

  private init(_ upstream: UpstreamFixture) { (fixture, site) = (upstream.provider, upstream.site) }

  /// From a relying party to the provider.
  private func begin(
    _ target: String, _ browser: inout Browser
  ) async throws -> HTTPURL {
    let chosen = try await browser.get(target)
    let there = try await browser.get(
      HTTPURL(try #require(chosen.fields["Location"], "\(chosen.text)")).target)
    return try HTTPURL(try #require(there.fields["Location"], "\(there.text)"))
  }

  /// From the provider to the relying party.
  private func finish(
    _ address: HTTPURL, _ browser: inout Browser
  ) async throws -> HTTPExchange.HTTPResponse {
    let answer = try fixture.provider.authorize(.redirect(address))
    let back = try await browser.get("/v2/upstream/openid/callback?" + (answer.query ?? ""))
    return try await browser.get(try #require(back.fields["Location"], "\(back.text)"))
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

  private static func authorize(state: String) -> String {
    authorize.replacing("&state=s&", with: "&state=\(state)&")
  }

  /// The claims of the token that a relying party gets by WS-Federation.
  private func claims() async throws -> ClaimSet {
    var browser = Browser(site: site)
    let response = try await finish(try await begin(Self.passive, &browser), &browser)
    let line = try #require(
      response.text.split(separator: "\nfield ").first { $0.hasPrefix("wresult=") },
      "\(response.text)")
    let trust = Trust(
      issuers: [
        TrustedIssuer(
          "https://app.example/", keys: [.secret(try SymmetricKey(bytes: UpstreamFixture.key))])
      ], audiences: .oneOf(["urn:talks"]))
    return try TokenValidator(trust).validate(
      AnyToken(reading: Array(line.dropFirst(8).utf8)), at: fixture.time.now
    ).claims
  }

  /// What the client of OpenID Connect gets: the parameters at its address.
  private func answer(_ more: String = "") async throws -> FormReader {
    var browser = Browser(site: site)
    let response = try await finish(try await begin(Self.authorize + more, &browser), &browser)
    let location = try HTTPURL(try #require(response.fields["Location"], "\(response.text)"))
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
      try JSONParser.parse(response.body)["id_token"]?.string, "\(response.text)")
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
    let other = Self(try UpstreamFixture { $0.subjectType = "employee" })
    other.said(["sub": quoted("x1"), "employee": quoted("4711")])
    #expect(try await other.claims()[.nameIdentifier] == ["4711"])
    other.said(["sub": quoted("x1"), "employee": "[\"4711\",\"4712\"]"])
    #expect(try await other.answer()["error"] == "access_denied")
    other.said(["sub": quoted("x1"), "employee": quoted("")])
    #expect(try await other.answer()["error"] == "access_denied")
  }

  @Test("An e-mail address is verified where the provider is authoritative for it and says so")
  func emails() async throws {
    let other = Self(try UpstreamFixture { $0.mailDomains = ["Corp.example"] })
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

  @Test("What a rule makes an e-mail address of is none that the provider verified")
  func ruledEmail() async throws {
    let upn = ClaimRule(
      ClaimCondition(.provider("OP"), type: .upn), outputType: .emailAddress)
    let other = Self(try UpstreamFixture(rules: [upn]) { $0.mailDomains = ["corp.example"] })
    other.said([
      "sub": quoted("a"), "email": quoted("a@corp.example"), "email_verified": "true",
      "upn": quoted("ceo@corp.example"),
    ])
    let token = try await other.idToken()
    #expect(token["email"]?.string == "ceo@corp.example")
    #expect(token["email_verified"]?.bool == false)
  }

  @Test(
    "What a provider says to prompt=none reaches the client in its words; anything else is denied")
  func passiveErrors() async throws {
    for (said, expected) in [
      ("login_required", "login_required"), ("interaction_required", "interaction_required"),
      ("consent_required", "consent_required"), ("access_denied", "access_denied"),
      ("account_selection_required", "account_selection_required"),
      ("server_error", "access_denied"),
    ] {
      var browser = Browser(site: site)
      let address = try await begin(Self.authorize, &browser)
      let state = try FormReader((address.query ?? "").utf8).require("state")
      let back = try await browser.get(
        "/v2/upstream/openid/callback?state=\(state)&error=\(said)"
          + "&iss=https%3A%2F%2Fidp.example%2Ftenant")
      let location = try HTTPURL(try #require(back.fields["Location"], "\(back.text)"))
      #expect(try FormReader((location.query ?? "").utf8)["error"] == expected, "\(said)")
    }
  }

  @Test("An e-mail address of which the provider says nothing is not called verified")
  func silentEmail() async throws {
    let other = Self(try UpstreamFixture { $0.mailDomains = ["corp.example"] })
    other.said(["sub": quoted("a"), "email": quoted("ceo@corp.example")])
    #expect(try await other.idToken()["email_verified"]?.bool != true)
    other.said([
      "sub": quoted("a"), "email": quoted("ceo@corp.example"), "email_verified": "true",
    ])
    #expect(try await other.idToken()["email_verified"]?.bool == true)
  }

  @Test(
    "oidcc-prompt-none-logged-in: prompt=none gives a code where the provider knows the person, the same subject"
  )
  func passiveSuccess() async throws {
    let first = try await idToken()["sub"]?.string
    let silent = try await idToken("&prompt=none")["sub"]?.string
    #expect(first != nil && silent == first)
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
    for instant in ["-1", "1e300", "null"] {
      said(["auth_time": instant])
      #expect(try await idToken()["auth_time"] == nil, "\(instant)")
    }
  }

  @Test("Five tabs of a browser are at the provider at once, and each comes back to its own client")
  func tabs() async throws {
    var browser = Browser(site: site)
    var begun: [HTTPURL] = []
    for number in 0..<5 {
      begun.append(try await begin(Self.authorize(state: "s-tab-\(number)"), &browser))
    }
    // All answers come before the first tab goes on.
    var links: [String] = []
    for address in begun {
      let answer = try fixture.provider.authorize(.redirect(address))
      let back = try await browser.get("/v2/upstream/openid/callback?" + (answer.query ?? ""))
      links.append(try #require(back.fields["Location"], "\(back.text)"))
    }
    for (number, link) in links.enumerated() {
      let response = try await browser.get(link)
      let location = try HTTPURL(try #require(response.fields["Location"], "\(response.text)"))
      let parameters = try FormReader((location.query ?? "").utf8)
      #expect(parameters["code"] != nil && parameters["state"] == "s-tab-\(number)")
    }
  }

  @Test("A state of 4 KiB comes back whole from a provider")
  func longState() async throws {
    let state = String(repeating: "x", count: 4_096)
    var browser = Browser(site: site)
    let begun = try await begin(Self.authorize(state: state), &browser)
    let response = try await finish(begun, &browser)
    let location = try HTTPURL(try #require(response.fields["Location"], "\(response.text)"))
    #expect(try FormReader((location.query ?? "").utf8)["state"] == state)
  }

  @Test("A person signs in three times in ten seconds, and a browser that keeps coming is stopped")
  func repeatedly() async throws {
    var browser = Browser(site: site)
    for _ in 0..<6 {
      let response = try await finish(try await begin(Self.authorize, &browser), &browser)
      #expect(response.fields["Location"]?.contains("code=") == true, "\(response.text)")
    }
    let chosen = try await browser.get(Self.authorize)
    let refused = try await browser.get(HTTPURL(try #require(chosen.fields["Location"])).target)
    #expect(
      refused.status == 400 && refused.text.contains("one application sent the browser"),
      "\(refused.text)")
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
    #expect((try await browser.get(nextLink)).text.hasPrefix("form https://talks.example/in"))
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
