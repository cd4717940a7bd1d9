import AccessControl
import HTTPExchange
import JSONWebTokens
import RegistryTesting
import Synchronization
import TestSupport
import Testing
import TokenBasics

@Suite("What relying parties are told of sign-outs (OpenID Connect Back-Channel Logout 1.0)")
struct BackChannelLogoutTests {
  /// Takes logout tokens, by the address that they come to.
  private final class Recipients: HTTPTransport {
    private let tokens = Mutex<[(address: String, token: String)]>([])
    let status: Int

    init(status: Int = 200) { self.status = status }

    var told: [(address: String, token: String)] { tokens.withLock { $0 } }

    func response(
      to request: HTTPRequest
    ) async throws(TokenError) -> HTTPExchange.HTTPResponse {
      let form = try FormReader(request.body)
      let token = try form.require("logout_token")
      tokens.withLock { $0.append((request.url.text, token)) }
      return HTTPExchange.HTTPResponse(status: status, fields: HTTPFields(), body: [])
    }
  }

  private func fixture(
    _ recipients: Recipients, observer: any ActivityObserver = NoObserver()
  ) throws -> OAuthFixture {
    let address = try HTTPURL("https://chat.example/logout")
    let other = try HTTPURL("https://other.example/logout")
    return try OAuthFixture(transport: recipients, observer: observer) { parties in
      parties[0].backChannelLogout = address
      parties[1].backChannelLogout = other
    }
  }

  private func payload(_ json: JSONValue) throws -> JSONValue {
    try ExchangeFixture.parts(try #require(json["id_token"]?.string)).payload
  }

  private func signIn(
    _ fixture: OAuthFixture, _ client: String = "chat"
  ) async throws -> (tokens: JSONValue, cookies: String) {
    let answer = try await fixture.answer(client)
    let redeemed = try await fixture.redeem(try answer.parameters.require("code"), client)
    #expect(redeemed.status == 200, "\(redeemed.response.text)")
    return (redeemed.json, answer.cookies)
  }

  @Test("A relying party that got tokens in the session gets a logout token with its sid, once")
  func told() async throws {
    let recipients = Recipients()
    let fixture = try fixture(recipients)
    let (tokens, cookies) = try await signIn(fixture)
    let sid = try #require(try payload(tokens)["sid"]?.string)
    #expect(recipients.told.isEmpty)
    #expect(try await fixture.site.signOut(cookies).status == 200)
    #expect(try await fixture.site.get("/v2/openid/logout", cookies: cookies).status == 200)
    let told = recipients.told
    #expect(told.map(\.address) == ["https://chat.example/logout"])
    let parts = try ExchangeFixture.parts(try #require(told.first?.token))
    #expect(parts.header["typ"]?.string == "logout+jwt")
    #expect(parts.payload["sid"]?.string == sid && parts.payload["aud"]?.string == "chat")
    #expect(parts.payload["iss"]?.string == "https://acs.example/" && parts.payload["nonce"] == nil)
    #expect(parts.payload["sub"] == nil && parts.payload["jti"]?.string?.isEmpty == false)
    let events = parts.payload["events"]?.members?.map(\.name)
    #expect(events == ["http://schemas.openid.net/event/backchannel-logout"])
    let keys = try JSONWebKeySet(parsing: await fixture.site.get("/v2/openid/keys").body).keys
    let trust = Trust(
      issuers: [TrustedIssuer("https://acs.example/", keys: keys, formats: [.jwt])],
      audiences: .oneOf(["chat"]))
    let token = try JSONWebToken(
      parsing: Array(try #require(told.first?.token).utf8), for: .logoutToken)
    _ = try TokenValidator(trust).validate(token, at: SiteFixture.now)
    let refreshed = try await fixture.refresh(try #require(tokens["refresh_token"]?.string))
    #expect(refreshed.status == 400)
  }

  @Test("Two relying parties have two names for a session, and another browser another one")
  func names() async throws {
    let fixture = try fixture(Recipients())
    let first = try payload(try await signIn(fixture).tokens)["sid"]?.string
    let other = try payload(try await signIn(fixture, "other").tokens)["sid"]?.string
    let again = try payload(try await signIn(fixture).tokens)["sid"]?.string
    // One without the address shows by it of which session a hint is.
    let plain = try payload(try await signIn(fixture, "app").tokens)["sid"]?.string
    #expect(Set([first, other, again, plain].compactMap(\.self)).count == 4)
  }

  @Test(
    "One that is not reached, or refuses, keeps no person from signing out",
    arguments: [204, 400, 500])
  func refused(status: Int) async throws {
    let recipients = Recipients(status: status)
    let log = RecordingObserver()
    let fixture = try fixture(recipients, observer: log)
    let (tokens, cookies) = try await signIn(fixture)
    #expect(try await fixture.site.signOut(cookies).status == 200)
    #expect(recipients.told.count == 1)
    let isTold = status == 204
    #expect(log.lines.contains { $0.contains("issuing.logout-told") } == isTold)
    #expect(log.lines.contains { $0.contains("issuing.logout-not-told") } == !isTold)
    let refreshed = try await fixture.refresh(try #require(tokens["refresh_token"]?.string))
    #expect(refreshed.status == 400)
  }

  @Test("The metadata says whether relying parties are told")
  func metadata() async throws {
    for (fixture, isTold) in [(try fixture(Recipients()), true), (try OAuthFixture(), false)] {
      let json = try JSONParser.parse(
        await fixture.site.get("/.well-known/openid-configuration").body)
      #expect(json["backchannel_logout_supported"]?.bool == isTold)
      #expect(json["backchannel_logout_session_supported"]?.bool == isTold)
    }
  }
}
