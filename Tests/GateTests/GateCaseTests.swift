import Testing

@testable import GateService

/// Each condition of the gate by itself, with the nearest case in which it is not met.
@Suite("Cases of the gate's rules and readers")
struct GateCaseTests {
  private func rule(
    _ path: String, _ claims: [ClaimType] = [], method: String? = nil, denies: Bool = false,
    providers: [String]? = nil
  ) throws -> GateRule {
    GateRule(
      path: try RequestTarget(path), method: method, claims: claims,
      values: claims.isEmpty ? [] : ["x"], denies: denies, providers: providers)
  }

  @Test("Rules that have nothing against each other bring no warning; those that have, one")
  func warnings() throws {
    let role: [ClaimType] = ["role"]
    let pairs: [(GateRule, GateRule, Int)] = [
      (try rule("/a", role), try rule("/a", ["group"]), 0),
      (try rule("/a", role), try rule("/a", role), 1),
      (try rule("/a", role, providers: ["p"]), try rule("/a", role, providers: ["q"]), 1),
      (try rule("/a", role, providers: ["p"]), try rule("/a", role, providers: ["q", "p"]), 1),
      (try rule("/a", role, method: "GET"), try rule("/a", role, method: "POST"), 0),
      (try rule("/a", role, method: "GET"), try rule("/a", role, method: "GET"), 1),
      (try rule("/a", role), try rule("/a"), 0), (try rule("/a", role), try rule("/b"), 0),
      (try rule("/a"), try rule("/a/b"), 0), (try rule("/a", role), try rule("/a/b"), 1),
      (try rule("/a", role, denies: true), try rule("/a", ["group"]), 0),
      (try rule("/a", role, denies: true), try rule("/a/b", ["group"]), 1),
      (
        try rule("/a", role, method: "POST", denies: true),
        try rule("/a/b", ["group"], method: "GET"), 0
      ),
      (
        try rule("/a", role, method: "POST", denies: true),
        try rule("/a/b", ["group"], method: "POST"), 1
      ),
    ]
    for (one, other, count) in pairs {
      let warnings = GateRules([one, other]).warnings
      #expect(warnings.count == count, "\(one.path) \(other.path) \(warnings)")
    }
  }

  private func allows(
    _ rules: [GateRule], _ path: String, _ claims: [Claim], method: String = "GET"
  ) -> Bool {
    let subject = GateSubject(subject: "ada", claims: ClaimSet(claims), provider: "p")
    if case .allow = GateRules(rules).decide(path, method: method, subject: subject).verdict {
      return true
    }
    return false
  }

  @Test("GATE-6: The most specific rule decides, wherever it stands in the file")
  func order() throws {
    let rules = [try rule("/a/b", ["role"]), try rule("/a")]
    for rules in [rules, rules.reversed()] {
      #expect(!allows(rules, "/a/b", []) && allows(rules, "/a/c", []))
      #expect(allows(rules, "/a/b", [Claim("role", "x")]))
    }
  }

  @Test("A request without a method is judged by no rule")
  func method() throws {
    let rules = [try rule("/a")]
    #expect(!allows(rules, "/a", [], method: "") && allows(rules, "/a", [], method: "X"))
  }

  @Test("GATE-13: An e-mail address is a claim of that type, and its mark is no other claim's")
  func emails() throws {
    var unconfirmed = Claim(.emailAddress, "x")
    unconfirmed.properties[Claim.unconfirmedEmail] = "true"
    var role = Claim("role", "x")
    role.properties[Claim.unconfirmedEmail] = "true"
    let rules = [try rule("/a", [.emailAddress])]
    #expect(allows(rules, "/a", [Claim(.emailAddress, "x")]))
    #expect(!allows(rules, "/a", [unconfirmed]))
    #expect(!allows(rules, "/a", [Claim("nick", "x")]))
    #expect(!allows(rules, "/a", [Claim("email", "x")]))
    #expect(allows([try rule("/a", ["role"])], "/a", [role]))
  }

