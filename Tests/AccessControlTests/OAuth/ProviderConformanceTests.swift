import AccessControl
import HTTPExchange
import Octets
import SecurityKeys
import TestSupport
import Testing

/// The tests of the basic and the configuration plan of OpenID's conformance suite for providers, each by its name there, as far
/// as they can be told from outside a browser.
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

  @Test("oidcc-discovery-endpoint-verification; oidcc-discovery-issuer-not-matching-config")
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
  }

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

  @Test(
    "oidcc-server; oidcc-idtoken-signature; oidcc-userinfo-get; oidcc-userinfo-post-header; oidcc-nonce"
  )
  func server() async throws {
    let tokens = try await fixture.tokens()
    let payload = try payload(tokens)
    #expect(payload["iss"]?.string == "https://acs.example/" && payload["aud"]?.string == "chat")
    #expect(payload["nonce"]?.string == "n" && payload["iat"] != nil && payload["exp"] != nil)
    let keys = try JSONWebKeySet(parsing: try await fixture.site.get("/v2/openid/keys").body).keys
    let trust = Trust(
      issuers: [TrustedIssuer("https://acs.example/", keys: keys, formats: [.jwt])],
      audiences: .oneOf(["chat"]))
    _ = try TokenValidator(trust).validate(
      JSONWebToken(parsing: Array((tokens["id_token"]?.string ?? "").utf8)),
      at: fixture.site.clock.now)
  }

  @Test("oidcc-request-without-nonce-succeeds-for-code-flow")
  func withoutNonce() async throws {
    #expect(try payload(await fixture.tokens("chat", ["nonce": nil]))["nonce"] == nil)
  }

  @Test(
    "oidcc-response-type-missing; oidcc-response-type-unsupported; oidcc-ensure-request-without-state"
  )
  func responseTypes() async throws {
    for type in [nil, "token", "code token"] {
      let answer = try await fixture.answer("chat", ["response_type": type])
      #expect(answer.parameters["error"] != nil && answer.parameters["code"] == nil)
      #expect(answer.parameters["state"] == "s")
    }
    let answer = try await fixture.answer("chat", ["state": nil])
    #expect(answer.parameters["code"] != nil && answer.parameters["state"] == nil)
  }

  @Test(
    "oidcc-scope-profile; oidcc-scope-email; oidcc-scope-all; oidcc-scope-address; oidcc-scope-phone"
  )
  func scopes() async throws {
    let all = try await fixture.tokens(
      "chat", ["scope": "openid profile email address phone unknown"])
    #expect(all["scope"]?.string == "openid profile email address phone")
    let payload = try payload(all)
    #expect(payload["name"]?.string == "Mia" && payload["email"]?.string == "mia@example.org")
    let few = try self.payload(await fixture.tokens("chat", ["scope": "openid"]))
    #expect(few["name"] == nil && few["email"] == nil)
  }

  @Test(
    "oidcc-display-page; oidcc-display-popup; oidcc-ui-locales; oidcc-claims-locales; oidcc-login-hint; oidcc-id-token-hint; oidcc-ensure-other-scope-order-succeeds; oidcc-ensure-request-with-unknown-parameter-succeeds"
  )
  func passedOver() async throws {
    for changes in [
      ["display": "page"], ["display": "popup"], ["ui_locales": "se"], ["claims_locales": "se"],
      ["login_hint": "mia@example.org"], ["id_token_hint": "x.y.z"], ["extra": "foobar"],
      ["scope": "email openid"],
    ] as [[String: String?]] {
      #expect(try await fixture.answer("chat", changes).parameters["code"] != nil, "\(changes)")
    }
  }

  @Test(
    "oidcc-prompt-login; oidcc-prompt-none-not-logged-in; oidcc-max-age-1; oidcc-max-age-10000; oidcc-ensure-request-with-acr-values-succeeds"
  )
  func prompts() async throws {
    #expect(try await fixture.answer("chat", ["prompt": "login"]).parameters["code"] != nil)
    let none = try await fixture.answer("chat", ["prompt": "none"]).parameters
    #expect(none["error"] == "login_required")
    for changes in [["max_age": "1"], ["max_age": "10000"], ["acr_values": "1 2"]] {
      let payload = try payload(await fixture.tokens("chat", changes))
      #expect(payload["auth_time"]?.integer != nil, "\(changes)")
    }
  }

  @Test(
    "oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported; oidcc-request-uri-unsigned"
  )
  func requestObjects() async throws {
    for (name, error) in [
      ("request", "request_not_supported"), ("request_uri", "request_uri_not_supported"),
      ("registration", "registration_not_supported"),
    ] {
      let answer = try await fixture.answer("chat", [name: "https://chat.example/x"]).parameters
      #expect(answer["error"] == error)
    }
  }

  @Test(
    "oidcc-redirect-uri-query-OK; oidcc-redirect-uri-query-mismatch; oidcc-redirect-uri-query-added; oidcc-ensure-registered-redirect-uri; oidcc-ensure-redirect-uri-in-authorization-request"
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
  }

  @Test("oidcc-codereuse; oidcc-codereuse-30seconds")
  func codeReuse() async throws {
    let code = try await fixture.answer().parameters.require("code")
    let tokens = try await fixture.redeem(code).json
    fixture.site.clock.advance(bySeconds: 30)
    #expect(try await fixture.redeem(code).json["error"]?.string == "invalid_grant")
    let token = try #require(tokens["access_token"]?.string)
    #expect(try await fixture.userInfo(token).status == 401)
  }

  @Test(
    "oidcc-server-client-secret-post; oidcc-ensure-post-request-succeeds; oidcc-refresh-token; oidcc-refresh-token-rp-key-rotation"
  )
  func clients() async throws {
    let code = try await fixture.answer().parameters.require("code")
    let posted = try await fixture.post(
      "/v2/openid/token",
      [
        ("grant_type", "authorization_code"), ("code", code),
        ("redirect_uri", OAuthFixture.address("chat")), ("code_verifier", OAuthFixture.verifier),
        ("client_id", "chat"), ("client_secret", "secret of chat"),
      ], as: nil)
    #expect(posted.status == 200)
    let begun = try await fixture.site.post(
      "/v2/openid/authorize", OAuthFixture.parameters("chat"))
    #expect(begun.fields["Location"] != nil)
    let refreshed = try await fixture.refresh(try #require(posted.json["refresh_token"]?.string))
    #expect(refreshed.status == 200)
  }

  @Test("oidcc-alternate-tests-different-users: another person is another subject")
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
