import Foundation
import GateService
import IdentityProviderTesting
import RegistryTesting
import SignIn
import TestSupport
import Testing

/// Several applications behind one gate: people sign in at the public origin, and a ticket opens a session at each.
@Suite("Applications on hosts of their own")
struct ApplicationTests {
  private struct CodePages: PageRenderer {
    func html(_ page: SitePage) -> (html: String, policy: String) {
      switch page {
      case .refusal(let refusal): (refusal.code, "")
      case .forbidden(let page): (page.signIn ?? page.code, "")
      default: ("page", "")
      }
    }
  }

  private static let mfa = "urn:oasis:names:tc:SAML:2.0:ac:classes:MobileTwoFactorContract"
  private let clock = ManualTime()
  private let idp: IdentityProviderSimulator
  private let sessions = MemorySessionStore()
  private let values = MemoryValueStore()

  init() throws { idp = try IdentityProviderSimulator() }

  private func application(
    _ origin: String, _ rules: [GateRule] = [], header: String = "X-Remote-User"
  ) throws -> GateApplication {
    GateApplication(
      try SiteSettings(origin: HTTPURL(origin).origin, prefix: "/.gate/"),
      rules: GateRules(rules),
      headers: IdentityHeaders([HeaderRule(name: header, claims: [GateClaim.subject])]))
  }

