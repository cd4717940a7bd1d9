import IdentityProviderTesting
import TestSupport
import Testing
@testable import AccessControl

@Suite("Rule groups")
struct RuleEngineTests {
  private typealias Condition = ClaimCondition
  private static let can = ClaimType("http://talks.example.org/claims/can")
  private let google = RuleIssuer.provider("Google")

  private func evaluate(
    _ rules: [ClaimRule], _ claims: [Claim], from provider: String = "Google",
    limits: RuleLimits = RuleLimits()
  ) throws -> [RuledClaim] {
    try RuleEngine([RuleGroup("main", rules: rules)], limits: limits).evaluate(
      ClaimSet(claims), from: .provider(provider), issuer: "https://ns.example/")
  }

  private func texts(_ given: [RuledClaim]) -> [String] {
    given.map { "\($0.claim.type.name.split(separator: "/").last ?? "")=\($0.claim.value)" }
  }

  private let mia = [
    Claim(.nameIdentifier, "1"), Claim(.emailAddress, "mia@example.org"),
    Claim("team", "red"), Claim("team", "blue"),
  ]

  @Test(
    "Input type and value, each any or exact; output type and value, each passed on or fixed",
    arguments: [
      (Condition(.provider("Google")), nil, nil, ["1", "mia@example.org", "red", "blue"]),
      (Condition(.provider("Google"), type: "team"), nil, nil, ["red", "blue"]),
      (Condition(.provider("Google"), type: "team", value: "red"), nil, nil, ["red"]),
      (Condition(.provider("Google"), value: "blue"), nil, nil, ["blue"]),
      (Condition(.provider("Google"), type: "team"), "group", nil, ["red", "blue"]),
      (Condition(.provider("Google"), type: "team"), nil, "some", ["some"]),
      (Condition(.provider("Google"), type: "team", value: "red"), "group", "r", ["r"]),
    ] as [(ClaimCondition, ClaimType?, String?, [String])])
  func forms(
    input: ClaimCondition, type: ClaimType?, value: String?, values: [String]
  ) throws {
    let given = try evaluate([ClaimRule(input, outputType: type, outputValue: value)], mia)
    #expect(given.map(\.claim.value) == values)
    if let type { #expect(given.allSatisfy { $0.claim.type == type }) }
  }

  @Test("Nothing passes without a rule, and a rule of another provider, type or value is none")
  func nothing() throws {
    for rules in [
      [], [ClaimRule(Condition(.provider("Yahoo!")))], [ClaimRule(Condition(.service))],
      [ClaimRule(Condition(google, type: "TEAM"))],
      [ClaimRule(Condition(google, type: "team", value: "Red"))],
    ] {
      #expect(refusalCode { _ = try evaluate(rules, mia) } == .rulesNoOutput)
    }
    #expect(try evaluate([ClaimRule(Condition(google, type: "team"))], mia).count == 2)
    #expect(refusalCode { _ = try evaluate([ClaimRule(Condition(google))], []) } == .rulesNoOutput)
  }

  @Test("Rules upon rules: an address makes an editor, and an editor may post")
  func chained() throws {
    let rules = [
      ClaimRule(
        Condition(.service, type: .role, value: "editor"), outputType: Self.can,
        outputValue: "post"),
      ClaimRule(
        Condition(google, type: .emailAddress, value: "mia@example.org"), outputType: .role,
        outputValue: "editor"),
    ]
    let given = try evaluate(rules, mia)
    #expect(texts(given) == ["role=editor", "can=post"])
    #expect(given.map(\.pass) == [1, 2] && given.map(\.rule) == rules.reversed())
    #expect(given.map(\.source) == [.input(1), .output(0)])
    #expect(given.allSatisfy { $0.claim.issuer == "https://ns.example/" && $0.group == "main" })
    #expect(given.allSatisfy { $0.claim.originalIssuer == "Google" })
    // The identity provider cannot play the service.
    #expect(
      refusalCode { _ = try evaluate([rules[0]], [Claim(.role, "editor")]) } == .rulesNoOutput)
  }

