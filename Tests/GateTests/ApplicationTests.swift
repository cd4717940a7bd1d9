import Foundation
import GateService
import IdentityProviderTesting
import SignIn
import TestSupport
import Testing

@Suite("Applications on hosts of their own")
struct ApplicationTests {
  private let fixture: ApplicationFixture

  init() throws { fixture = try ApplicationFixture() }

  @Test(
    "Signed in once, a person has a session at each application, with its own rules and headers")
  func everywhere() async throws {
    let browser = fixture.browser(try fixture.gate())
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
    let gate = try fixture.gate()
    let browser = fixture.browser(gate)
    _ = try await browser.visit("https://wiki.example/page")
    _ = try await browser.visit("https://talks.example/page")
    let hosts = ["app.example", "wiki.example", "talks.example"]
    for from in hosts {
      for to in hosts {
        let thief = fixture.browser(gate)
        thief.setCookie("__Host-session", browser.cookies(from)["__Host-session"], at: to)
        let status = try await thief.check("https://\(to)/page").status
        #expect(status == (from == to ? 200 : 302), "\(from) at \(to)")
      }
    }
  }

  @Test(
    "Signed out at one host, a person is signed out at all; a session that ends, ends everywhere")
  func out() async throws {
    let gate = try fixture.gate()
    let browser = fixture.browser(gate)
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
    try await fixture.sessions.remove(parent)
    #expect(try await statuses() == [302, 302, 302])
    // Idle time is counted together: use at one host keeps the others.
    for host in ["wiki", "talks"] { _ = try await browser.visit("https://\(host).example/page") }
    for _ in 0..<3 {
      fixture.clock.advance(bySeconds: 1_500)
      #expect(try await browser.check("https://talks.example/page").status == 200)
    }
    #expect(try await statuses() == [200, 200, 200])
    fixture.clock.advance(bySeconds: 1_801)
    #expect(try await statuses() == [302, 302, 302])
    // The end is the parent's.
    for host in ["wiki", "talks"] { _ = try await browser.visit("https://\(host).example/page") }
    for _ in 0..<20 {
      fixture.clock.advance(bySeconds: 1_500)
      _ = try await browser.check("https://talks.example/page")
    }
    #expect(try await statuses() == [302, 302, 302])
  }

  @Test("Ten hosts in ten tabs: every tab reaches its page, and no tab disturbs another")
  func tabs() async throws {
    let hosts = (0..<10).map { "h\($0).example" }
    let gate = try fixture.gate(hosts.map { try fixture.application("https://\($0)") })
    let browser = fixture.browser(gate)
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
    let one = fixture.browser(gate)
    for _ in 0..<20 { _ = try await one.open("https://h0.example/.gate/sign-in?return=%2F") }
    #expect(one.cookies("h0.example").keys.filter { $0.contains("app-signin") }.count == 10)
  }

