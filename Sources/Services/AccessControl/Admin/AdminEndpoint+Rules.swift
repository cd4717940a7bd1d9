import HTTPExchange
import Octets
import SignIn

extension AdminEndpoint {
  /// The address of the page that changes a group.
  func rulesAddress(_ group: String) -> String {
    "/admin/rules?group=" + HTTPURL.percentEncoded(group)
  }

  /// The rules of a group in their order: those that people wrote, and, folded, those that were generated.
  ///
  /// - Parameter isEditor: Whether each has a link to the page that removes it.
  func ruleTables(_ group: RuleGroup, isEditor: Bool) -> [PageContent.Table] {
    let numbered = group.rules.enumerated().map { (number: $0.offset + 1, rule: $0.element) }
    let parts = [
      (numbered.filter { !$0.rule.isGenerated }, false),
      (numbered.filter(\.rule.isGenerated), true),
    ]
    let mark = rules?.isChanged(group.name) == true ? ", changed here" : ""
    return parts.compactMap { part, isGenerated -> PageContent.Table? in
      guard !part.isEmpty else { return nil }
      let hasSecond = part.contains { $0.rule.second != nil }
      return PageContent.Table(
        (isGenerated ? "\(part.count) generated rules" : isEditor ? "Written rules" : "Rules")
          + (isEditor ? "" : " of " + group.name) + mark,
        heads: ["Number", "If"] + (hasSecond ? ["and"] : []) + ["then"]
          + (isGenerated ? [] : ["Note"]),
        rows: part.map { number, rule in
          let (first, second, gives) = texts(rule)
          return ["\(number)", first] + (hasSecond ? [second] : []) + [gives]
            + (isGenerated ? [] : [rule.note])
        },
        links: isEditor
          ? part.map { number, _ in
            PageContent.Link(
              "Remove", to: rulesAddress(group.name) + "&remove=\(number)")
          } : [], isFolded: isGenerated)
    }
  }

  /// The page that asks before a rule is removed.
  ///
  /// - Throws: `issuing.missing-field` for a number that no rule has, or an unknown group.
  func removalPage(
    _ name: String, number text: String, _ session: String
  ) throws(TokenError) -> PageContent {
    let group = try editable(name)
    let index = try Self.index(text, "remove", group.rules)
    let rule = sentence(group.rules[index])
    var content = PageContent("Remove rule \(index + 1) of \(group.name)?", notes: [rule])
    content.forms = [
      PageContent.Form(
        to: "/admin/rules",
        fields: hiddenFields(group, session) + [
          (name: "action", value: "move"), (name: "number", value: "\(index + 1)"),
          (name: "place", value: ""),
        ], button: "Remove the rule", action: .removal)
    ]
    content.nextLink = PageContent.Link("Keep it", to: rulesAddress(group.name))
    return content
  }

  private func editable(_ name: String) throws(TokenError) -> RuleGroup {
    guard rules != nil,
      let group = service.namespace.ruleGroups.first(where: { $0.name.hasSameBytes(as: name) })
    else { throw RuleEditor.unknown(name) }
    return group
  }

  private func hiddenFields(
    _ group: RuleGroup, _ session: String
  ) -> [(name: String, value: String)] {
    [
      (name: "csrf", value: adminToken(session)), (name: "group", value: group.name),
      (name: "version", value: RuleEditor.version(of: group)),
    ]
  }

  /// The page that changes the rules of a group.
  ///
  /// - Parameters:
  ///   - form: What was asked for and refused; nil for an empty form.
  ///   - refusal: Why.
  ///   - removed: The rule that was just removed, and its number; nil for none.
  /// - Throws: `issuing.missing-field` for an unknown group.
  func rulesPage(
    _ name: String, _ session: String, _ form: FormReader? = nil, refusal: TokenError? = nil,
    removed: (number: Int, rule: ClaimRule)? = nil
  ) throws(TokenError) -> PageContent {
    let group = try editable(name)
    var content = PageContent("Rules of \(group.name)")
    if let removed {
      content.outcome = "Rule \(removed.number) is removed."
    }
    if let refusal {
      content.notes =
        IssuingService.explanation(refusal, ACSRefusal(refusal)) + [refusal.description]
      content.details = (refusal.code.rawValue, nil)
    }
    content.tables = ruleTables(group, isEditor: true)
    let fields = hiddenFields(group, session)
    content.forms = [
      PageContent.Form(
        to: "/admin/rules", fields: fields + [(name: "action", value: "add")],
        inputs: ruleInputs(form), button: "Add the rule", action: .primary,
        heading: "A new rule"),
      PageContent.Form(
        to: "/admin/rules", fields: fields + [(name: "action", value: "move")],
        inputs: [
          .init(
            "number", label: "The rule", value: form?["number"] ?? "",
            choices: group.rules.enumerated().map { index, rule in
              (value: "\(index + 1)", text: "\(index + 1): \(sentence(rule))")
            }),
          .init(
            "place", label: "Its new number", value: form?["place"] ?? "",
            choices: group.rules.indices.map { (value: "\($0 + 1)", text: "\($0 + 1)") }),
        ], button: "Move the rule", heading: "The order"),
    ]
    if let removed { content.forms.insert(undo(removed, fields), at: 0) }
    if rules?.isChanged(group.name) == true {
      content.forms.append(
        PageContent.Form(
          to: "/admin/rules", fields: fields + [(name: "action", value: "reset")],
          button: "Return to the rules of the file", action: .removal, heading: "All changes"))
    }
    content.nextLink = PageContent.Link("Back", to: "/admin")
    return content
  }

