import Foundation
import GateService
import IdentityProviderTesting
import SignIn
import TestSupport
import Testing

/// Several applications behind one gate: people sign in at the public origin, and a ticket opens a session at each.
struct ApplicationFixture {
  struct CodePages: PageRenderer {
    func html(_ page: SitePage) -> (html: String, policy: String) {
      switch page {
      case .refusal(let refusal): (refusal.code, "")
      case .forbidden(let page): (page.signIn ?? page.code, "")
      case .content(let page): (page.details?.code ?? "page", "")
      default: ("page", "")
      }
    }
  }

  static let mfa = "urn:oasis:names:tc:SAML:2.0:ac:classes:MobileTwoFactorContract"
  let clock = ManualTime()
  let idp: IdentityProviderSimulator
  let sessions = MemorySessionStore()
  let values = MemoryValueStore()

  init() throws { idp = try IdentityProviderSimulator() }

  func application(
    _ origin: String, _ rules: [GateRule] = [], header: String = "X-Remote-User"
  ) throws -> GateApplication {
    GateApplication(
      try SiteSettings(origin: HTTPURL(origin).origin, prefix: "/.gate/"),
      rules: GateRules(rules),
      headers: IdentityHeaders([HeaderRule(name: header, claims: [GateClaim.subject])]))
  }

  /// A gate before `app.example` and the hosts.
  func gate(
    _ applications: [GateApplication]? = nil, keys: [[UInt8]]? = nil,
    observer: any ActivityObserver = NoObserver()
  ) throws -> Gate {
    var strict = GateRule(path: try RequestTarget("/strict"), place: "line 9")
    strict.contexts = [Self.mfa]
    let usual = [
      try application("https://wiki.example", [strict]),
      try application("https://talks.example", header: "X-Who"),
    ]
    let site = try idp.site(
      pages: CodePages(), sessions: sessions, clock: clock, observer: observer)
    return Gate(
      site: site, proxy: .nginx, peers: [try PeerNetwork("127.0.0.1")],
      rules: GateRules([
        GateRule(path: try RequestTarget("/admin"), claims: ["role"], values: ["admin"])
      ]), headers: IdentityHeaders([]), people: .shared, applications: applications ?? usual,
      values: values, observer: observer)
  }

  func browser(_ gate: Gate) -> ApplicationBrowser {
    ApplicationBrowser(gate, idp, clock)
  }

  /// A browser that began to sign in at an application, and the address with its ticket, not opened yet.
  func ticket(
    _ gate: Gate, _ address: String = "https://wiki.example/page"
  ) async throws -> (browser: ApplicationBrowser, address: String) {
    let browser = browser(gate)
    let out = try await browser.check(address)
    let begun = try await browser.open(#require(out.fields["Location"]))
    let asked = try await browser.open(#require(begun.fields["Location"]))
    let done = try await browser.signIn(asked)
    return (browser, try #require(done.fields["Location"]))
  }

  func code(_ response: HTTPResponse) -> String {
    String(decoding: response.body, as: UTF8.self)
  }
}
