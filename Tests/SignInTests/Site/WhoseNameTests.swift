import Foundation
import IdentityProviderTesting
import SignIn
import TestSupport
import Testing

/// A subject is a name at a provider (SVC-2).
@Suite("Whose name it is")
struct WhoseNameTests {
  private let clock = ManualTime()
  private let idp: IdentityProviderSimulator
  private let other: IdentityProviderSimulator
  private let sessions = MemorySessionStore()

  init() throws {
    idp = try IdentityProviderSimulator()
    other = try IdentityProviderSimulator("https://other.example/", key: "other-rsa")
  }

  private func signIn(_ browser: Browser, _ idp: IdentityProviderSimulator, _ id: String)
    async throws
  {
    let begun = try await browser.send("GET", "/sign-in?provider=\(id)")
    let location = try #require(begun.fields["Location"])
    let request = "_" + String(try #require(location.firstMatch(of: /RelayState=([0-9a-f]{40})/)).1)
    let done = try await browser.send(
      "POST", "/saml/acs", body: idp.message(.init(inResponseTo: request, at: clock.now)))
    #expect(done.status == 303)
  }

  @Test("A session at a provider that is configured no more is none; the others' stay")
  func removed() async throws {
    let both = try SignInSiteTests.site([idp, other], clock, sessions)
    let (first, second) = (Browser(both), Browser(both))
    try await signIn(first, idp, "p0")
    try await signIn(second, other, "p1")
    let rest = try SignInSiteTests.site([idp], clock, sessions)
    #expect(try await rest.session(of: first.request("/")) != nil)
    #expect(try await rest.session(of: second.request("/")) == nil)
    #expect(sessions.count == 1)
  }

  @Test("A session at a provider whose identifier names another issuer now is none")
  func renamed() async throws {
    let before = try SignInSiteTests.site([idp], clock, sessions)
    let browser = Browser(before)
    try await signIn(browser, idp, "p0")
    let after = try SignInSiteTests.site([other], clock, sessions)
    #expect(try await after.session(of: browser.request("/")) == nil)
    #expect(sessions.count == 0)
  }

  @Test("A sign-in that was begun at a provider is not finished at another of that identifier")
  func reconfigured() async throws {
    let before = try SignInSiteTests.site(
      [idp, other], clock, sessions, keys: [Array(repeating: 7, count: 32)])
    let browser = Browser(before)
    let begun = try await browser.send("GET", "/sign-in?provider=p0")
    let location = try #require(begun.fields["Location"])
    let request = "_" + String(try #require(location.firstMatch(of: /RelayState=([0-9a-f]{40})/)).1)
    let message = try other.message(.init(inResponseTo: request, at: clock.now))
    let after = try SignInSiteTests.site(
      [other, idp], clock, sessions, keys: [Array(repeating: 7, count: 32)])
    let moved = Browser(after)
    for (name, value) in browser.cookies { moved.set(name, value) }
    let response = try await moved.send("POST", "/saml/acs", body: message, cause: .navigation)
    #expect(response.text.isRefusal(.signInOtherIssuer) && sessions.count == 0)
  }

  @Test("Two SAML providers of one entity identifier are refused when the site is made")
  func oneEntity() throws {
    let error = #expect(throws: TokenError.self) {
      try SignInSiteTests.site([idp, idp], clock, sessions)
    }
    #expect(error?.code == .signInConfiguration)
    _ = try SignInSiteTests.site([idp, other], clock, sessions)
  }

  @Test("SEM-19: A logout request ends sessions at its own provider alone")
  func logout() async throws {
    let site = try SignInSiteTests.site([idp, other], clock, sessions)
    let (first, second) = (Browser(site), Browser(site))
    try await signIn(first, idp, "p0")
    try await signIn(second, other, "p1")
    let sender = try ServiceProvider(
      entityID: idp.entityID, consumer: HTTPURL("https://idp.example/acs"),
      logout: HTTPURL("https://idp.example/slo"), signingKeys: [idp.key])
    let slo = try HTTPURL("https://app.example/saml/slo")
    let ours = IdentityProvider(
      entityID: "https://app.example/saml", signOn: [], logout: [.init(.redirect, slo)])
    let begun = try #require(
      try sender.beginLogout(
        of: IssuerSession(name: SubjectName("ada")), at: ours, at: clock.now))
    let response = try await Browser(site).send(
      "GET", "/saml/slo?" + (begun.action.address.query ?? ""))
    #expect(response.status == 303)
    #expect(try await site.session(of: first.request("/")) == nil)
    #expect(try await site.session(of: second.request("/")) != nil)
  }

  @Test("A prefix that two readers take for two paths is refused")
  func prefixes() throws {
    let origin = try HTTPURL("https://app.example/").origin
    for prefix in [
      "/gate?/", "/../gate/", "/gate/./", "//", "/gate//x/", "gate/", "/gate", "/g%61te/", "/gäte/",
      "/gate;x/", "",
    ] {
      let error = #expect(throws: TokenError.self) {
        try SiteSettings(origin: origin, prefix: prefix)
      }
      #expect(error?.code == .signInConfiguration, "\(prefix)")
    }
    for prefix in ["/", "/.gate/", "/v2/up-stream_1/", "/a/b~/"] {
      _ = try SiteSettings(origin: origin, prefix: prefix)
    }
  }
}
