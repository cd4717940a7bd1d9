import Foundation
import GateService
import RegistryTesting
import SignIn
import TestSupport
import Testing

@Suite("The tickets that open a session at an application")
struct TicketTests {
  private let fixture: ApplicationFixture

  init() throws { fixture = try ApplicationFixture() }

  @Test("A ticket counts once, for 30 seconds, at its host and in its browser")
  func tickets() async throws {
    let gate = try fixture.gate()
    // Used twice: by the browser itself, which is signed in already, and by another.
    let (used, address) = try await fixture.ticket(gate)
    #expect(try await used.open(address).fields["Location"] == "/page")
    let again = try await used.open(address)
    #expect(again.status == 303 && again.fields["Location"] == "/")
    let replayed = try await fixture.browser(gate).open(address)
    #expect(replayed.status == 400 && fixture.code(replayed) == "signin.ticket-unknown")
    // Stolen: in a browser without the cookie, or with its own.
    for cookie in [nil, "x"] {
      let (_, stolen) = try await fixture.ticket(gate)
      let (thief, _) = try await fixture.ticket(gate)
      if cookie == nil {
        for name in thief.cookies("wiki.example").keys {
          thief.setCookie(name, nil, at: "wiki.example")
        }
      }
      let refused = try await thief.open(stolen)
      #expect(refused.status == 400 && fixture.code(refused) == "signin.ticket-other-browser")
      #expect(thief.cookies("wiki.example")["__Host-session"] == nil)
    }
    // The name of the cookie is no secret: its value counts.
    let (guesser, guessed) = try await fixture.ticket(gate)
    let names = guesser.cookies("wiki.example").keys.filter { $0.contains("app-signin") }
    #expect(names.count == 1)
    for name in names {
      guesser.setCookie(name, String(repeating: "A", count: 43), at: "wiki.example")
    }
    #expect(fixture.code(try await guesser.open(guessed)) == "signin.ticket-other-browser")
    // For another host, even in the same browser.
    let (moved, elsewhere) = try await fixture.ticket(gate)
    let other = try await moved.open(
      elsewhere.replacingOccurrences(of: "wiki.example", with: "talks.example"))
    #expect(other.status == 400 && fixture.code(other) == "signin.ticket-other-host")
    // What was shown in the wrong place is used up.
    #expect(fixture.code(try await moved.open(elsewhere)) == "signin.ticket-unknown")
    // Late.
    let (slow, late) = try await fixture.ticket(gate)
    fixture.clock.advance(bySeconds: 30)
    #expect(fixture.code(try await slow.open(late)) == "signin.ticket-unknown")
    let (quick, inTime) = try await fixture.ticket(gate)
    fixture.clock.advance(bySeconds: 29)
    #expect(try await quick.open(inTime).status == 303)
    for text in ["x", String(repeating: "A", count: 43)] {
      let made = try await quick.open("https://talks.example/.gate/ticket?ticket=\(text)")
      #expect(made.status == 400 && fixture.code(made) == "signin.ticket-unknown", "\(text)")
    }
  }

