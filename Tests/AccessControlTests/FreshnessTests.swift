import AccessControl
import HTTPExchange
import SignIn
import TestSupport
import Testing
import TokenBasics

@Suite("What relying parties demand of a sign-in at a test person")
struct FreshnessTests {
  private let fixture: SiteFixture

  init() throws { fixture = try SiteFixture() }

  private func status(_ page: String) throws -> String {
    let octets = try Base64.decode(Array(PlainPages.field("SAMLResponse", in: page).utf8))
    let text = String(decoding: octets, as: UTF8.self)
    let start = try #require(text.ranges(of: "StatusCode Value=\"").last).upperBound
    return String(text[start...].prefix { $0 != "\"" })
  }

  private func begun(
    _ edit: (inout AuthnRequestOptions) -> Void
  ) async throws -> HTTPExchange.HTTPResponse {
    let service = try SiteFixture.service("urn:sp", signs: true)
    let provider = try await fixture.identityProvider()
    var options = AuthnRequestOptions()
    edit(&options)
    let begun = try service.begin(at: provider, options: options, at: fixture.clock.now)
    return try await fixture.get(begun.action.address.target + "&whr=Google")
  }

  @Test(
    "SVC-10: A context that was demanded and is not met is NoAuthnContext; nobody to ask is NoPassive"
  )
  func contexts() async throws {
    let demanded = try await begun { $0.contexts = ["urn:mfa"] }
    let refused = try await fixture.press("0", after: demanded)
    #expect(try status(refused.text).hasSuffix("NoAuthnContext"))
    let forced = try await fixture.press("0", after: begun { $0.forcesSignIn = true })
    #expect(try status(forced.text).hasSuffix("Success"))
    let passive = try await begun { $0.isPassive = true }
    #expect(try status(passive.text).hasSuffix("NoPassive"))
  }

  @Test("SVC-10: The instant is that of the press, not that of the token")
  func instants() async throws {
    let target =
      "/v2/OAuth2-13/authorize?response_type=code&client_id=uploader&whr=Google&scope=uri%3Aerrors"
      + "&redirect_uri=https%3A%2F%2Fapp.example%2Fcode"
    let pressed = try await fixture.press("0", after: fixture.get(target))
    let location = try HTTPURL(try #require(pressed.fields["Location"], "\(pressed.text)"))
    let code = try FormReader((location.query ?? "").utf8).require("code")
    fixture.clock.advance(bySeconds: 500)
    let answer = try await fixture.post(
      "/v2/OAuth2-13",
      [
        ("grant_type", "authorization_code"), ("client_id", "uploader"),
        ("client_secret", "pass word"), ("scope", "uri:errors"), ("code", code),
        ("redirect_uri", "https://app.example/code"),
      ])
    #expect(answer.status == 200 && answer.text.contains("2029-12-31T23:50:00.000Z"))
  }

  @Test("OpenID Connect: max_age gets the instant, prompt=none nobody, by GET and by POST")
  func openID() async throws {
    let fields = [
      ("response_type", "code"), ("client_id", "client"), ("scope", "openid"), ("whr", "Google"),
      ("redirect_uri", "https://client.example/callback"), ("state", "s"),
    ]
    let posted = try await fixture.post("/v2/openid/authorize", fields + [("max_age", "60")])
    let pressed = try await fixture.press("0", after: posted)
    #expect(pressed.fields["Location"]?.contains("code=") == true)
    let silent = try await fixture.post("/v2/openid/authorize", fields + [("prompt", "none")])
    #expect(silent.fields["Location"]?.contains("error=login_required") == true)
  }

  @Test("WS-Federation: an age that is none is refused")
  func ages() async throws {
    let start = "/v2/wsfederation?wa=wsignin1.0&wtrealm=uri%3Aerrors&wfresh="
    for age in ["-1", "x", "99999999"] {
      #expect(try await fixture.get(start + age).text.contains("issuing.sign-in-request"))
    }
    for age in ["0", "5", ""] {
      #expect(try await fixture.press("0", after: fixture.get(start + age)).status == 200)
    }
  }
}
