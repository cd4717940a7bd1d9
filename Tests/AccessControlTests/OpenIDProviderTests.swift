import AccessControl
import HTTPExchange
import SecurityKeys
import TestSupport
import Testing
import TokenBasics

@Suite("OpenID Connect at the local Access Control Service")
struct OpenIDProviderTests {
  private let fixture: SiteFixture
  private let verifier = String(repeating: "v", count: 43)

  init() throws { fixture = try SiteFixture() }

  private var challenge: String {
    Base64.encode(DigestAlgorithm.sha256.digest(of: Array(verifier.utf8)) ?? [], .url)
  }

  private func target(_ changes: [String: String?] = [:]) -> String {
    var fields: [String: String?] = [
      "response_type": "code", "client_id": "client", "scope": "openid profile email",
      "state": "s&t",
      "nonce": "n-1", "redirect_uri": "https://client.example/callback", "whr": "Google",
      "code_challenge": challenge, "code_challenge_method": "S256",
    ]
    fields.merge(changes) { $1 }
    return "/v2/openid/authorize?"
      + fields.compactMap { name, value in
        value.map { name + "=" + HTTPURL.percentEncoded($0) }
      }.joined(separator: "&")
  }

  /// The answer to a sign-in at a provider: the parameters at the client.
  private func answer(
    _ changes: [String: String?] = [:], pressing choice: String = "0"
  ) async throws -> FormReader {
    let response = try await fixture.press(choice, after: fixture.get(target(changes)))
    let location = try HTTPURL(try #require(response.fields["Location"], "\(response.text)"))
    return try FormReader((location.query ?? "").utf8)
  }

  private func exchange(
    _ code: String, _ changes: [String: String?] = [:]
  ) async throws -> (Int, JSONValue) {
    var fields: [String: String?] = [
      "grant_type": "authorization_code", "client_id": "client",
      "client_secret": "client secret", "redirect_uri": "https://client.example/callback",
      "code": code, "code_verifier": verifier,
    ]
    fields.merge(changes) { $1 }
    let response = try await fixture.post(
      "/v2/openid/token", fields.compactMap { name, value in value.map { (name, $0) } })
    return (response.status, try JSONParser.parse(response.body))
  }

  @Test("A code gives an ID token that verifies by the published key, with nonce and claims")
  func signsIn() async throws {
    let answer = try await answer()
    #expect(answer["state"] == "s&t" && answer["iss"] == "https://acs.example/")
    let (status, json) = try await exchange(try answer.require("code"))
    #expect(status == 200 && json["token_type"]?.string == "Bearer")
    let keys = try await fixture.get("/v2/openid/keys")
    let set = try JSONWebKeySet(parsing: keys.body).keys
    let trust = Trust(
      issuers: [TrustedIssuer("https://acs.example/", keys: set, formats: [.jwt])],
      audiences: .oneOf(["client"]))
    let verified = try TokenValidator(trust).validate(
      AnyToken(reading: Array((json["id_token"]?.string ?? "").utf8)), at: SiteFixture.now)
    #expect(verified.claims.single("nonce") == "n-1")
    #expect(verified.claims.single("email") == "mia@example.org")
    #expect(verified.claims.single("name") == "Mia")
    #expect(verified.facts.subject?.utf8.count == 43)
    let again = try await exchange(try answer.require("code"))
    #expect(again.0 == 400 && again.1["error"]?.string == "invalid_grant")
  }

  @Test("The configuration is what OpenID Connect Discovery asks for")
  func configuration() async throws {
    let json = try JSONParser.parse(
      await fixture.get("/.well-known/openid-configuration").body)
    #expect(json["issuer"]?.string == "https://acs.example/")
    for name in ["authorization_endpoint", "token_endpoint", "jwks_uri", "end_session_endpoint"] {
      #expect(json[name]?.string?.hasPrefix("https://acs.example/v2/openid/") == true)
    }
    for name in [
      "response_types_supported", "subject_types_supported",
      "id_token_signing_alg_values_supported",
    ] {
      #expect(json[name]?.array?.isEmpty == false)
    }
  }

  @Test("A public client needs a proof key, and its code the verifier")
  func publicClient() async throws {
    let app: [String: String?] = [
      "client_id": "app", "redirect_uri": "http://127.0.0.1:4711/callback",
    ]
    let bare = try await fixture.get(
      target(app.merging(["code_challenge": nil, "code_challenge_method": nil]) { $1 }))
    #expect(bare.fields["Location"]?.contains("error=invalid_request") == true)
    let code = try await answer(app).require("code")
    let changes = app.merging(["client_secret": nil]) { $1 }
    #expect(try await exchange(code, changes.merging(["code_verifier": nil]) { $1 }).0 == 400)
    #expect(try await exchange(code, changes).0 == 200)
  }

  @Test("A code is good for its client, its secret and its address alone")
  func bound() async throws {
    let code = try await answer().require("code")
    for (changes, error) in [
      (["client_secret": "wrong"], "invalid_client"), (["client_secret": nil], "invalid_client"),
      (["client_id": "stranger"], "invalid_client"),
      (["client_id": "app", "client_secret": nil], "invalid_grant"),
      (["redirect_uri": "https://client.example/other"], "invalid_grant"),
      (["code_verifier": nil], "invalid_grant"),
      (["grant_type": "password"], "unsupported_grant_type"),
    ] as [([String: String?], String)] {
      let (status, json) = try await exchange(code, changes)
      #expect(status >= 400 && json["error"]?.string == error, "\(changes) \(json)")
    }
    fixture.clock.advance(bySeconds: 60)
    #expect(try await exchange(code).0 == 400)
  }

  @Test("A request that cannot be met is answered at the client, one of a stranger here")
  func requests() async throws {
    for (changes, error) in [
      (["response_type": "token"], "unsupported_response_type"),
      (["response_type": nil], "invalid_request"), (["scope": "email"], "invalid_request"),
      (["code_challenge_method": "plain"], "invalid_request"),
      (["response_mode": "fragment"], "invalid_request"),
      (["prompt": "none login"], "invalid_request"), (["max_age": "-1"], "invalid_request"),
      (["code_challenge": "short"], "invalid_request"), (["request": "x"], "request_not_supported"),
      (["request_uri": "urn:x"], "request_uri_not_supported"),
      (["prompt": "none", "whr": nil], "account_selection_required"),
    ] as [([String: String?], String)] {
      let response = try await fixture.get(target(changes))
      let location = response.fields["Location"] ?? ""
      #expect(location.hasPrefix("https://client.example/callback?error=" + error), "\(changes)")
    }
    for changes: [String: String?] in [
      ["redirect_uri": "https://evil.example/"], ["client_id": "stranger"], ["redirect_uri": nil],
    ] {
      let response = try await fixture.get(target(changes))
      #expect(response.status == 400 && response.fields["Location"] == nil, "\(changes)")
    }
    let cancelled = try await answer(pressing: "cancel")
    #expect(cancelled["error"] == "access_denied" && cancelled["state"] == "s&t")
    let out = "/v2/openid/logout?post_logout_redirect_uri="
    let there = try await fixture.get(out + "https%3A%2F%2Fclient.example%2Fcallback&state=x")
    #expect(there.fields["Location"] == "https://client.example/callback?state=x")
    #expect(try await fixture.get(out + "https%3A%2F%2Fevil.example%2F").status == 400)
  }

  @Test("Without a key for identifiers there is no code, since there would be no token")
  func keyless() async throws {
    let keyless = try SiteFixture(keys: false)
    let refused = try await keyless.press("0", after: keyless.get(target()))
    let location = try #require(refused.fields["Location"])
    #expect(location.hasPrefix("https://client.example/callback?error="))
    #expect(!location.contains("code="))
  }

  @Test("By a posted form, where the client asks for it")
  func formPost() async throws {
    let page = try await fixture.press(
      "0", after: fixture.get(target(["response_mode": "form_post"]))
    ).text
    #expect(page.hasPrefix("form https://client.example/callback\n"))
    #expect(try await exchange(PlainPages.field("code", in: page)).0 == 200)
  }
}
