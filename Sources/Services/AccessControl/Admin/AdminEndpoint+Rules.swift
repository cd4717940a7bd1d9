import HTTPExchange
import Octets
import SignIn

extension AdminEndpoint {
  /// The address of the page that changes a group.
  func rulesAddress(_ group: String) -> String {
    "/admin/rules?group=" + HTTPURL.percentEncoded(group)
  }

  /// The rules of a group in their order.
  func ruleTable(_ group: RuleGroup) -> PageContent.Table {
    PageContent.Table(
      "Rules of \(group.name)" + (rules?.isChanged(group.name) == true ? ", changed here" : ""),
      heads: ["Number", "If", "and", "then", "Note"],
      rows: group.rules.enumerated().map { number, rule in ["\(number + 1)"] + Self.row(rule) })
  }

  /// The page that changes the rules of a group.
  ///
  /// - Parameters:
  ///   - form: What was asked for and refused; nil for an empty form.
  ///   - refusal: Why.
  /// - Throws: `issuing.missing-field` for an unknown group.
  func rulesPage(
    _ name: String, _ session: String, _ form: FormReader? = nil, refusal: TokenError? = nil
  ) throws(TokenError) -> PageContent {
    guard rules != nil,
      let group = service.namespace.ruleGroups.first(where: { $0.name.hasSameBytes(as: name) })
    else { throw RuleEditor.unknown(name) }
    var content = PageContent("Rules of \(group.name)")
    if let refusal {
      content.notes =
        IssuingService.explanation(refusal, ACSRefusal(refusal)) + [refusal.description]
      content.details = (refusal.code.rawValue, nil)
    }
    content.tables = [ruleTable(group)]
    let fields = [
      (name: "csrf", value: adminToken(session)), (name: "group", value: group.name),
      (name: "version", value: RuleEditor.version(of: group)),
    ]
    content.forms = [
      PageContent.Form(
        to: "/admin/rules", fields: fields + [(name: "action", value: "add")],
        inputs: Self.ruleInputs.map { name, label in
          .init(name, label: label, value: form?[name] ?? "")
        }, button: "Add the rule"),
      PageContent.Form(
        to: "/admin/rules", fields: fields + [(name: "action", value: "move")],
        inputs: [
          .init("number", label: "Number of the rule", value: form?["number"] ?? ""),
          .init(
            "place", label: "Its new number, or nothing to remove the rule",
            value: form?["place"] ?? ""),
        ], button: "Move or remove the rule"),
    ]
    if rules?.isChanged(group.name) == true {
      content.forms.append(
        PageContent.Form(
          to: "/admin/rules", fields: fields + [(name: "action", value: "reset")],
          button: "Return to the rules of the file"))
    }
    content.nextLink = PageContent.Link("Back", to: "/admin")
    return content
  }

  private static let ruleInputs = [
    ("from", "If the claim is of (the value of an identity provider claim, or acs)"),
    ("type", "and its type is (nothing for any)"), ("value", "and its value is (nothing for any)"),
    ("andFrom", "and there is a claim of (nothing for no second claim)"),
    ("andType", "whose type is (nothing for any)"),
    ("andValue", "whose value is (nothing for any)"),
    ("outputType", "then there is a claim of the type (nothing for the same)"),
    ("outputValue", "with the value (nothing for the same)"),
    ("to", "for people or services alone (nothing as docs/acs.md says)"), ("note", "Note"),
  ]

  /// Changes a group as the form says, and shows it. A refusal shows the form again.
  func changeRules(_ form: FormReader, _ session: String) throws(TokenError) -> HTTPResponse {
    let name = try form.require("group")
    guard let rules else { throw TokenError(.issuingMethod, expected: "GET", found: "POST") }
    do throws(TokenError) {
      let version = try form.require("version")
      try rules.change(name, version: version, in: service.store) { rules throws(TokenError) in
        try changed(rules, form)
      }
    } catch {
      let code = ACSRefusal(error)
      service.logged(error, code)
      return service.responder.page(
        code.status, .content(try rulesPage(name, session, form, refusal: error)))
    }
    service.observer.happened(
      Activity(
        "issuing.rules-changed", [("group", name), ("action", try form.require("action"))]))
    return service.responder.redirect(rulesAddress(name))
  }

  private func changed(
    _ rules: [ClaimRule], _ form: FormReader
  ) throws(TokenError) -> [ClaimRule]? {
    var rules = rules
    switch form["action"] {
    case "add": rules.append(try rule(form))
    case "move":
      let place = form["place"] ?? ""
      let from = try Self.index(form["number"] ?? "", "number", rules)
      let to = place.isEmpty ? nil : try Self.index(place, "place", rules)
      let rule = rules.remove(at: from)
      if let to { rules.insert(rule, at: to) }
    case "reset": return nil
    default: throw TokenError(.issuingField, node: "action", expected: "add, move or reset")
    }
    return rules
  }

  private static func index(
    _ text: String, _ name: String, _ rules: [ClaimRule]
  ) throws(TokenError) -> Int {
    guard let number = Int(text), rules.indices.contains(number &- 1) else {
      throw TokenError(
        .issuingField, node: name, expected: "1 to \(rules.count)",
        found: TokenError.excerpt(text))
    }
    return number - 1
  }

  private func rule(_ form: FormReader) throws(TokenError) -> ClaimRule {
    func filled(_ name: String) -> String? { form[name].flatMap { $0.isEmpty ? nil : $0 } }
    func type(_ name: String) -> ClaimType? { filled(name).map(ClaimShorthand.type) }
    let first = ClaimCondition(
      try ruleIssuer(form.require("from")), type: type("type"), value: filled("value"))
    var second: ClaimCondition?
    if let from = filled("andFrom") {
      second = ClaimCondition(
        try ruleIssuer(from), type: type("andType"), value: filled("andValue"))
    } else if filled("andType") != nil || filled("andValue") != nil {
      throw TokenError(.issuingField, node: "andFrom", expected: "whose claim the second one is")
    }
    var subjects: RuledSubjects?
    if let text = filled("to") {
      guard let named = RuledSubjects(rawValue: text) else {
        throw TokenError(
          .issuingField, node: "to", expected: "people or services",
          found: TokenError.excerpt(text))
      }
      subjects = named
    }
    return ClaimRule(
      first, and: second, outputType: type("outputType"), outputValue: filled("outputValue"),
      to: subjects, note: filled("note") ?? "")
  }

  private func ruleIssuer(_ name: String) throws(TokenError) -> RuleIssuer {
    if name == "acs" { return .service }
    guard service.namespace.providers.contains(where: { $0.id.hasSameBytes(as: name) }) else {
      throw TokenError(
        .issuingProvider,
        expected: "acs or " + service.namespace.providers.map(\.id).joined(separator: ", "),
        found: TokenError.excerpt(name))
    }
    return .provider(name)
  }

  /// A rule as a row says it: what it looks at, what it gives, and the note.
  static func row(_ rule: ClaimRule) -> [String] {
    let type = rule.outputType.map(ClaimShorthand.name)
    let gives =
      type == nil && rule.outputValue == nil
      ? "passes it on" : "gives \(type ?? "the type") = \(rule.outputValue ?? "the value")"
    let subjects = rule.appliesTo.map { " (\($0.rawValue))" } ?? ""
    return [text(rule.input), rule.second.map(text) ?? "", gives + subjects, rule.note]
  }

  private static func text(_ condition: ClaimCondition) -> String {
    "\(condition.issuer.name ?? "acs"): "
      + (condition.type.map(ClaimShorthand.name) ?? "any type")
      + (condition.value.map { " = \($0)" } ?? "")
  }
}