  /// A gate before `app.example` and the hosts.
  private func gate(
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

  private func browser(_ gate: Gate) -> ApplicationBrowser {
    ApplicationBrowser(gate, idp, clock)
  }

  /// A browser that began to sign in at an application, and the address with its ticket, not opened yet.
  private func ticket(
    _ gate: Gate, _ address: String = "https://wiki.example/page"
  ) async throws -> (browser: ApplicationBrowser, address: String) {
    let browser = browser(gate)
    let out = try await browser.check(address)
    let begun = try await browser.open(#require(out.fields["Location"]))
    let asked = try await browser.open(#require(begun.fields["Location"]))
    let done = try await browser.signIn(asked)
    return (browser, try #require(done.fields["Location"]))
  }

  private func code(_ response: HTTPResponse) -> String {
    String(decoding: response.body, as: UTF8.self)
  }

  @Test(
    "Signed in once, a person has a session at each application, with its own rules and headers")
  func everywhere() async throws {
    let browser = browser(try gate())
    let wiki = try await browser.visit("https://wiki.example/page?q=1")
    #expect(wiki.status == 200 && wiki.fields["X-Remote-User"] == "ada")
    // No second sign-in: the browser never leaves for the provider.
    let out = try await browser.check("https://talks.example/a")
    #expect(
      out.status == 302
        && out.fields["Location"] == "https://talks.example/.gate/sign-in?return=%2Fa")
    let begun = try await browser.open(#require(out.fields["Location"]))
    #expect(
      begun.fields["Location"]?.hasPrefix("https://app.example/.gate/sign-in?application=") == true)
    let given = try await browser.open(#require(begun.fields["Location"]))
    #expect(
      given.fields["Location"]?.hasPrefix("https://talks.example/.gate/ticket?ticket=") == true)
    let opened = try await browser.open(#require(given.fields["Location"]))
    #expect(opened.status == 303 && opened.fields["Location"] == "/a")
    #expect(opened.fields["Cache-Control"] == "no-store")
    #expect(opened.fields["Referrer-Policy"] == "no-referrer")
    let talks = try await browser.check("https://talks.example/a")
    #expect(talks.status == 200 && talks.fields["X-Who"] == "ada")
    #expect(talks.fields["X-Remote-User"] == nil)
    // The rules of the public origin are not those of the applications, and the reverse.
    #expect(try await browser.check("https://wiki.example/admin").status == 200)
    #expect(try await browser.check("https://app.example/admin").status == 403)
    let cookies = [
      try #require(browser.cookies("app.example")["__Host-session"]),
      try #require(browser.cookies("wiki.example")["__Host-session"]),
      try #require(browser.cookies("talks.example")["__Host-session"]),
    ]
    #expect(Set(cookies).count == 3, "each host has a cookie of its own")
    #expect(
      browser.cookies("wiki.example").keys.sorted() == ["__Host-session", "__Host-signin-times"])
  }

  @Test("GATE-16: The cookie of one host opens nothing at another")
  func cookiesOfOthers() async throws {
    let gate = try gate()
    let browser = browser(gate)
    _ = try await browser.visit("https://wiki.example/page")
    _ = try await browser.visit("https://talks.example/page")
    let hosts = ["app.example", "wiki.example", "talks.example"]
    for from in hosts {
      for to in hosts {
        let thief = self.browser(gate)
        thief.setCookie("__Host-session", browser.cookies(from)["__Host-session"], at: to)
        let status = try await thief.check("https://\(to)/page").status
        #expect(status == (from == to ? 200 : 302), "\(from) at \(to)")
      }
    }
  }

  @Test("A ticket counts once, for 30 seconds, at its host and in its browser")
  func tickets() async throws {
    let gate = try gate()
    // Used twice: by the browser itself, which is signed in already, and by another.
    let (used, address) = try await ticket(gate)
    #expect(try await used.open(address).fields["Location"] == "/page")
    let again = try await used.open(address)
    #expect(again.status == 303 && again.fields["Location"] == "/")
    let replayed = try await browser(gate).open(address)
    #expect(replayed.status == 400 && code(replayed) == "signin.ticket-unknown")
    // Stolen: in a browser without the cookie, or with its own.
    for cookie in [nil, "x"] {
      let (_, stolen) = try await ticket(gate)
      let (thief, _) = try await ticket(gate)
      if cookie == nil {
        for name in thief.cookies("wiki.example").keys {
          thief.setCookie(name, nil, at: "wiki.example")
        }
      }
      let refused = try await thief.open(stolen)
      #expect(refused.status == 400 && code(refused) == "signin.ticket-other-browser")
      #expect(thief.cookies("wiki.example")["__Host-session"] == nil)
    }
    // For another host, even in the same browser.
    let (moved, elsewhere) = try await ticket(gate)
    let other = try await moved.open(
      elsewhere.replacingOccurrences(of: "wiki.example", with: "talks.example"))
    #expect(other.status == 400 && code(other) == "signin.ticket-other-host")
    // What was shown in the wrong place is used up.
    #expect(code(try await moved.open(elsewhere)) == "signin.ticket-unknown")
    // Late.
    let (slow, late) = try await ticket(gate)
    clock.advance(bySeconds: 30)
    #expect(code(try await slow.open(late)) == "signin.ticket-unknown")
    let (quick, inTime) = try await ticket(gate)
    clock.advance(bySeconds: 29)
    #expect(try await quick.open(inTime).status == 303)
    for text in ["x", String(repeating: "A", count: 43)] {
      let made = try await quick.open("https://talks.example/.gate/ticket?ticket=\(text)")
      #expect(made.status == 400 && code(made) == "signin.ticket-unknown", "\(text)")
    }
  }

  @Test("Of two who open one ticket at once, one gets in")
  func race() async throws {
    let gate = try gate()
    for _ in 0..<20 {
      let (browser, address) = try await ticket(gate)
      let cookies = browser.cookies("wiki.example")
      let url = try HTTPURL(address)
      let fields = try HTTPFields([
        ("X-Original-Proto", "https"), ("X-Original-Host", "wiki.example"),
        ("Cookie", cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")),
      ])
      let request = WebRequest(method: "GET", path: url.path, query: url.query, fields: fields)
      let statuses = await withTaskGroup(of: Int.self) { group in
        for _ in 0..<4 {
          group.addTask { await gate.respond(to: request, from: "127.0.0.1").status }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      #expect(statuses.sorted() == [303, 400, 400, 400])
    }
  }

  @Test(
    "Signed out at one host, a person is signed out at all; a session that ends, ends everywhere")
  func out() async throws {
    let gate = try gate()
    let browser = browser(gate)
    func statuses() async throws -> [Int] {
      var found: [Int] = []
      for host in ["app", "wiki", "talks"] {
        found.append(try await browser.check("https://\(host).example/page").status)
      }
      return found
    }
    for host in ["wiki", "talks"] { _ = try await browser.visit("https://\(host).example/page") }
    #expect(try await statuses() == [200, 200, 200])
    // The application's own address leads to where people sign out.
    let out = try await browser.open("https://wiki.example/.gate/sign-out")
    #expect(out.fields["Location"] == "https://app.example/.gate/sign-out")
    let cookie = try #require(browser.cookies("app.example")["__Host-session"])
    let parent = try #require(SessionID(Secret(cookie)))
    try await sessions.remove(parent)
    #expect(try await statuses() == [302, 302, 302])
    // Idle time is counted together: use at one host keeps the others.
    for host in ["wiki", "talks"] { _ = try await browser.visit("https://\(host).example/page") }
    for _ in 0..<3 {
      clock.advance(bySeconds: 1_500)
      #expect(try await browser.check("https://talks.example/page").status == 200)
    }
    #expect(try await statuses() == [200, 200, 200])
    clock.advance(bySeconds: 1_801)
    #expect(try await statuses() == [302, 302, 302])
    // The end is the parent's.
    for host in ["wiki", "talks"] { _ = try await browser.visit("https://\(host).example/page") }
    for _ in 0..<20 {
      clock.advance(bySeconds: 1_500)
      _ = try await browser.check("https://talks.example/page")
    }
    #expect(try await statuses() == [302, 302, 302])
  }

  @Test("Ten hosts in ten tabs: every tab reaches its page, and no tab disturbs another")
  func tabs() async throws {
    let hosts = (0..<10).map { "h\($0).example" }
    let gate = try gate(hosts.map { try application("https://\($0)") })
    let browser = browser(gate)
    // All begin before the person has signed in.
    var begun: [String] = []
    for host in hosts + hosts {
      let out = try await browser.check("https://\(host)/page")
      let first = try await browser.open(#require(out.fields["Location"]))
      begun.append(try #require(first.fields["Location"]))
    }
    let first = try await browser.signIn(try await browser.open(begun[0]))
    var tickets = [try #require(first.fields["Location"])]
    for address in begun.dropFirst() {
      tickets.append(try #require(try await browser.open(address).fields["Location"]))
    }
    for ticket in tickets {
      let opened = try await browser.open(ticket)
      #expect(opened.status == 303 && opened.fields["Location"] == "/page")
    }
    for host in hosts { #expect(try await browser.check("https://\(host)/page").status == 200) }
    // Twenty more tabs at one host leave ten pending sign-ins.
    let one = self.browser(gate)
    for _ in 0..<20 { _ = try await one.open("https://h0.example/.gate/sign-in?return=%2F") }
    #expect(one.cookies("h0.example").keys.filter { $0.contains("app-signin") }.count == 10)
  }

  @Test(
    "GATE-1, GATE-5: The host counts from the proxy alone, in any spelling, and selects nothing else"
  )
  func hosts() async throws {
    let gate = try gate()
    let browser = browser(gate)
    _ = try await browser.visit("https://wiki.example/page")
    let cookie = "__Host-session=" + (browser.cookies("wiki.example")["__Host-session"] ?? "")
    func ask(
      _ proto: [String], _ host: [String], peer: String = "127.0.0.1",
      more: [(String, String)] = []
    ) async throws -> HTTPResponse {
      await gate.respond(
        to: WebRequest(
          method: "GET", path: "/.gate/check",
          fields: try HTTPFields(
            proto.map { ("X-Original-Proto", $0) } + host.map { ("X-Original-Host", $0) } + [
              ("X-Original-URI", "/page"), ("X-Original-Method", "GET"), ("Cookie", cookie),
              ("Accept", "text/html"),
            ] + more)), from: peer)
    }
    for host in [
      "wiki.example", "WIKI.Example", "wiki.example:443", "wiki.example.", "wiki.example.:443",
    ] {
      #expect(try await ask(["https"], [host]).status == 200, "\(host)")
    }
    for (proto, host) in [
      ("https", "evil.example"), ("https", "wiki.example.evil.example"), ("http", "wiki.example"),
      ("https", "wiki.example:444"), ("https", "wiki.example.."), ("https", "wiki.example/x"),
      ("https", "x@wiki.example"), ("https", "wiki.example?x"),
      ("https", "wiki.example, app.example"),
      ("ftp", "wiki.example"), ("https", "wíki.example"), ("https", "."), ("https", "127.0.0.1"),
    ] {
      let response = try await ask([proto], [host])
      #expect(response.status == 403 && response.isRefusal(.gateHost), "\(host)")
      #expect(response.fields.values("Set-Cookie").isEmpty)
    }
    #expect(try await ask(["https"], []).isRefusal(.gateRequestMissing))
    #expect(try await ask([], ["wiki.example"]).isRefusal(.gateRequestMissing))
    #expect(
      try await ask(["https"], ["wiki.example", "app.example"]).isRefusal(.gateRequestRepeated))
    let stranger = try await ask(["https"], ["wiki.example"], peer: "10.0.0.1")
    #expect(stranger.status == 403 && stranger.isRefusal(.gatePeer))
    for name in ["X-Forwarded-Host", "Host", "Forwarded", "X-Original-URL"] {
      let other = try await ask(["https"], ["wiki.example"], more: [(name, "app.example")])
      #expect(other.status == 200, "\(name)")
    }
    // The pages too: the gate's own addresses are those of the file.
    let page = await gate.respond(
      to: WebRequest(
        method: "GET", path: "/.gate/sign-in", query: "return=%2Fa",
        fields: try HTTPFields([
          ("X-Original-Proto", "https"), ("X-Original-Host", "WIKI.example.:443"),
        ])), from: "127.0.0.1")
    #expect(page.fields["Location"]?.hasPrefix("https://app.example/.gate/sign-in?") == true)
    let unnamed = await gate.respond(
      to: WebRequest(method: "GET", path: "/.gate/sign-in"), from: "127.0.0.1")
    #expect(unnamed.status == 503 && unnamed.isRefusal(.gateRequestMissing))
  }

  @Test("GATE-11: No browser is sent to an address that no application asked for")
  func redirects() async throws {
    let gate = try gate()
    let browser = browser(gate)
    _ = try await browser.visit("https://wiki.example/page")
    for path in [
      "//evil.example", "/%5cevil.example", "https://evil.example", "/\u{9}/evil.example", "///x",
    ] {
      let target = HTTPURL.percentEncoded(path)
      let begun = try await browser.open("https://talks.example/.gate/sign-in?return=\(target)")
      let given = try await browser.open(#require(begun.fields["Location"]))
      let opened = try await browser.open(#require(given.fields["Location"]))
      #expect(opened.fields["Location"] == "/", "\(path)")
    }
    // What is not sealed by this gate, or for an application that was taken out.
    let begun = try await browser.open("https://talks.example/.gate/sign-in?return=%2Fa")
    let address = try #require(begun.fields["Location"])
    for changed in [address.dropLast(2) + "AA", "https://app.example/.gate/sign-in?application=x"] {
      let refused = try await browser.open(String(changed))
      #expect(refused.status == 400 && code(refused) == "signin.ticket-request")
    }
    #expect(try await browser.open(address).status == 303)
  }

  @Test("An application that was taken out of the file gets no ticket")
  func removed() async throws {
    let key = [UInt8](repeating: 7, count: 32)
    func gate(_ names: [String]) throws -> Gate {
      Gate(
        site: try SignInSite(
          SiteSettings(origin: HTTPURL("https://app.example/").origin, prefix: "/.gate/"),
          providers: idp.site(clock: clock).providers, pages: CodePages(), sessions: sessions,
          keys: [key], clock: clock), proxy: .nginx, peers: [try PeerNetwork("127.0.0.1")],
        rules: GateRules([]), headers: IdentityHeaders([]), people: .shared,
        applications: try names.map { try application("https://\($0).example") }, values: values)
    }
    let browser = browser(try gate(["wiki", "talks"]))
    let begun = try await browser.open("https://talks.example/.gate/sign-in?return=%2Fa")
    let address = try #require(begun.fields["Location"])
    let other = self.browser(try gate(["wiki"]))
    let refused = try await other.open(address)
    #expect(refused.status == 400 && code(refused) == "signin.ticket-request")
    #expect(try await other.open("https://talks.example/.gate/sign-in").isRefusal(.gateHost))
    let same = self.browser(try gate(["wiki", "talks"]))
    #expect(try await same.open(address).status == 303, "two gates with one file are one")
  }

  @Test("A page that demands more asks the provider for it, once, and comes back")
  func stepUp() async throws {
    let browser = browser(try gate())
    _ = try await browser.visit("https://wiki.example/page")
    let strong = try await browser.visit("https://wiki.example/strict", method: Self.mfa)
    #expect(strong.status == 200)
    // The provider that does not do it is not asked again and again.
    let other = self.browser(try gate())
    _ = try await other.visit("https://wiki.example/page")
    let weak = try await other.visit("https://wiki.example/strict")
    #expect(weak.status == 403)
  }

  @Test("A script gets 401 at an application, with the name of its cookie, and never a redirect")
  func scripts() async throws {
    let gate = try gate()
    let response = await gate.respond(
      to: WebRequest(
        method: "GET", path: "/.gate/check",
        fields: try HTTPFields([
          ("X-Original-Proto", "https"), ("X-Original-Host", "wiki.example"),
          ("X-Original-URI", "/page"), ("X-Original-Method", "GET"), ("Sec-Fetch-Mode", "cors"),
        ])), from: "127.0.0.1")
    #expect(response.status == 401 && response.fields["Location"] == nil)
    #expect(
      response.fields["WWW-Authenticate"]?.hasPrefix("Cookie realm=\"https://wiki.example\"")
        == true)
  }

  @Test("An answer that is posted twice leads to the application's page, and signs no one in")
  func postedTwice() async throws {
    let gate = try gate()
    let browser = browser(gate)
    let out = try await browser.check("https://wiki.example/page?q=1")
    let begun = try await browser.open(#require(out.fields["Location"]))
    let asked = try await browser.open(#require(begun.fields["Location"]))
    let done = try await browser.signIn(asked)
    let location = try #require(asked.fields["Location"])
    let request = String(try #require(location.firstMatch(of: /RelayState=([0-9a-f]{40})/)).1)
    _ = try await browser.open(#require(done.fields["Location"]))
    let finished = try await browser.open("https://app.example/.gate/finished?request=\(request)")
    #expect(finished.fields["Location"] == "https://wiki.example/page?q=1")
    let stranger = try await self.browser(gate).open(
      "https://app.example/.gate/finished?request=\(request)")
    #expect(stranger.status == 400)
  }

  @Test("SAML, claims and the account: protocols are at the public origin alone, pages at each")
  func pages() async throws {
    let browser = browser(try gate())
    _ = try await browser.visit("https://wiki.example/page")
    for path in ["saml/metadata", "saml/acs", "finished?request=x", "keys", "discovery", "health"] {
      #expect(
        try await browser.open("https://wiki.example/.gate/" + path).status == 404, "\(path)")
    }
    let metadata = try await browser.open("https://app.example/.gate/saml/metadata")
    #expect(metadata.status == 200)
    for path in ["", "account", "claims"] {
      for host in ["app", "wiki"] {
        #expect(
          try await browser.open("https://\(host).example/.gate/" + path).status == 200, "\(path)")
      }
    }
    let posted = try await browser.open(
      "https://wiki.example/.gate/sign-out", method: "POST")
    #expect(posted.status == 405)
  }

  @Test("GATE-8: A store that does not answer is 503 at an application, never a redirect")
  func brokenStore() async throws {
    let browser = browser(try gate())
    _ = try await browser.visit("https://wiki.example/page")
    let broken = Gate(
      site: try idp.site(sessions: sessions, clock: clock), proxy: .nginx,
      peers: [try PeerNetwork("127.0.0.1")], rules: GateRules([]), headers: IdentityHeaders([]),
      people: .shared, applications: [try application("https://wiki.example")],
      values: BrokenValueStore())
    let other = self.browser(broken)
    other.setCookie(
      "__Host-session", browser.cookies("wiki.example")["__Host-session"], at: "wiki.example")
    let response = try await other.check("https://wiki.example/page")
    #expect(response.status == 503 && response.isRefusal(.signInSessionStore))
  }

  @Test("GATE-22: A ticket is in no log")
  func logged() async throws {
    let log = RecordingObserver()
    let gate = try gate(observer: log)
    let (browser, address) = try await ticket(gate)
    let ticket = try #require(address.split(separator: "=").last)
    _ = try await self.browser(gate).open(address)
    _ = try await browser.open(address)
    #expect(log.lines.contains { $0.contains("signin.ticket-other-browser") })
    #expect(!log.lines.contains { $0.contains(ticket) })
  }
}

private struct BrokenValueStore: ValueStore {
  private static let error = TokenError(.signInSessionStore)

  func keep(
    _ value: [UInt8], under name: ValueName, until end: Instant, at now: Instant
  ) async throws(TokenError) { throw Self.error }
  func value(under name: ValueName, at now: Instant) async throws(TokenError) -> [UInt8]? {
    throw Self.error
  }
  func take(_ name: ValueName, at now: Instant) async throws(TokenError) -> [UInt8]? {
    throw Self.error
  }
  func remove(_ name: ValueName) async throws(TokenError) { throw Self.error }
  func sweep(at now: Instant) async throws(TokenError) { throw Self.error }
}