  @Test(
    "GATE-4: A path has at most 8192 bytes and no escaped control character",
    arguments: [
      ("/" + String(repeating: "a", count: 8_191), true),
      ("/" + String(repeating: "a", count: 8_192), false), ("/a%7E", true), ("/a%7F", false),
      ("/a%21", true), ("/a%20", false), ("/a%1F", false),
    ])
  func paths(target: String, isPath: Bool) {
    #expect(((try? RequestTarget(target)) != nil) == isPath)
  }

  @Test("SVC-2: What can be a subject by provider has two parts, escaped as the gate escapes them")
  func subjects() {
    for text in ["op:alice", "op:a%3Ab", "p~1:-._~", "op:alice@corp.example", "op:%C3%A4"] {
      #expect(GatePeople.byProvider.canBeSubject(text, of: nil), "\(text)")
    }
    for text in [
      "alice", "", ":alice", "op:", "op:a:b", "op:a b", "op:a,b", "o p:a", "op:\u{e4}", "op:%",
      "op:%3", "op:%3a", "op:%3G", "op:%GA", "op:%",
    ] {
      #expect(!GatePeople.byProvider.canBeSubject(text, of: nil), "\(text)")
      #expect(GatePeople.shared.canBeSubject(text, of: nil))
    }
    #expect(GatePeople.byProvider.canBeSubject("op:a", of: ["ev", "op"]))
    #expect(!GatePeople.byProvider.canBeSubject("op:a", of: ["ev", "OP"]))
  }

  @Test("GATE-3: A header has its first claim that is there, escaped, whoever's people they are")
  func headers() throws {
    let headers = IdentityHeaders([
      HeaderRule(name: "X-User", claims: [GateClaim.subject]),
      HeaderRule(name: "X-Mail", claims: ["mail", .emailAddress]),
      HeaderRule(name: "X-Team", claims: ["team"]),
    ])
    let claims = ClaimSet([
      Claim(.emailAddress, "a@b.example"), Claim("team", "a,b"), Claim("team", "c% d\u{7f}"),
    ])
    for people in [GatePeople.shared, .byProvider] {
      let fields = try headers.fields(
        GateSubject(subject: "ada", claims: claims, provider: "p", people: people))
      #expect(fields["X-Mail"] == "a@b.example")
      #expect(fields["X-Team"] == "a%2Cb,c%25%20d%7F")
    }
  }