  /// The fields of a rule: what is known is chosen or offered.
  private func ruleInputs(_ form: FormReader?) -> [PageContent.Form.Input] {
    let issuers =
      [(value: "acs", text: "this service")]
      + service.namespace.providers.map { (value: $0.id, text: $0.name) }
    let types = ClaimShorthand.names
    func input(
      _ name: String, _ label: String, choices: [(value: String, text: String)] = [],
      suggestions: [String] = []
    ) -> PageContent.Form.Input {
      .init(
        name, label: label, value: form?[name] ?? "", choices: choices, suggestions: suggestions)
    }
    return [
      input("from", "If a claim is of", choices: issuers),
      input("type", "and its type is (empty for any)", suggestions: types),
      input("value", "and its value is (empty for any)"),
      input(
        "andFrom", "and there is a second claim of",
        choices: [(value: "", text: "no second claim")] + issuers),
      input("andType", "whose type is (empty for any)", suggestions: types),
      input("andValue", "whose value is (empty for any)"),
      input(
        "outputType", "then give a claim of the type (empty for the same)", suggestions: types),
      input("outputValue", "with the value (empty for the same)"),
      input(
        "to", "to",
        choices: [
          (value: "", text: "whom the documentation says"), (value: "people", text: "people alone"),
          (value: "services", text: "services alone"),
        ]),
      input("note", "Note"),
    ]
  }

  /// Puts a rule that was just removed back to its place.
  private func undo(
    _ removed: (number: Int, rule: ClaimRule), _ fields: [(name: String, value: String)]
  ) -> PageContent.Form {
    let rule = removed.rule
    let values: [(name: String, value: String?)] = [
      (name: "action", value: "add"), (name: "place", value: "\(removed.number)"),
      (name: "from", value: rule.input.issuer.name ?? "acs"),
      (name: "type", value: rule.input.type?.name), (name: "value", value: rule.input.value),
      (name: "andFrom", value: rule.second.map { $0.issuer.name ?? "acs" }),
      (name: "andType", value: rule.second?.type?.name),
      (name: "andValue", value: rule.second?.value),
      (name: "outputType", value: rule.outputType?.name),
      (name: "outputValue", value: rule.outputValue),
      (name: "to", value: rule.appliesTo?.rawValue), (name: "note", value: rule.note),
    ]
    return PageContent.Form(
      to: "/admin/rules",
      fields: fields + values.compactMap { field in field.value.map { (field.name, $0) } },
      button: "Undo", action: .primary)
  }

  /// Changes a group as the form says, and shows it. A refusal shows the form again.
  func changeRules(_ form: FormReader, _ session: AdminSession) throws(TokenError) -> HTTPResponse {
    let name = try form.require("group")
    guard let rules else { throw TokenError(.issuingMethod, expected: "GET", found: "POST") }
    var removed: (number: Int, rule: ClaimRule)?
    do throws(TokenError) {
      let version = try form.require("version")
      removed = Self.removed(form, try editable(name))
      try rules.change(name, version: version, in: service.store) { rules throws(TokenError) in
        try changed(rules, form)
      }
    } catch {
      let code = ACSRefusal(error)
      service.logged(error, code)
      return service.responder.page(
        code.status, .content(try rulesPage(name, session.id, form, refusal: error)))
    }
    service.observer.happened(
      Activity(
        "issuing.rules-changed",
        [
          ("admin", session.admin), ("group", name), ("action", try form.require("action")),
        ]))
    if let removed {
      return service.responder.page(
        200, .content(try rulesPage(name, session.id, removed: removed)))
    }
    return service.responder.redirect(rulesAddress(name))
  }

  private func changed(
    _ rules: [ClaimRule], _ form: FormReader
  ) throws(TokenError) -> [ClaimRule]? {
    var rules = rules
    switch form["action"] {
    case "add":
      let place = form["place"] ?? ""
      // One more than there are: a rule that was the last one comes back behind all.
      let count = rules.count
      let index =
        place.isEmpty
        ? count : place == "\(count + 1)" ? count : try Self.index(place, "place", rules)
      rules.insert(try rule(form), at: index)
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

  /// The rule that a form removes, and its number; nil where it removes none.
  private static func removed(
    _ form: FormReader, _ group: RuleGroup
  ) -> (number: Int, rule: ClaimRule)? {
    guard form["action"] == "move", (form["place"] ?? "").isEmpty,
      let number = form["number"].flatMap({ Int($0) }), group.rules.indices.contains(number &- 1)
    else { return nil }
    return (number, group.rules[number - 1])
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

  /// A rule in a sentence: what it looks at, what it gives, and the note.
  func sentence(_ rule: ClaimRule) -> String {
    let (first, second, gives) = texts(rule)
    return [first, second, gives, rule.note].filter { !$0.isEmpty }.joined(separator: ", ")
  }

  private func texts(_ rule: ClaimRule) -> (first: String, second: String, gives: String) {
    let type = rule.outputType.map(ClaimShorthand.name)
    let gives =
      type == nil && rule.outputValue == nil
      ? "passes it on" : "gives \(type ?? "the type") = \(rule.outputValue ?? "the value")"
    let subjects = rule.appliesTo.map { " (\($0.rawValue))" } ?? ""
    return (text(rule.input), rule.second.map(text) ?? "", gives + subjects)
  }

  private func text(_ condition: ClaimCondition) -> String {
    "\(name(of: condition.issuer)): "
      + (condition.type.map(ClaimShorthand.name) ?? "any type")
      + (condition.value.map { " = \($0)" } ?? "")
  }

  /// The name that people know an issuer by.
  private func name(of issuer: RuleIssuer) -> String {
    guard let id = issuer.name else { return "this service" }
    return service.namespace.providers.first { $0.id.hasSameBytes(as: id) }?.name ?? id
  }
}
