import AccessControl
import HTTPExchange
import SecurityKeys
import TestSupport
import Testing

@Suite("What the admin pages show")
struct AdminPageTests {
  private static func signedIn(_ fixture: SiteFixture) async throws -> String {
    try await fixture.post("/admin/sign-in", [("password", "admin password")]).cookies
  }

  @Test("Generated rules have a table of their own, and a group that lacks one kind has one table")
  func overview() async throws {
    var generated = RuleGroup("generated")
    generated.generate(for: .google)
    let formats: [(TokenFormat, String)] = [
      (.swt, "SWT"), (.jwt, "JWT"), (.saml11, "SAML 1.1"), (.saml20, "SAML 2.0"),
    ]
    let fixture = try SiteFixture(
      ServiceNamespace(
        issuer: "https://acs.example/",
        relyingParties: formats.map { RelyingParty(realm: "urn:\($0.1)", format: $0.0) },
        providers: [
          ACSIdentityProvider(id: "Google", name: "Alpha", .testPeople([])),
          ACSIdentityProvider(id: "b", name: "Beta", .testPeople([])),
        ],
        ruleGroups: [
          generated,
          RuleGroup("written", rules: [ClaimRule(ClaimCondition(.provider("b"), type: .name))]),
        ], keys: NamespaceKeys(signing: SiteFixture().signing)))
    let page = try await fixture.get("/admin", cookies: Self.signedIn(fixture)).text
    let tables = page.split(separator: "\n").filter { $0.hasPrefix("table ") }
    #expect(tables.contains("table Rules of written"), "\(page)")
    #expect(tables.contains("table \(generated.rules.count) generated rules of generated"))
    #expect(tables.count { $0.contains("ules of ") } == 2, "\(tables)")
    #expect(page.contains("row 1 | Beta: name | "), "\(page)")
    #expect(page.contains("row 1 | Alpha: "), "\(page)")
    for (_, name) in formats {
      #expect(page.contains(" | urn:\(name) | \(name) | "), "\(page)")
    }
  }

  @Test("A generated rule that was changed is one of those that people wrote")
  func changedRules() async throws {
    var group = RuleGroup("group")
    group.generate(for: .google)
    let rule = try #require(group.rules.first)
    let (input, note) = (rule.input, rule.note)
    let value = ClaimCondition(input.issuer, type: input.type, value: "x")
    let second = ClaimCondition(input.issuer, type: .name)
    for (changed, isGenerated) in [
      (rule, true), (ClaimRule(value, note: note), false),
      (ClaimRule(input, and: second, note: note), false),
      (ClaimRule(input, outputType: .role, note: note), false),
      (ClaimRule(input, outputValue: "x", note: note), false), (ClaimRule(input), false),
    ] {
      let fixture = try SiteFixture(
        ServiceNamespace(
          issuer: "https://acs.example/", relyingParties: [],
          providers: [ACSIdentityProvider(id: "Google", name: "Google", .testPeople([]))],
          ruleGroups: [RuleGroup("group", rules: [changed])],
          keys: NamespaceKeys(signing: SiteFixture().signing)))
      let page = try await fixture.get("/admin", cookies: Self.signedIn(fixture)).text
      #expect(page.contains("table 1 generated rules of group") == isGenerated, "\(changed)")
      #expect(page.contains("table Rules of group") == !isGenerated, "\(changed)")
    }
  }

  @Test("Who removes a rule is shown the rule, and can undo it; what only moves or adds is done")
  func removal() async throws {
    let fixture = try SiteFixture()
    let cookies = try await Self.signedIn(fixture)
    let address = "/admin/rules?group=default"
    let rules = fixture.site.store.current.ruleGroups[0].rules
    let shown = try await fixture.get(address + "&remove=\(rules.count)", cookies: cookies).text
    let note = shown.split(separator: "\n").first { $0.hasPrefix("note ") } ?? ""
    #expect(note.hasPrefix("note this service: ") && note.contains("urn:program"), "\(shown)")
    #expect(!note.contains(", ,") && !note.hasSuffix(", "), "\(note)")
    func change(_ fields: [(String, String)]) async throws -> HTTPExchange.HTTPResponse {
      let page = try await fixture.get(address, cookies: cookies).text
      return try await fixture.post(
        "/admin/rules",
        fields + ["csrf", "group", "version"].map { ($0, PlainPages.field($0, in: page)) },
        cookies: cookies)
    }
    let moved = try await change([("action", "move"), ("number", "1"), ("place", "2")])
    #expect(moved.status == 303)
    let added = try await change([("action", "add"), ("from", "acs"), ("number", "1")])
    #expect(added.status == 303)
    let removed = try await change([("action", "move"), ("number", "1"), ("place", "")])
    #expect(removed.status == 200 && removed.text.contains("button Undo"), "\(removed.text)")
    #expect(fixture.kept.groups.first?.rules.count == rules.count)
  }
}