  @Test("Of two who open one ticket at once, one gets in")
  func race() async throws {
    let gate = try fixture.gate()
    for _ in 0..<20 {
      let (browser, address) = try await fixture.ticket(gate)
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

  @Test("GATE-11: No browser is sent to an address that no application asked for")
  func redirects() async throws {
    let gate = try fixture.gate()
    let browser = fixture.browser(gate)
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
      #expect(refused.status == 400 && fixture.code(refused) == "signin.ticket-request")
    }
    #expect(try await browser.open(address).status == 303)
  }

  /// A gate with these applications, and the same keys as any other of these.
  private func gate(_ names: [String]) throws -> Gate {
    Gate(
      site: try SignInSite(
        SiteSettings(origin: HTTPURL("https://app.example/").origin, prefix: "/.gate/"),
        providers: fixture.idp.site(clock: fixture.clock).providers,
        pages: ApplicationFixture.CodePages(), sessions: fixture.sessions,
        keys: [[UInt8](repeating: 7, count: 32)], clock: fixture.clock), proxy: .nginx,
      peers: [try PeerNetwork("127.0.0.1")], rules: GateRules([]), headers: IdentityHeaders([]),
      people: .shared,
      applications: try names.map { try fixture.application("https://\($0).example") },
      values: fixture.values)
  }

  @Test("A finished sign-in leads to the page of an application only while the file has it")
  func finishedForRemoved() async throws {
    for (names, place) in [(["wiki", "talks"], "https://talks.example/a"), (["wiki"], "/")] {
      let browser = fixture.browser(try gate(["wiki", "talks"]))
      let begun = try await browser.open("https://talks.example/.gate/sign-in?return=%2Fa")
      let asked = try await browser.open(#require(begun.fields["Location"]))
      _ = try await browser.signIn(asked)
      let location = try #require(asked.fields["Location"])
      let request = String(try #require(location.firstMatch(of: /RelayState=([0-9a-f]{40})/)).1)
      let cookies = browser.cookies("app.example").map { "\($0.key)=\($0.value)" }
      let finished = await (try gate(names)).respond(
        to: WebRequest(
          method: "GET", path: "/.gate/finished", query: "request=\(request)",
          fields: try HTTPFields([
            ("X-Original-Proto", "https"), ("X-Original-Host", "app.example"),
            ("Cookie", cookies.joined(separator: "; ")),
          ])), from: "127.0.0.1")
      #expect(finished.fields["Location"] == place, "\(names)")
    }
  }

  @Test("An application that was taken out of the file gets no ticket")
  func removed() async throws {
    let browser = fixture.browser(try gate(["wiki", "talks"]))
    let begun = try await browser.open("https://talks.example/.gate/sign-in?return=%2Fa")
    let address = try #require(begun.fields["Location"])
    let other = fixture.browser(try gate(["wiki"]))
    let refused = try await other.open(address)
    #expect(refused.status == 400 && fixture.code(refused) == "signin.ticket-request")
    #expect(try await other.open("https://talks.example/.gate/sign-in").isRefusal(.gateHost))
    let same = fixture.browser(try gate(["wiki", "talks"]))
    #expect(try await same.open(address).status == 303, "two gates with one file are one")
  }

  @Test("An answer that is posted twice leads to the application's page, and signs no one in")
  func postedTwice() async throws {
    let gate = try fixture.gate()
    let browser = fixture.browser(gate)
    let out = try await browser.check("https://wiki.example/page?q=1")
    let begun = try await browser.open(#require(out.fields["Location"]))
    let asked = try await browser.open(#require(begun.fields["Location"]))
    let done = try await browser.signIn(asked)
    let location = try #require(asked.fields["Location"])
    let request = String(try #require(location.firstMatch(of: /RelayState=([0-9a-f]{40})/)).1)
    _ = try await browser.open(#require(done.fields["Location"]))
    let finished = try await browser.open("https://app.example/.gate/finished?request=\(request)")
    #expect(finished.fields["Location"] == "https://wiki.example/page?q=1")
    let stranger = try await fixture.browser(gate).open(
      "https://app.example/.gate/finished?request=\(request)")
    #expect(stranger.status == 400)
  }

  @Test("A ticket opens nothing once the session that it is for has ended")
  func endedParent() async throws {
    for (wait, status) in [(Int64(9), 303), (11, 400)] {
      let gate = try fixture.gate()
      let browser = fixture.browser(gate)
      let out = try await browser.check("https://wiki.example/page")
      let begun = try await browser.open(#require(out.fields["Location"]))
      let asked = try await browser.open(#require(begun.fields["Location"]))
      let end = fixture.clock.now.advanced(bySeconds: 10)
      let done = try await browser.signIn(asked, until: end)
      fixture.clock.advance(bySeconds: wait)
      let opened = try await browser.open(#require(done.fields["Location"]))
      #expect(opened.status == status, "after \(wait) s")
      #expect(status == 303 || fixture.code(opened) == "signin.ticket-unknown")
    }
  }

  @Test("Who waits too long before signing in is sent back to the application, which asks anew")
  func lateRequest() async throws {
    let gate = try fixture.gate()
    let browser = fixture.browser(gate)
    let out = try await browser.check("https://wiki.example/page")
    let begun = try await browser.open(#require(out.fields["Location"]))
    let address = try #require(begun.fields["Location"])
    let inTime = try await browser.open(address)
    #expect(inTime.fields["Location"]?.hasPrefix("https://idp.example/") == true)
    fixture.clock.advance(bySeconds: 3_600)
    let late = try await browser.open(address)
    #expect(late.fields["Location"] == "https://wiki.example/page")
  }

  @Test("A ticket for another host is refused there, also to a browser that is signed in there")
  func otherHostSignedIn() async throws {
    let gate = try fixture.gate()
    let (browser, address) = try await fixture.ticket(gate)
    _ = try await browser.visit("https://talks.example/page")
    let moved = address.replacingOccurrences(of: "wiki.example", with: "talks.example")
    let refused = try await browser.open(moved)
    #expect(refused.status == 400 && fixture.code(refused) == "signin.ticket-other-host")
  }

  @Test("A page is of the host that a proxy of the file names; what another peer names is refused")
  func peers() async throws {
    let gate = try fixture.gate()
    let fields = try HTTPFields([
      ("X-Original-Proto", "https"), ("X-Original-Host", "wiki.example"),
    ])
    let request = WebRequest(method: "GET", path: "/.gate/sign-in", query: nil, fields: fields)
    #expect(await gate.respond(to: request, from: "127.0.0.1").status == 303)
    #expect(await gate.respond(to: request, from: "192.0.2.1").isRefusal(.gatePeer))
  }

  @Test("GATE-22: A ticket is in no log")
  func logged() async throws {
    let log = RecordingObserver()
    let gate = try fixture.gate(observer: log)
    let (browser, address) = try await fixture.ticket(gate)
    let ticket = try #require(address.split(separator: "=").last)
    _ = try await fixture.browser(gate).open(address)
    _ = try await browser.open(address)
    #expect(log.lines.contains { $0.contains("signin.ticket-other-browser") })
    #expect(!log.lines.contains { $0.contains(ticket) })
  }
}
