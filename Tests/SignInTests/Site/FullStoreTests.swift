import IdentityProviderTesting
import SignIn
import Synchronization
import TestSupport
import Testing

/// A store of sessions that is full, or may only be read.
@Suite("A store that takes no writes")
struct FullStoreTests {
  private let clock = ManualTime()
  private let idp: IdentityProviderSimulator
  private let store = RefusingStore()
  private let site: SignInSite
  private let browser: Browser

  init() async throws {
    idp = try IdentityProviderSimulator()
    site = try SignInSiteTests.site([idp], clock, store)
    browser = Browser(site)
    let begun = try await browser.send("GET", "/sign-in?return=%2Fpage")
    let location = try #require(begun.fields["Location"])
    let request = "_" + String(try #require(location.firstMatch(of: /RelayState=([0-9a-f]{40})/)).1)
    let response = try await browser.send(
      "POST", "/saml/acs", body: idp.message(.init(inResponseTo: request, at: clock.now)))
    #expect(response.status == 303)
  }

  @Test("Who is signed in stays so: noting a use fails no question, and is not tried by each")
  func uses() async throws {
    store.refuses.withLock { $0 = true }
    for seconds in [61, 1, 1, 1] {
      clock.advance(bySeconds: Int64(seconds))
      #expect(try await site.session(of: browser.request("/")) != nil)
    }
    #expect(store.asked.withLock { $0 } == 1)
    clock.advance(bySeconds: 5)
    store.refuses.withLock { $0 = false }
    #expect(try await site.session(of: browser.request("/")) != nil)
    #expect(store.asked.withLock { $0 } == 2)
    // The use that was noted keeps the session from being idle.
    clock.advance(bySeconds: 1700)
    #expect(try await site.session(of: browser.request("/")) != nil)
  }

  @Test("A session that is over is none, although it cannot be removed")
  func over() async throws {
    store.refuses.withLock { $0 = true }
    clock.advance(bySeconds: 28_801)
    #expect(try await site.session(of: browser.request("/")) == nil)
    #expect(try await site.session(of: browser.request("/")) == nil)
  }
}
