import AccessControl
import HTTPExchange
import TestSupport
import Testing

extension ClientRegistrationTests {
  private func registered(_ fixture: OAuthFixture) async throws -> String {
    try #require(try await register(fixture, Self.metadata).json["client_id"]?.string)
  }

  @Test("OpenID Connect Core 1.0, 11: offline_access is for clients of the file alone")
  func offline() async throws {
    let fixture = try fixture()
    let id = try await registered(fixture)
    let scope = "openid offline_access read"
    let answer = try await signIn(fixture, Self.changes(id).merging(["scope": scope]) { $1 })
    let tokens = try await redeem(fixture, answer.parameters.require("code"), id)
    #expect(tokens.json["scope"]?.string == "openid read", "\(tokens.response.text)")
    let known = try await fixture.tokens("chat", ["scope": scope, "resource": OAuthFixture.api])
    #expect(known["scope"]?.string == scope)
    func refresh() async throws -> Int {
      try await fixture.post(
        "/v2/openid/token",
        [
          ("grant_type", "refresh_token"), ("client_id", id),
          ("refresh_token", tokens.json["refresh_token"]?.string),
        ], as: nil
      ).status
    }
    try await fixture.site.signOut(answer.cookies)
    #expect(try await refresh() == 400)
  }

  @Test("A client that registered itself signs a person out, by name, and is named on the page")
  func signsOut() async throws {
    let fixture = try fixture()
    let id = try await registered(fixture)
    let answer = try await signIn(fixture, Self.changes(id))
    let tokens = try await redeem(fixture, answer.parameters.require("code"), id).json
    let hint = try #require(tokens["id_token"]?.string)
    func target(_ fields: [(String, String)]) -> String {
      "/v2/openid/logout?"
        + fields.map { $0 + "=" + HTTPURL.percentEncoded($1) }.joined(separator: "&")
    }
    // Without an ID token the person is asked, and reads what ends.
    let asked = try await fixture.site.get(target([("client_id", id)]), cookies: answer.cookies)
    #expect(asked.status == 200 && asked.text.contains("heading Sign out?"), "\(asked.text)")
    #expect(asked.text.contains("Agent"), "\(asked.text)")
    let elsewhere = [("id_token_hint", hint), ("client_id", id)]
    let refused = try await fixture.site.get(
      target(elsewhere + [("post_logout_redirect_uri", "https://chat.example/callback")]),
      cookies: answer.cookies)
    #expect(refused.text.contains("code issuing.reply-address"), "\(refused.text)")
    let out = try await fixture.site.get(
      target(elsewhere + [("post_logout_redirect_uri", Self.callback), ("state", "z")]),
      cookies: answer.cookies)
    #expect(out.fields["Location"] == Self.callback + "?state=z", "\(out.text)")
  }
}