  @Test(
    "GATE-1, GATE-5: The host counts from the proxy alone, in any spelling, and selects nothing else"
  )
  func hosts() async throws {
    let gate = try fixture.gate()
    let browser = fixture.browser(gate)
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
      ("https://wiki.example?x", "evil.example"), ("https://wiki.example/", "evil.example"),
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

  @Test("A page that demands more asks the provider for it, once, and comes back")
  func stepUp() async throws {
    let browser = fixture.browser(try fixture.gate())
    _ = try await browser.visit("https://wiki.example/page")
    let strong = try await browser.visit(
      "https://wiki.example/strict", method: ApplicationFixture.mfa)
    #expect(strong.status == 200)
    // The provider that does not do it is not asked again and again.
    let other = fixture.browser(try fixture.gate())
    _ = try await other.visit("https://wiki.example/page")
    let weak = try await other.visit("https://wiki.example/strict")
    #expect(weak.status == 403)
  }

  @Test("A script gets 401 at an application, with the name of its cookie, and never a redirect")
  func scripts() async throws {
    let gate = try fixture.gate()
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

  @Test("SAML, claims and the account: protocols are at the public origin alone, pages at each")
  func pages() async throws {
    let browser = fixture.browser(try fixture.gate())
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
    let browser = fixture.browser(try fixture.gate())
    _ = try await browser.visit("https://wiki.example/page")
    let broken = Gate(
      site: try fixture.idp.site(sessions: fixture.sessions, clock: fixture.clock), proxy: .nginx,
      peers: [try PeerNetwork("127.0.0.1")], rules: GateRules([]), headers: IdentityHeaders([]),
      people: .shared, applications: [try fixture.application("https://wiki.example")],
      values: AwayValueStore())
    let other = fixture.browser(broken)
    other.setCookie(
      "__Host-session", browser.cookies("wiki.example")["__Host-session"], at: "wiki.example")
    let response = try await other.check("https://wiki.example/page")
    #expect(response.status == 503 && response.isRefusal(.signInSessionStore))
  }

  @Test("A browser's other cookies are no sign-ins under way, and none of them is removed")
  func otherCookies() async throws {
    let browser = fixture.browser(try fixture.gate())
    for number in 0..<12 { browser.setCookie("shop-\(number)", "x", at: "wiki.example") }
    let begun = try await browser.open("https://wiki.example/.gate/sign-in?return=%2Fa")
    #expect(begun.status == 303 && begun.fields.values("Set-Cookie").count == 1)
    #expect(browser.cookies("wiki.example").keys.filter { $0.hasPrefix("shop-") }.count == 12)
    // Of its own, the oldest goes.
    for _ in 0..<9 { _ = try await browser.open("https://wiki.example/.gate/sign-in?return=%2Fa") }
    let eleventh = try await browser.open("https://wiki.example/.gate/sign-in?return=%2Fa")
    #expect(eleventh.fields.values("Set-Cookie").filter { $0.contains("Max-Age=0") }.count == 1)
  }

  @Test("A path that is as long as the prefix and no part of it leads nowhere")
  func besidePrefix() async throws {
    let application = try fixture.application("https://wiki.example")
    let site = try fixture.idp.site(
      pages: ApplicationFixture.CodePages(), sessions: fixture.sessions, clock: fixture.clock)
    let own = ApplicationSite(
      site, ApplicationSessions(of: site, at: [application.settings], in: fixture.values),
      application.settings)
    func status(_ path: String) async -> Int {
      await own.respond(to: WebRequest(method: "GET", path: path)).status
    }
    #expect(await status("/.gate/sign-in") == 303)
    #expect(await status("/abcde/sign-in") == 404)
  }

  @Test("A browser whose session never comes back to an application is told so there")
  func loop() async throws {
    let gate = try fixture.gate()
    for (loses, code) in [(true, "signin.loop"), (false, "")] {
      let browser = fixture.browser(gate)
      for _ in 0..<2 {
        _ = try await browser.visit("https://wiki.example/page")
        browser.setCookie("__Host-session", nil, at: "wiki.example")
      }
      if !loses { fixture.clock.advance(bySeconds: 10) }
      let third = try await browser.open("https://wiki.example/.gate/sign-in?return=%2Fpage")
      #expect(third.status == (loses ? 400 : 303) && fixture.code(third) == code)
    }
  }

  @Test("What a page demands is what the rules of its own application say, whatever their order")
  func demandsOfTheApplication() async throws {
    var strict = GateRule(path: try RequestTarget("/strict"), place: "line 9")
    strict.contexts = [ApplicationFixture.mfa]
    for rules in [[[strict], []], [[], [strict]]] {
      let gate = try fixture.gate([
        try fixture.application("https://wiki.example", rules[0]),
        try fixture.application("https://talks.example", rules[1]),
      ])
      for (host, rule) in zip(["wiki", "talks"], rules) {
        let browser = fixture.browser(gate)
        _ = try await browser.visit("https://\(host).example/page")
        let shown = try await browser.visit("https://\(host).example/strict")
        #expect(shown.status == (rule.isEmpty ? 200 : 403), "\(host)")
      }
    }
  }

  @Test("An examination gets a child of a session without a ticket; at the site there is none")
  func childWithoutTicket() async throws {
    let gate = try fixture.gate()
    let browser = fixture.browser(gate)
    _ = try await browser.visit("https://app.example/page")
    let cookie = try #require(browser.cookies("app.example")["__Host-session"])
    let parent = try #require(SessionID(Secret(cookie)))
    let end = fixture.clock.now.advanced(bySeconds: 60)
    let child = try #require(
      try await gate.child(
        of: parent, until: end, at: fixture.application("https://wiki.example").settings,
        in: fixture.values))
    browser.setCookie("__Host-session", child.revealed, at: "wiki.example")
    #expect(try await browser.check("https://wiki.example/page").status == 200)
    #expect(
      try await gate.child(of: parent, until: end, at: gate.site.settings, in: fixture.values)
        == nil)
  }

  @Test(
    "A session counts for an application's sign-in only where it is of the provider that is asked for"
  )
  func otherProvider() async throws {
    let gate = try fixture.gate()
    for (provider, status) in [("", 303), ("&provider=idp", 303), ("&provider=other", 404)] {
      let browser = fixture.browser(gate)
      _ = try await browser.visit("https://app.example/page")
      let begun = try await browser.open("https://wiki.example/.gate/sign-in?return=%2F\(provider)")
      let given = try await browser.open(#require(begun.fields["Location"]))
      #expect(given.status == status, "\(provider)")
      let isTicket = given.fields["Location"]?.hasPrefix("https://wiki.example/.gate/ticket?")
      #expect((isTicket == true) == (status == 303), "\(provider)")
    }
  }
}
