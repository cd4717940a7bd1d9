import AccessControl
import HTTPExchange
import Synchronization
import TestSupport
import Testing

@Suite("Rules changed on the admin pages")
struct AdminRuleTests {
  private let fixture: SiteFixture

  init() throws { fixture = try SiteFixture() }

  private func signedIn() async throws -> String {
    try await fixture.post("/admin/sign-in", [("password", "admin password")]).cookies
  }

  private static let address = "/admin/rules?group=default"

  private func change(
    _ fields: [(String, String)], cookies: String, page: String? = nil
  ) async throws -> HTTPExchange.HTTPResponse {
    var shown = page
    if shown == nil { shown = try await fixture.get(Self.address, cookies: cookies).text }
    let text = shown ?? ""
    return try await fixture.post(
      "/admin/rules",
      fields + ["csrf", "group", "version"].map { ($0, PlainPages.field($0, in: text)) },
      cookies: cookies)
  }

  private func claims() throws -> ClaimSet {
    let namespace = fixture.site.store.current
    let party = try namespace.relyingParty("uri:talks.example.org")
    return ClaimSet(
      try namespace.rules(of: party).evaluate(
        ClaimSet([Claim(.emailAddress, "mia@example.org")]), from: .provider("Google"),
        issuer: namespace.issuer
      ).map(\.claim))
  }

  private static let editor = [
    ("action", "add"), ("from", "Google"), ("type", "emailaddress"),
    ("value", "mia@example.org"), ("outputType", "role"), ("outputValue", "editor"),
    ("note", "Mia edits"),
  ]

  @Test("A rule that is added holds from the next token on, and is kept")
  func add() async throws {
    let cookies = try await signedIn()
    #expect(try claims().single(.role) == nil)
    let response = try await change(Self.editor, cookies: cookies)
    #expect(response.status == 303 && response.fields["Location"] == Self.address)
    #expect(try claims().single(.role) == "editor")
    let kept = try #require(fixture.kept.groups.first)
    #expect(kept.name == "default" && kept.rules.last?.note == "Mia edits")
    let page = try await fixture.get(Self.address, cookies: cookies).text
    #expect(page.contains("editor | Mia edits") && page.contains("button Return to the rules"))
    // With a second claim that is not there it gives nothing.
    let second = try await change(
      [
        ("action", "add"), ("from", "acs"), ("andFrom", "acs"), ("andType", "urn:other"),
        ("outputType", "urn:never"),
      ], cookies: cookies)
    #expect(second.status == 303)
    #expect(try claims().single("urn:never") == nil)
  }

  @Test("A group that was changed here says so until it is as the file has it again")
  func changedHere() async throws {
    let cookies = try await signedIn()
    func isMarked() async throws -> [Bool] {
      let page = try await fixture.get(Self.address, cookies: cookies).text
      return [page.contains(", changed here"), page.contains("button Return to the rules")]
    }
    #expect(try await isMarked() == [false, false])
    _ = try await change(Self.editor, cookies: cookies)
    #expect(try await isMarked() == [true, true])
    _ = try await change([("action", "reset")], cookies: cookies)
    #expect(try await isMarked() == [false, false])
  }

  @Test("Rules are moved and removed, and the rules of the file come back")
  func order() async throws {
    let cookies = try await signedIn()
    _ = try await change(Self.editor, cookies: cookies)
    let count = try #require(fixture.kept.groups.first?.rules.count)
    _ = try await change(
      [("action", "move"), ("number", "\(count)"), ("place", "1")], cookies: cookies)
    #expect(fixture.kept.groups.first?.rules.first?.note == "Mia edits")
    _ = try await change([("action", "move"), ("number", "1"), ("place", "")], cookies: cookies)
    #expect(fixture.kept.groups.first?.rules.count == count - 1)
    #expect(try claims().single(.role) == nil)
    _ = try await change([("action", "reset")], cookies: cookies)
    #expect(fixture.kept.groups.isEmpty)
  }

