import AccessControl
import HTTPExchange
import TestSupport
import Testing

/// An address that the file no longer has when a sign-in goes on: the relying party's file may change in between.
@Suite("Return addresses of a sign-in under way at the local Access Control Service")
struct ReturnAddressTests {
  private let fixture: SiteFixture

  init() throws { fixture = try SiteFixture() }

  private static let cases: [(SignInContext.Delivery, String, String)] = [
    (.passive, "uri:talks.example.org", "https://talks.example.org/two"),
    (.openID, "client", "https://client.example/callback"),
    (.saml, "urn:sp", "https://sp.example/acs"),
  ]

  /// Goes on with a sign-in in the browser that began it.
  private func get(
    _ path: String, _ context: SignInContext
  ) async throws -> HTTPExchange.HTTPResponse {
    let cookies = try await fixture.get(
      fixture.link(SignInContext(.passive, realm: "uri:talks.example.org", provider: "Google"))
    ).cookies
    let pair = try #require(cookies.split(separator: "; ").first { $0.contains("browser=") })
    let browser = String(pair[(try #require(pair.firstIndex(of: "=")))...].dropFirst())
    var context = context
    context.id = "id"
    context.begun = fixture.clock.now
    return try await fixture.get(
      path + "?cx=" + fixture.site.seal(context, for: browser), cookies: cookies)
  }

  @Test("No person is asked to sign in for an address that is not the relying party's")
  func asks() async throws {
    for (delivery, realm, address) in Self.cases {
      for (reply, isKnown) in [(address, true), (address + "x", false)] {
        var context = SignInContext(delivery, realm: realm, provider: "Google")
        context.reply = reply
        let page = try await get("/v2/sign-in", context)
        if isKnown {
          #expect(page.status == 200 && page.text.contains("button Mia"), "\(page.text)")
        } else {
          #expect(page.status == 400, "\(realm): \(page.text)")
          #expect(page.text.contains("code issuing.reply-address"), "\(page.text)")
        }
      }
    }
  }

  @Test("Neither a choice nor a cancelled sign-in goes on for such an address")
  func choices() async throws {
    for (delivery, realm, address) in Self.cases {
      for (reply, isKnown) in [(address, true), (address + "x", false)] {
        var context = SignInContext(delivery, realm: realm)
        context.reply = reply
        for path in ["/v2/choose", "/v2/cancel"] {
          let response = try await get(path, context)
          let isRefused = response.text.contains("code issuing.reply-address")
          #expect(isRefused == !isKnown, "\(path), \(realm): \(response.text)")
        }
      }
    }
  }

  @Test("A sign-in whose token stays in the browser needs no address")
  func notified() async throws {
    let before = fixture.site.store.current
    var parties = before.relyingParties
    for place in parties.indices { parties[place].listedProtocols = [.javascriptnotify] }
    fixture.site.store.replace(
      with: try ServiceNamespace(
        issuer: before.issuer, relyingParties: parties, providers: before.providers,
        identities: before.identities, ruleGroups: before.ruleGroups, keys: before.keys))
    let context = SignInContext(.notify, realm: "urn:sp", provider: "Google")
    let page = try await fixture.get(fixture.link(context))
    #expect(page.status == 200 && page.text.contains("button Mia"), "\(page.text)")
  }
}