  @Test("Groups are missing where Entra says that it left them out, and nowhere else")
  func overage() throws {
    let headers = IdentityHeaders([HeaderRule(name: "X-Groups", claims: ["groups"])])
    func fields(_ claims: [Claim]) throws -> String? {
      try headers.fields(GateSubject(subject: "ada", claims: ClaimSet(claims)))["X-Groups"]
    }
    #expect(throws: TokenError(.gateGroupsOverage)) {
      _ = try fields([Claim("_claim_names", "{\"groups\":\"src1\"}")])
    }
    #expect(throws: TokenError(.gateGroupsOverage)) { _ = try fields([Claim("hasgroups", "true")]) }
    #expect(try fields([Claim("_claim_names", "{\"address\":\"src1\"}")]) == "")
    #expect(try fields([Claim("hasgroups", "false")]) == "")
    #expect(
      try fields([Claim("_claim_names", "{\"groups\":\"src1\"}"), Claim("groups", "a")]) == "a")
  }

  @Test(
    "A rule about groups that Entra left out refuses every person, one about anything else is not concerned",
    arguments: [
      Claim("hasgroups", "true"), Claim("_claim_names", "{\"groups\":\"src1\"}"),
      Claim("_claim_names", "{\"gro\\u0075ps\":\"src1\"}"),
      Claim("http://schemas.microsoft.com/claims/groups.link", "https://graph.example/ada"),
    ])
  func overageInRules(mark: Claim) throws {
    func code(_ rules: [GateRule], _ claims: [Claim]) -> TokenError.Code? {
      let subject = GateSubject(subject: "ada", claims: ClaimSet(claims), provider: "p")
      let verdict = GateRules(rules).decide("/a", method: "GET", subject: subject).verdict
      return if case .forbidden(let error) = verdict { error.code } else { nil }
    }
    for name in [
      "groups", "http://schemas.microsoft.com/ws/2008/06/identity/claims/groups", "group",
    ] {
      let type = ClaimType(name)
      let denial = try rule("/a", [type], denies: true)
      let demand = try rule("/a", [type])
      let elsewhere = try rule("/a", [type], denies: true, providers: ["q"])
      #expect(code([denial], [mark]) == .gateGroupsOverage)
      #expect(code([denial], [mark, Claim(type, "y")]) == .gateGroupsOverage)
      #expect(code([denial], [mark, Claim(type, "x")]) == .gateForbidden)
      #expect(code([denial], [Claim(type, "y")]) == nil)
      #expect(code([demand], [mark]) == .gateGroupsOverage)
      #expect(code([demand], [mark, Claim(type, "x")]) == nil)
      #expect(code([demand], []) == .gateForbidden)
      #expect(code([demand, denial], [mark, Claim(type, "x")]) == .gateForbidden)
      // A provider beside noneOf restricts, as in every other rule.
      #expect(code([elsewhere], [mark]) == .gateForbidden)
    }
    #expect(code([try rule("/a", ["role"], denies: true)], [mark]) == nil)
    #expect(code([try rule("/a", ["role"])], [mark]) == .gateForbidden)
    let absent = [Claim("hasgroups", "false"), Claim("_claim_names", "{\"address\":\"groups\"}")]
    #expect(code([try rule("/a", ["groups"], denies: true)], absent) == nil)
  }

  @Test("What the stand-in tells of a request is lines of names and values")
  func arrived() throws {
    func arrived(_ text: String) throws -> ArrivedRequest? {
      let whole = ArrivedRequest(method: "GET", target: "/", fields: HTTPFields()).response
      return ArrivedRequest(
        HTTPResponse(status: 200, fields: whole.fields, body: Array(text.utf8)))
    }
    #expect(try arrived("GET /\nX-A:b:c\nX-B:\n")?.fields["X-A"] == "b:c")
    #expect(ArrivedRequest(HTTPResponse(status: 200, body: Array("GET /\nX-A:b\n".utf8))) == nil)
    for text in ["GET /\nX-A\n", "GET\n", "", "GET / HTTP/1.1\n"] {
      #expect(try arrived(text) == nil, "\(text)")
    }
  }

  @Test("What happened is counted by its code, whatever else is said of it")
  func counters() {
    let counters = EventCounters(prefix: "claims_gate")
    counters.happened(Activity("a", [("provider", "p"), ("code", "x.y"), ("path", "/")]))
    counters.happened(Activity("a", [("provider", "x.y")]))
    let text = counters.text(ends: [])
    #expect(
      text.contains("{event=\"a\",code=\"x.y\"} 1") && text.contains("{event=\"a\",code=\"\"} 1"))
    for number in (100..<120).reversed() {
      counters.happened(Activity("b", [("code", "c\(number)")]))
    }
    let lines = counters.text(ends: []).split(separator: "\n").filter { $0.contains("event=") }
    #expect(lines.count == 22 && lines == lines.sorted(), "\(lines)")
  }

  @Test("Two listeners have two addresses, or two ports")
  func collisions() throws {
    for (one, other, collide) in [
      ("127.0.0.1:1", "127.0.0.2:1", false), ("127.0.0.2:1", "127.0.0.2:1", true),
      ("gate.example:1", "other.example:1", false), ("gate.example:1", "gate.example:1", true),
      ("127.0.0.2:1", "localhost:1", false), ("127.0.0.1:1", "localhost:1", true),
      ("[::]:1", "127.0.0.2:1", true), ("127.0.0.2:1", "0.0.0.0:1", true),
      ("127.0.0.2:1", "127.0.0.2:2", false),
    ] {
      #expect(try HostPort(one).collides(with: HostPort(other)) == collide, "\(one) \(other)")
    }
  }
}