  @Test("A second claim has to be there, of whichever issuer, before or after the first")
  func second() throws {
    let both = ClaimRule(
      Condition(google, type: "team"),
      and: Condition(.service, type: .role, value: "editor"), outputType: "edits")
    let editor = ClaimRule(
      Condition(google, type: .emailAddress), outputType: .role, outputValue: "editor")
    #expect(
      texts(try evaluate([both, editor], mia)) == ["role=editor", "edits=red", "edits=blue"])
    #expect(refusalCode { _ = try evaluate([both], mia) } == .rulesNoOutput)
    let same = ClaimRule(
      Condition(google, type: "team", value: "red"),
      and: Condition(google, type: "team", value: "blue"), outputType: "both")
    #expect(texts(try evaluate([same], mia)) == ["both=red"])
    #expect(refusalCode { _ = try evaluate([same], [Claim("team", "red")]) } == .rulesNoOutput)
  }

  @Test("Eight passes, and a refusal where a ninth would give more; what goes in a circle ends")
  func passes() throws {
    var rules = [ClaimRule(Condition(google, type: "team", value: "red"), outputType: "c1")]
    for number in 1..<8 {
      rules.append(
        ClaimRule(
          Condition(.service, type: ClaimType("c\(number)")),
          outputType: ClaimType("c\(number + 1)")))
    }
    #expect(texts(try evaluate(rules, mia)) == (1...8).map { "c\($0)=red" })
    rules.append(ClaimRule(Condition(.service, type: "c8"), outputType: "c9"))
    #expect(refusalCode { _ = try evaluate(rules, mia) } == .rulesTooManyPasses)
    let circle = [
      ClaimRule(Condition(google, type: "team", value: "red"), outputType: "a"),
      ClaimRule(Condition(.service, type: "a"), outputType: "b"),
      ClaimRule(Condition(.service, type: "b"), outputType: "a"),
    ]
    #expect(texts(try evaluate(circle, mia)) == ["a=red", "b=red"])
  }

  @Test("The same type and value comes once, and values that are spelled differently are different")
  func duplicates() throws {
    let rules = [
      ClaimRule(Condition(google), outputType: "x", outputValue: "caf\u{E9}"),
      ClaimRule(Condition(google), outputType: "x", outputValue: "cafe\u{301}"),
      ClaimRule(Condition(google, type: "team"), outputType: "x", outputValue: "caf\u{E9}"),
    ]
    let given = try evaluate(rules, mia)
    #expect(given.map { $0.claim.value.unicodeScalars.count } == [4, 5])
  }

  @Test("Several groups are one set of rules, and each claim says which group gave it")
  func groups() throws {
    let engine = RuleEngine([
      RuleGroup("one", rules: [ClaimRule(Condition(google, type: "team"))]),
      RuleGroup(
        "two", rules: [ClaimRule(Condition(.service, type: "team"), outputType: "t", to: .people)]),
    ])
    let given = try engine.evaluate(ClaimSet(mia), from: .provider("Google"), issuer: "urn:acs")
    #expect(given.map(\.group) == ["one", "one", "two", "two"])
  }

  @Test("More claims than allowed are refused, in and out; as many are not")
  func limits() throws {
    let pass = [ClaimRule(Condition(google))]
    func claims(_ count: Int) -> [Claim] { (0..<count).map { Claim("c", "\($0)") } }
    #expect(try evaluate(pass, claims(1_000)).count == 1_000)
    #expect(refusalCode { _ = try evaluate(pass, claims(1_001)) } == .rulesTooManyClaims)
    var limits = RuleLimits()
    limits.outputs = 79
    #expect(
      refusalCode { _ = try evaluate(pass, claims(80), limits: limits) } == .rulesTooManyClaims)
    // Each of sixty rules changes the type of every claim, in each pass.
    let rules = (0..<60).map {
      ClaimRule(Condition(google), outputType: ClaimType("t\($0)"))
    }
    #expect(refusalCode { _ = try evaluate(rules, claims(80)) } == .rulesTooManyClaims)
  }

  @Test("Conditions are the same where issuer, type and value are, octet for octet")
  func equality() {
    let one = Condition(google, type: .role, value: "\u{e9}")
    #expect(one == Condition(google, type: .role, value: "\u{e9}"))
    for other in [
      Condition(.service, type: .role, value: "\u{e9}"),
      Condition(google, type: .name, value: "\u{e9}"), Condition(google, type: .role),
      Condition(google, type: .role, value: "e\u{301}"),
    ] { #expect(one != other) }
  }

  @Test("A short name is of the types that have one, and reads as the type that it is of")
  func shorthand() {
    for (name, type) in [
      ("role", ClaimType.role), ("emailaddress", .emailAddress), ("urn:x", ClaimType("urn:x")),
    ] {
      #expect(ClaimShorthand.type(name) == type && ClaimShorthand.name(of: type) == name)
    }
    let longer = ClaimType(ClaimType.identityPrefix + "rank")
    #expect(ClaimShorthand.name(of: longer) == longer.name)
    #expect(ClaimShorthand.type("rank") == ClaimType("rank"))
  }

  @Test("A group that was changed holds in the place of its own, and of no other")
  func editor() {
    let (one, two) = (RuleGroup("one"), RuleGroup("two"))
    let changed = RuleGroup("two", rules: [ClaimRule(Condition(google))])
    let editor = RuleEditor([one, two], changed: [changed]) { _ in }
    #expect(editor.groups == [one, changed])
    #expect(!editor.isChanged("one") && editor.isChanged("two"))
  }

  @Test("Generate makes a rule for each claim that a provider sends by default, and none twice")
  func generates() throws {
    // Section 1.6 of the protocol reference: what each provider sends.
    let identity = "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/"
    let expected: [(ClaimOffer, String, [String])] = [
      (.windowsLive, "uri:WindowsLiveID", [identity + "nameidentifier"]),
      (
        .google, "Google",
        [identity + "nameidentifier", identity + "emailaddress", identity + "name"]
      ),
      (
        .yahoo, "Yahoo!",
        [identity + "nameidentifier", identity + "emailaddress", identity + "name"]
      ),
      (
        .facebook(application: "1234567890"), "Facebook-1234567890",
        [
          identity + "nameidentifier", identity + "emailaddress", identity + "name",
          "http://schemas.microsoft.com/ws/2008/06/identity/claims/expiration",
          "http://www.facebook.com/claims/AccessToken",
        ]
      ),
      (
        ClaimOffer(id: "http://fs.example.org/adfs/services/trust", types: [.upn, .role]),
        "http://fs.example.org/adfs/services/trust",
        [
          identity + "upn", "http://schemas.microsoft.com/ws/2008/06/identity/claims/role",
        ]
      ),
    ]
    for (offer, id, types) in expected {
      var group = RuleGroup("default")
      group.generate(for: offer)
      group.generate(for: offer)
      #expect(offer.id == id && group.rules.map(\.input.type?.name) == types)
      #expect(group.rules.allSatisfy { $0.input.issuer == .provider(id) && $0.input.value == nil })
      let claims = types.map { Claim(ClaimType($0), "v") }
      let given = try RuleEngine([group]).evaluate(
        ClaimSet(claims), from: .provider(id), issuer: "urn:acs")
      #expect(given.map(\.claim.type.name) == types)
    }
  }

  @Test("SVC-6: A person's word never becomes the service's; what a rule grants does")
  func peopleAndServices() throws {
    let manage = ClaimRule(
      Condition(.service, type: .nameIdentifier, value: "uploader"), outputType: "action",
      outputValue: "Manage")
    let pass = ClaimRule(Condition(google))
    let uploader = [Claim(.nameIdentifier, "uploader"), Claim(.role, "loader")]
    let renamed = ClaimRule(Condition(google, type: .role), outputType: .nameIdentifier)
    let any = ClaimRule(Condition(.service, value: "uploader"), outputType: "action")
    let both = ClaimRule(
      Condition(google, type: .role), and: Condition(.service, type: .nameIdentifier),
      outputType: "action")
    let loader = ClaimRule(
      Condition(.service, type: .role, value: "loader"), outputType: "action", outputValue: "Send")
    for rules in [
      [pass, manage], [pass, renamed, manage], [pass, any], [pass, both], [pass, loader],
    ] {
      let given = try evaluate(rules, uploader + [Claim(.role, "uploader")])
      #expect(!given.contains { $0.claim.type == "action" }, "\(rules)")
    }
    let engine = RuleEngine([RuleGroup("main", rules: [pass, manage])])
    let service = try engine.evaluate(
      ClaimSet([Claim(.nameIdentifier, "uploader")]), from: .service, issuer: "urn:acs")
    #expect(service.map(\.claim.value) == ["Manage"])
    // What a rule grants, another one sees, also where the provider said the same before.
    let grant = ClaimRule(
      Condition(google, type: .emailAddress), outputType: .role, outputValue: "loader")
    let granted = try evaluate(
      [pass, grant, loader], [Claim(.role, "loader"), Claim(.emailAddress, "mia@example.org")])
    #expect(granted.contains { $0.claim.type == "action" })
    // A rule may say for whom it is.
    for (subjects, isGiven) in [(RuledSubjects.people, true), (.services, false)] {
      let rule = ClaimRule(
        Condition(.service, type: .role, value: "loader"), outputType: "action", to: subjects)
      let given = try evaluate([pass, rule], uploader)
      #expect(given.contains { $0.claim.type == "action" } == isGiven)
    }
    let people = ClaimRule(Condition(.service, type: .nameIdentifier), to: .people)
    #expect(
      refusalCode {
        _ = try RuleEngine([RuleGroup("main", rules: [people])]).evaluate(
          ClaimSet([Claim(.nameIdentifier, "uploader")]), from: .service, issuer: "urn:acs")
      } == .rulesNoOutput)
  }
}