  @Test("What cannot be is refused with what was typed in, and changes nothing")
  func refusals() async throws {
    let cookies = try await signedIn()
    for (fields, code) in [
      ([("action", "add"), ("from", "Nobody")], "issuing.unknown-provider"),
      ([("action", "add"), ("from", "")], "client.parameter"),
      ([("action", "add"), ("from", "acs"), ("andType", "name")], "issuing.missing-field"),
      ([("action", "add"), ("from", "acs"), ("andValue", "x")], "issuing.missing-field"),
      ([("action", "move"), ("number", "0")], "issuing.missing-field"),
      ([("action", "move"), ("number", "9999")], "issuing.missing-field"),
      ([("action", "move"), ("number", "-9223372036854775808")], "issuing.missing-field"),
      ([("action", "move"), ("number", "1"), ("place", "x")], "issuing.missing-field"),
      ([("action", "grow")], "issuing.missing-field"),
      ([("action", "add"), ("from", "Google"), ("to", "everybody")], "issuing.missing-field"),
      (
        [("action", "add"), ("from", "Google"), ("outputType", "Audience")],
        "issuing.reserved-claim"
      ),
    ] {
      let response = try await change(fields + [("note", "typed")], cookies: cookies)
      #expect(response.status >= 400 && response.text.contains("code \(code)"), "\(fields)")
    }
    #expect(fixture.kept.groups.isEmpty)
    let unknown = try await fixture.get("/admin/rules?group=x", cookies: cookies)
    #expect(unknown.text.contains("ACS90011"))
    let fixed = try SiteFixture(fixture.site.store.current)
    let admin = try await fixed.post("/admin/sign-in", [("password", "admin password")]).cookies
    #expect(try await fixed.get(Self.address, cookies: admin).text.contains("ACS90011"))
    let stranger = try await fixture.get(Self.address)
    #expect(stranger.text.contains("button Sign in"))
  }

  @Test("A form of a page that is out of date changes nothing")
  func stale() async throws {
    let cookies = try await signedIn()
    let page = try await fixture.get(Self.address, cookies: cookies).text
    _ = try await change(Self.editor, cookies: cookies)
    let late = try await change(
      [("action", "move"), ("number", "1")], cookies: cookies, page: page)
    #expect(late.status == 409)
    #expect(late.text.contains("code \(TokenError.Code.issuingRulesChanged.rawValue)"))
    #expect(try claims().single(.role) == "editor")
  }

  @Test("Rules that cannot be kept do not hold")
  func fullDisk() async throws {
    let cookies = try await signedIn()
    fixture.kept.isFull = true
    let response = try await change(Self.editor, cookies: cookies)
    #expect(response.text.contains("code issuing.file-value"))
    #expect(try claims().single(.role) == nil)
    fixture.kept.isFull = false
    #expect(try await change(Self.editor, cookies: cookies).status == 303)
  }

  @Test("The file of changed rules reads as it was written, and names only what there is")
  func file() throws {
    let (read, _) = ServiceFile.read(Array(Self.serviceFile.utf8))
    let file = try #require(read)
    let group = RuleGroup(
      "default",
      rules: [
        ClaimRule(
          ClaimCondition(.provider("Google"), type: .emailAddress, value: "a\"\n\u{1F600}<"),
          and: ClaimCondition(.service), outputType: .role, outputValue: "v", to: .people, note: "n"
        ),
        ClaimRule(ClaimCondition(.service)),
      ])
    let octets = RuleGroupFile.octets([group])
    let (groups, errors, _) = RuleGroupFile.read(octets, beside: file)
    #expect(errors == [] && groups == [group])
    let text = String(decoding: octets, as: UTF8.self)
    for (from, to) in [
      ("\"default\"", "\"other\""), ("Google", "Yahoo"), ("\"note\"", "\"remark\""),
      ("ruleGroups", "rules"), ("]}", "]"),
    ] {
      let changed = text.replacing(from, with: to)
      #expect(changed != text)
      let (_, errors, skipped) = RuleGroupFile.read(Array(changed.utf8), beside: file)
      // A rule about a provider that the file lacks is skipped.
      let isSkipped = to == "Yahoo"
      #expect(errors.isEmpty == isSkipped && skipped.isEmpty != isSkipped, "\(to)")
    }
  }

  private static let serviceFile = """
    {"issuer": "https://acs.example/", "listen": "127.0.0.1:8090", "testPeople": "public",
     "providers": [{"kind": "google"}],
     "ruleGroups": [{"name": "default", "generate": ["Google"]}],
     "relyingParties": [{"realm": "uri:a", "format": "JWT", "rules": ["default"]}]}
    """
}

/// Where changed rules go.
final class KeptRules: Sendable {
  private let state = Mutex<(groups: [RuleGroup], isFull: Bool)>(([], false))

  var groups: [RuleGroup] { state.withLock { $0.groups } }
  var isFull: Bool {
    get { state.withLock { $0.isFull } }
    set { state.withLock { $0.isFull = newValue } }
  }

  func write(_ groups: [RuleGroup]) throws(TokenError) {
    let isFull = state.withLock { state in
      if !state.isFull { state.groups = groups }
      return state.isFull
    }
    guard !isFull else { throw TokenError(.issuingFileValue, found: "errno 28") }
  }
}
