import Foundation
import GateService
import IdentityProviderTesting
import SignIn
import TestSupport
import Testing

/// A page that shows the fields of its forms.
private struct FormPages: PageRenderer {
  func html(_ page: SitePage) -> (html: String, policy: String) {
    switch page {
    case .content(let content):
      (
        content.forms.map { form in
          form.fields.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
        }.joined(separator: "\n"), ""
      )
    case .refusal(let refusal): (refusal.code, "")
    default: ("page", "")
    }
  }
}

@Suite("A sign-in that a link begins")
struct LinkTests {
  private static let foreign = [("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "navigate")]
  private let clock = ManualTime()
  private let idp: IdentityProviderSimulator
  private let sessions = MemorySessionStore()

  init() throws { idp = try IdentityProviderSimulator() }

  private func gate(_ people: GatePeople = .shared) throws -> Gate {
    var strict = GateRule(path: try RequestTarget("/strict"), place: "line 9")
    strict.maxAge = 60
    return Gate(
      site: try idp.site(pages: FormPages(), sessions: sessions, clock: clock), proxy: .nginx,
      peers: [try PeerNetwork("127.0.0.1")], rules: GateRules([strict]),
      headers: IdentityHeaders([HeaderRule(name: "X-Remote-User", claims: [GateClaim.subject])]),
      people: people)
  }

  private func begin(
    _ gate: Gate, _ query: String, cookie: String? = nil, _ fields: [(String, String)]
  ) async throws -> HTTPResponse {
    await gate.respond(
      to: WebRequest(
        method: "GET", path: "/.gate/sign-in", query: query,
        fields: try HTTPFields(fields + (cookie.map { [("Cookie", $0)] } ?? []))),
      from: "127.0.0.1")
  }

  private func signIn(
    _ gate: Gate, _ query: String = "return=/page", as subject: String, cookie: String? = nil,
    _ fields: [(String, String)] = [("Sec-Fetch-Site", "none")]
  ) async throws -> HTTPResponse {
    let begun = try await begin(gate, query, cookie: cookie, fields)
    return try await idp.finish(begun, at: gate) {
      var answer = IdentityProviderSimulator.Answer(inResponseTo: $0, at: clock.now)
      answer.subject = subject
      return answer
    }
  }

  private func person(_ gate: Gate, _ cookie: String) async throws -> String? {
    await gate.respond(
      to: WebRequest(
        method: "GET", path: "/.gate/check",
        fields: try HTTPFields([
          ("X-Original-URI", "/page"), ("X-Original-Method", "GET"), ("Cookie", cookie),
        ])), from: "127.0.0.1"
    ).fields["X-Remote-User"]
  }

  private func say(
    _ gate: Gate, _ page: HTTPResponse, _ choice: String, cookie: String
  ) async throws -> HTTPResponse {
    let forms = String(decoding: page.body, as: UTF8.self).split(separator: "\n")
    let form = try #require(forms.first { $0.hasSuffix("choice=\(choice)") })
    return await gate.respond(
      to: WebRequest(
        method: "POST", path: "/.gate/replace",
        fields: try HTTPFields([
          ("Cookie", cookie), ("Content-Type", "application/x-www-form-urlencoded"),
        ]), body: Array(form.utf8)), from: "127.0.0.1")
  }

  @Test(
    "One of another site, or of a browser that does not say, asks before another person's session goes",
    arguments: [foreign, []])
  func asks(fields: [(String, String)]) async throws {
    let gate = try gate()
    let ada = try await signIn(gate, as: "ada").sessionCookie()
    let asked = try await signIn(
      gate, "provider=idp&return=/page", as: "eve", cookie: ada, fields)
    #expect(asked.status == 200)
    #expect(!asked.fields.values("Set-Cookie").contains { $0.hasPrefix("__Host-session=") })
    #expect(try await person(gate, ada) == "ada")
    let stayed = try await say(gate, asked, "stay", cookie: ada)
    #expect(stayed.fields["Location"] == "/page" && sessions.count == 1)
    #expect(try await person(gate, ada) == "ada")
    let again = try await signIn(
      gate, "provider=idp&return=/page", as: "eve", cookie: ada, fields)
    let gone = try await say(gate, again, "replace", cookie: ada)
    #expect(try await person(gate, gone.sessionCookie()) == "eve")
    #expect(try await person(gate, ada) != "ada" && sessions.count == 1)
  }

  @Test("The answer counts in the browser that was asked alone, and not for ever")
  func otherBrowser() async throws {
    let gate = try gate()
    let ada = try await signIn(gate, as: "ada").sessionCookie()
    let bob = try await signIn(gate, as: "bob").sessionCookie()
    let asked = try await signIn(gate, "provider=idp", as: "eve", cookie: ada, Self.foreign)
    let refused = try await say(gate, asked, "replace", cookie: bob)
    #expect(String(decoding: refused.body, as: UTF8.self) == "signin.form")
    #expect(try await person(gate, bob) == "bob")
    clock.advance(bySeconds: 601)
    let late = try await say(gate, asked, "replace", cookie: ada)
    #expect(String(decoding: late.body, as: UTF8.self) == "signin.form")
    #expect(try await person(gate, ada) == "ada")
  }

  @Test(
    "The same person, a browser without a session, and a way from a page of the site are not asked")
  func doesNotAsk() async throws {
    let gate = try gate()
    let link = "provider=idp&return=/page"
    #expect(try await signIn(gate, link, as: "eve", Self.foreign).status == 303)
    let ada = try await signIn(gate, as: "ada").sessionCookie()
    #expect(try await signIn(gate, link, as: "ada", cookie: ada, Self.foreign).status == 303)
    for site in ["same-origin", "same-site", "none"] {
      let ada = try await signIn(gate, as: "ada").sessionCookie()
      let done = try await signIn(
        gate, link, as: "eve", cookie: ada, [("Sec-Fetch-Site", site)])
      #expect(try await person(gate, done.sessionCookie()) == "eve", "\(site)")
    }
    let other = try await signIn(gate, as: "ada").sessionCookie()
    let own = try await signIn(gate, "return=/page", as: "eve", cookie: other, Self.foreign)
    #expect(own.status == 303, "the gate's own redirects name no provider")
  }

  @Test("A step-up does not ask; a link with the mark of another session does")
  func stepUp() async throws {
    let gate = try gate()
    func mark(_ cookie: String) async throws -> String {
      clock.advance(bySeconds: 300)
      let out = await gate.respond(
        to: WebRequest(
          method: "GET", path: "/.gate/check", query: "redirect",
          fields: try HTTPFields([
            ("X-Original-URI", "/strict"), ("X-Original-Method", "GET"), ("Cookie", cookie),
            ("Accept", "text/html"),
          ])), from: "127.0.0.1")
      return String(try #require(out.fields["Location"]?.split(separator: "?").last))
    }
    let ada = try await signIn(gate, as: "ada").sessionCookie()
    let query = try await mark(ada)
    let bob = try await signIn(gate, as: "bob").sessionCookie()
    let asked = try await signIn(gate, query, as: "eve", cookie: bob, Self.foreign)
    #expect(asked.status == 200)
    let done = try await signIn(gate, query, as: "eve", cookie: ada, Self.foreign)
    #expect(try await person(gate, done.sessionCookie()) == "eve")
  }

  @Test("Only navigations begin a sign-in: no picture, script, frame of another site or prefetch")
  func navigations() async throws {
    let gate = try gate()
    for fields in [
      [("Sec-Fetch-Mode", "no-cors"), ("Sec-Fetch-Dest", "image")],
      [("Sec-Fetch-Mode", "cors"), ("Sec-Fetch-Site", "same-origin")],
      [("Sec-Fetch-Mode", "no-cors"), ("Sec-Fetch-Dest", "script")],
      Self.foreign + [("Sec-Fetch-Dest", "iframe")], Self.foreign + [("Sec-Fetch-Dest", "object")],
      Self.foreign + [("Sec-Purpose", "prefetch")],
      [("Sec-Fetch-Mode", "navigate"), ("Sec-Purpose", "prefetch;prerender")],
    ] {
      let response = try await begin(gate, "provider=idp", fields)
      #expect(response.status == 403 && response.fields.values("Set-Cookie").isEmpty)
      #expect(String(decoding: response.body, as: UTF8.self) == "signin.not-a-navigation")
    }
    for fields in [
      [], Self.foreign, Self.foreign + [("Sec-Fetch-Dest", "document")],
      [
        ("Sec-Fetch-Mode", "navigate"), ("Sec-Fetch-Dest", "iframe"),
        ("Sec-Fetch-Site", "same-site"),
      ],
    ] {
      let response = try await begin(gate, "provider=idp", fields)
      #expect(response.status == 303 && !response.fields.values("Set-Cookie").isEmpty)
    }
  }
}
