import AccessControl
import HTTPExchange
import SecurityKeys
import TestSupport
import Testing
import TokenBasics

/// The modules of `oidcc-basic-certification-test-plan` and `oidcc-config-certification-test-plan`, as OpenID's conformance suite
/// publishes the two lists, in their order, each by its name there. A person is pressed in place of a browser's script.
/// `oidcc-prompt-none-logged-in` is among the tests of a provider above: test people have no session.
@Suite("OpenID's conformance tests for providers, at the local Access Control Service")
struct ProviderConformanceTests {
  private let fixture: OAuthFixture

  init() throws { fixture = try OAuthFixture() }

  private func payload(_ tokens: JSONValue) throws -> JSONValue {
    try ExchangeFixture.parts(try #require(tokens["id_token"]?.string)).payload
  }

  private func configuration() async throws -> JSONValue {
    try JSONParser.parse(
      try await fixture.site.get("/.well-known/openid-configuration").body)
  }

  /// The claims of UserInfo after a sign-in.
  private func claims(_ scope: String) async throws -> (tokens: JSONValue, said: JSONValue) {
    let tokens = try await fixture.tokens("chat", ["scope": scope])
    let response = try await fixture.userInfo(try #require(tokens["access_token"]?.string))
    #expect(response.status == 200)
    return (tokens, try JSONParser.parse(response.body))
  }

  /// Whether a request gives a code and the state that it was sent with.
  private func succeeds(_ changes: [String: String?]) async throws -> Bool {
    let answer = try await fixture.answer("chat", changes).parameters
    return answer["code"] != nil && answer["state"] == "s" && answer["error"] == nil
  }

  // MARK: oidcc-basic-certification-test-plan

  @Test(
    "oidcc-server: a code gives an ID token of this issuer for this client, with iss, sub, aud, iat, exp and nonce"
  )
  func server() async throws {
    let answer = try await fixture.answer().parameters
    #expect(answer["state"] == "s" && answer["iss"] == "https://acs.example/")
    let tokens = try await fixture.redeem(answer.require("code")).json
    let payload = try payload(tokens)
    #expect(payload["iss"]?.string == "https://acs.example/" && payload["aud"]?.string == "chat")
    #expect(payload["sub"]?.string?.isEmpty == false && payload["nonce"]?.string == "n")
    #expect(payload["iat"]?.integer != nil && payload["exp"]?.integer != nil)
    #expect(tokens["token_type"]?.string == "Bearer" && tokens["expires_in"]?.integer != nil)
  }

  @Test("oidcc-response-type-missing: a request without response_type gets an error and no code")
  func responseTypeMissing() async throws {
    for type in [nil, "token", "code token"] {
      let answer = try await fixture.answer("chat", ["response_type": type]).parameters
      #expect(answer["error"] != nil && answer["code"] == nil && answer["state"] == "s")
    }
    #expect(try await succeeds(["response_type": "code"]))
  }

  @Test("oidcc-idtoken-signature: the ID token names a published key, which verifies it")
  func idTokenSignature() async throws {
    let token = try #require(try await fixture.tokens()["id_token"]?.string)
    let header = try ExchangeFixture.parts(token).header
    #expect(header["alg"]?.string == "RS256" && header["kid"]?.string != nil)
    let published = try await fixture.site.get("/v2/openid/keys").body
    let named = try JSONParser.parse(published)["keys"]?.array?.compactMap { $0["kid"]?.string }
    #expect(named?.contains(header["kid"]?.string ?? "") == true)
    let trust = Trust(
      issuers: [
        TrustedIssuer(
          "https://acs.example/", keys: try JSONWebKeySet(parsing: published).keys, formats: [.jwt])
      ], audiences: .oneOf(["chat"]))
    _ = try TokenValidator(trust).validate(
      JSONWebToken(parsing: Array(token.utf8)), at: fixture.site.clock.now)
  }

  @Test("oidcc-idtoken-unsigned: an ID token without a signature is neither offered nor given")
  func idTokenUnsigned() async throws {
    let offered = try await configuration()["id_token_signing_alg_values_supported"]?.array
    #expect(offered?.contains { $0.string == "none" } == false)
    let token = try #require(try await fixture.tokens()["id_token"]?.string)
    #expect(try ExchangeFixture.parts(token).header["alg"]?.string != "none")
    #expect(token.split(separator: ".", omittingEmptySubsequences: false).last?.isEmpty == false)
  }

  @Test(
    "oidcc-userinfo-get: UserInfo answers a GET with the token in the header, about the subject of the ID token"
  )
  func userInfoGet() async throws {
    let (tokens, said) = try await claims("openid")
    #expect(try said["sub"]?.string == payload(tokens)["sub"]?.string)
  }

  @Test("oidcc-userinfo-post-header: UserInfo answers a POST with the token in the header")
  func userInfoPostHeader() async throws {
    let token = try #require(try await fixture.tokens()["access_token"]?.string)
    #expect(try await fixture.userInfo(token, method: "POST").status == 200)
    #expect(try await fixture.userInfo(token + "x", method: "POST").status == 401)
  }

  @Test("oidcc-userinfo-post-body: UserInfo answers a POST with the token in the form")
  func userInfoPostBody() async throws {
    let token = try #require(try await fixture.tokens()["access_token"]?.string)
    func status(_ token: String) async throws -> Int {
      try await fixture.site.post("/v2/openid/userinfo", [("access_token", token)]).status
    }
    #expect(try await status(token) == 200)
    #expect(try await status(token + "x") == 401)
  }

  @Test(
    "oidcc-ensure-request-without-nonce-succeeds-for-code-flow: no nonce is asked for and none is given"
  )
  func withoutNonce() async throws {
    #expect(try payload(await fixture.tokens("chat", ["nonce": nil]))["nonce"] == nil)
  }

  @Test("oidcc-scope-profile: the scope profile gives the name, and without it there is none")
  func scopeProfile() async throws {
    #expect(try await claims("openid profile").said["name"]?.string == "Mia")
    let few = try await claims("openid").said
    #expect(few["name"] == nil && few["email"] == nil)
  }

  @Test("oidcc-scope-email: the scope email gives the address and whether it is verified")
  func scopeEmail() async throws {
    let said = try await claims("openid email").said
    #expect(said["email"]?.string == "mia@example.org" && said["email_verified"]?.bool == true)
    #expect(said["name"] == nil)
  }

  @Test("oidcc-scope-address: the scope address is taken, and gives what the rules give of it")
  func scopeAddress() async throws {
    let (tokens, said) = try await claims("openid address")
    #expect(tokens["scope"]?.string == "openid address" && said["sub"] != nil)
  }

  @Test("oidcc-scope-phone: the scope phone is taken, and gives what the rules give of it")
  func scopePhone() async throws {
    let (tokens, said) = try await claims("openid phone")
    #expect(tokens["scope"]?.string == "openid phone" && said["sub"] != nil)
  }

  @Test("oidcc-scope-all: all scopes together give all of it; one that is not known is passed over")
  func scopeAll() async throws {
    let (tokens, said) = try await claims("openid profile email address phone unknown")
    #expect(tokens["scope"]?.string == "openid profile email address phone")
    #expect(said["name"]?.string == "Mia" && said["email"]?.string == "mia@example.org")
  }

  @Test("oidcc-ensure-other-scope-order-succeeds: openid need not be the first scope")
  func scopeOrder() async throws { #expect(try await succeeds(["scope": "email openid"])) }

  @Test("oidcc-display-page: display=page is no error")
  func displayPage() async throws { #expect(try await succeeds(["display": "page"])) }

  @Test("oidcc-display-popup: display=popup is no error")
  func displayPopup() async throws { #expect(try await succeeds(["display": "popup"])) }

  @Test(
    "oidcc-prompt-login: prompt=login signs in anew, and the second sign-in is not earlier than the first"
  )
  func promptLogin() async throws {
    let first = try payload(await fixture.tokens("chat", ["max_age": "10000"]))["auth_time"]
    fixture.site.clock.advance(bySeconds: 5)
    let second = try payload(await fixture.tokens("chat", ["prompt": "login"]))["auth_time"]
    #expect(try #require(second?.integer) >= #require(first?.integer) + 5)
  }

  @Test(
    "oidcc-prompt-none-not-logged-in: prompt=none without a session is login_required, with the state"
  )
  func promptNone() async throws {
    let answer = try await fixture.answer("chat", ["prompt": "none"]).parameters
    #expect(answer["error"] == "login_required" && answer["code"] == nil && answer["state"] == "s")
  }

  @Test("oidcc-max-age-1: max_age=1 gives an auth_time that is no older")
  func maxAge1() async throws {
    fixture.site.clock.advance(bySeconds: 2)
    let payload = try payload(await fixture.tokens("chat", ["max_age": "1"]))
    let age = fixture.site.clock.now.seconds - Int64(try #require(payload["auth_time"]?.integer))
    #expect((0...1).contains(age))
  }

  @Test("oidcc-max-age-10000: max_age=10000 gives an auth_time, and the same subject as without it")
  func maxAge10000() async throws {
    let first = try payload(await fixture.tokens())
    let second = try payload(await fixture.tokens("chat", ["max_age": "10000"]))
    #expect(second["auth_time"]?.integer != nil)
    #expect(second["sub"]?.string == first["sub"]?.string)
  }

  @Test(
    "oidcc-ensure-request-with-unknown-parameter-succeeds: a parameter that is not known is passed over"
  )
  func unknownParameter() async throws { #expect(try await succeeds(["extra": "foobar"])) }

  @Test(
    "oidcc-id-token-hint: an ID token of before as a hint is no error, and the subject is the same")
  func idTokenHint() async throws {
    let first = try await fixture.tokens()
    let hint = try #require(first["id_token"]?.string)
    let second = try await fixture.tokens("chat", ["id_token_hint": hint])
    #expect(try payload(second)["sub"]?.string == payload(first)["sub"]?.string)
  }

  @Test("oidcc-login-hint: login_hint is no error")
  func loginHint() async throws { #expect(try await succeeds(["login_hint": "mia@example.org"])) }

  @Test("oidcc-ui-locales: ui_locales is no error")
  func uiLocales() async throws { #expect(try await succeeds(["ui_locales": "se"])) }

  @Test("oidcc-claims-locales: claims_locales is no error")
  func claimsLocales() async throws { #expect(try await succeeds(["claims_locales": "se"])) }

  @Test(
    "oidcc-ensure-request-with-acr-values-succeeds: acr_values are a wish; the token says only what was so"
  )
  func acrValues() async throws {
    let payload = try payload(await fixture.tokens("chat", ["acr_values": "1 2"]))
    #expect(payload["acr"] == nil)
  }

  @Test("oidcc-codereuse: a code is redeemed once")
  func codeReuse() async throws {
    let code = try await fixture.answer().parameters.require("code")
    #expect(try await fixture.redeem(code).status == 200)
    #expect(try await fixture.redeem(code).json["error"]?.string == "invalid_grant")
  }

  @Test("oidcc-codereuse-30seconds: a code that comes again later ends what it gave")
  func codeReuseLater() async throws {
    let code = try await fixture.answer().parameters.require("code")
    let token = try #require(try await fixture.redeem(code).json["access_token"]?.string)
    #expect(try await fixture.userInfo(token).status == 200)
    fixture.site.clock.advance(bySeconds: 30)
    #expect(try await fixture.redeem(code).json["error"]?.string == "invalid_grant")
    #expect(try await fixture.userInfo(token).status == 401)
  }

  @Test(
    "oidcc-ensure-registered-redirect-uri: an address that is not registered gets a page and no redirect"
  )
  func redirects() async throws {
    for address in [
      nil, "https://chat.example/other", "https://chat.example/callback?x=1",
      "https://chat.example/callback/", "https://evil.example/callback",
    ] {
      let response = try await fixture.site.get(
        OAuthFixture.target("chat", ["redirect_uri": address]))
      #expect(response.status == 400 && response.fields["Location"] == nil, "\(address ?? "none")")
    }
    #expect(try await succeeds(["redirect_uri": "https://chat.example/callback"]))
  }

  @Test("oidcc-ensure-post-request-succeeds: the authorization endpoint takes a POST")
  func postedRequest() async throws {
    let begun = try await fixture.site.post(
      "/v2/openid/authorize", OAuthFixture.parameters("chat"))
    let response = try await fixture.site.press("0", after: begun)
    let location = try HTTPURL(try #require(response.fields["Location"]))
    #expect(try FormReader((location.query ?? "").utf8)["code"] != nil)
  }

  @Test("oidcc-server-client-secret-post: the secret may stand in the form")
  func secretInForm() async throws {
    let code = try await fixture.answer().parameters.require("code")
    func status(_ secret: String) async throws -> Int {
      try await fixture.post(
        "/v2/openid/token",
        [
          ("grant_type", "authorization_code"), ("code", code),
          ("redirect_uri", OAuthFixture.address("chat")), ("code_verifier", OAuthFixture.verifier),
          ("client_id", "chat"), ("client_secret", secret),
        ], as: nil
      ).status
    }
    #expect(try await status("another secret") == 401)
    #expect(try await status("secret of chat") == 200)
  }

  @Test(
    "oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported: it is request_uri_not_supported"
  )
  func requestURI() async throws {
    let answer = try await fixture.answer("chat", ["request_uri": "https://chat.example/x"])
    #expect(answer.parameters["error"] == "request_uri_not_supported")
    #expect(try await configuration()["request_uri_parameter_supported"]?.bool == false)
  }

  @Test(
    "oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported: it is request_not_supported"
  )
  func requestObject() async throws {
    let answer = try await fixture.answer("chat", ["request": "eyJhbGciOiJub25lIn0.e30."])
    #expect(answer.parameters["error"] == "request_not_supported")
    #expect(try await configuration()["request_parameter_supported"]?.bool == false)
  }

  @Test("oidcc-claims-essential: the parameter claims is passed over, as the metadata says")
  func claimsEssential() async throws {
    let asked = "{\"userinfo\":{\"name\":{\"essential\":true}}}"
    #expect(try await succeeds(["claims": asked]))
    #expect(try await configuration()["claims_parameter_supported"]?.bool == false)
  }

  @Test(
    "oidcc-ensure-request-object-with-redirect-uri: the address in a request object counts for nothing"
  )
  func requestObjectWithRedirect() async throws {
    let object =
      "eyJhbGciOiJub25lIn0.\(Base64.encode(Array("{\"redirect_uri\":\"https://evil.example/\"}".utf8), .url))."
    let response = try await fixture.site.get(
      OAuthFixture.target("chat", ["request": object]))
    let location = try #require(response.fields["Location"])
    #expect(location.hasPrefix("https://chat.example/callback?error=request_not_supported"))
    let without = try await fixture.site.get(
      OAuthFixture.target("chat", ["request": object, "redirect_uri": nil]))
    #expect(without.status == 400 && without.fields["Location"] == nil)
  }

  @Test(
    "oidcc-refresh-token: a refresh token gives tokens of the same subject, and another client none"
  )
  func refreshToken() async throws {
    let tokens = try await fixture.tokens()
    let token = try #require(tokens["refresh_token"]?.string)
    #expect(try await fixture.refresh(token, "other").json["error"]?.string == "invalid_grant")
    let refreshed = try await fixture.refresh(token)
    #expect(refreshed.status == 200)
    if refreshed.json["id_token"] != nil {
      #expect(try payload(refreshed.json)["sub"]?.string == payload(tokens)["sub"]?.string)
    }
    let access = try #require(refreshed.json["access_token"]?.string)
    #expect(try await fixture.userInfo(access).status == 200)
  }

  @Test("oidcc-ensure-request-with-valid-pkce-succeeds: S256 is taken, and another verifier is not")
  func proofKey() async throws {
    let code = try await fixture.answer().parameters.require("code")
    let wrong = try await fixture.redeem(
      code, "chat", ["code_verifier": String(repeating: "w", count: 43)])
    #expect(wrong.json["error"]?.string == "invalid_grant")
    #expect(try await fixture.tokens()["id_token"] != nil)
  }

  // MARK: oidcc-config-certification-test-plan

  @Test(
    "oidcc-discovery-endpoint-verification: issuer, addresses by https, keys and lists are as the text wants them"
  )
  func discovery() async throws {
    let json = try await configuration()
    #expect(json["issuer"]?.string == "https://acs.example/")
    for name in ["authorization_endpoint", "token_endpoint", "userinfo_endpoint", "jwks_uri"] {
      #expect(json[name]?.string?.hasPrefix("https://acs.example/") == true, "\(name)")
    }
    for (name, value) in [
      ("response_types_supported", "code"), ("subject_types_supported", "pairwise"),
      ("id_token_signing_alg_values_supported", "RS256"), ("scopes_supported", "openid"),
      ("claims_supported", "sub"),
    ] {
      #expect(json[name]?.array?.contains { $0.string == value } == true, "\(name)")
    }
    let keys = try JSONParser.parse(await fixture.site.get("/v2/openid/keys").body)["keys"]?.array
    #expect(keys?.isEmpty == false)
    #expect(keys?.allSatisfy { $0["d"] == nil && $0["k"] == nil } == true)
  }

  // MARK: Beside the lists

  @Test(
    "RFC 8414: the same document stands at the address of OAuth's metadata, and says what is there")
  func metadata() async throws {
    let oauth = try await fixture.site.get("/.well-known/oauth-authorization-server")
    #expect(
      oauth.body == (try await fixture.site.get("/.well-known/openid-configuration").body))
    let json = try JSONParser.parse(oauth.body)
    for name in [
      "introspection_endpoint", "revocation_endpoint", "pushed_authorization_request_endpoint",
    ] {
      let path = try HTTPURL(try #require(json[name]?.string)).path
      #expect(try await fixture.site.get(path).status == 405, "\(name)")
    }
    let grants = json["grant_types_supported"]?.array?.compactMap(\.string) ?? []
    for grant in grants {
      let answer = try await fixture.post("/v2/openid/token", [("grant_type", grant)])
      #expect(answer.json["error"]?.string != "unsupported_grant_type", "\(grant)")
    }
  }

  @Test("Another person is another subject")
  func people() async throws {
    var subjects: Set<String> = []
    for person in ["0", "1", "0"] {
      let answer = try await fixture.answer("chat", [:], person: person)
      let tokens = try await fixture.redeem(answer.parameters.require("code")).json
      subjects.insert(try payload(tokens)["sub"]?.string ?? "")
    }
    #expect(subjects.count == 2)
  }
}
