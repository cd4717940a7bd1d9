import Octets

extension GateRules {
  /// Warnings about rules that cannot do what they seem to (GATE-6).
  public var warnings: [String] {
    rules.indices.flatMap { number in
      Self.warnings(rules[number], before: rules[..<number]) + warnings(rules[number])
    }
  }

  /// What rules for the same requests have against each other. `/a` and `/a/` are one path.
  private static func warnings(_ rule: GateRule, before: ArraySlice<GateRule>) -> [String] {
    var warnings: [String] = []
    for other in before where other.isForSameRequests(as: rule) {
      if other.path != rule.path {
        warnings.append(
          "\(rule.place): \(rule.path) and \(other.path) at \(other.place) are one path; both rules decide"
        )
      }
      if other.isPublic != rule.isPublic {
        warnings.append(
          "\(rule.place): \(rule.path) is not open to everybody, since one of two rules for it says otherwise"
        )
        continue
      }
      guard other.sharesProviders(with: rule) else {
        warnings.append(
          "\(rule.place): nobody passes \(rule.path), since two rules for it name different providers"
        )
        continue
      }
      guard other.claims == rule.claims else { continue }
      if other.denies != rule.denies, !Set(other.values).isDisjoint(with: rule.values) {
        warnings.append("\(rule.place): another rule for \(rule.path) denies the same values")
      } else if other.denies == rule.denies {
        warnings.append("\(rule.place): a second rule for \(rule.path); both have to be met")
      }
    }
    return warnings
  }

  /// What rules for further requests have against it.
  private func warnings(_ rule: GateRule) -> [String] {
    var warnings: [String] = []
    if let resource, rule.isPublic, resource.isCovered(by: rule.path) {
      warnings.append(
        "\(rule.place): the resource \(resource) stays closed; a public rule opens paths below it alone"
      )
    } else if let resource, rule.isPublic, rule.path.isCovered(by: resource) {
      warnings.append(
        "\(rule.place): \(rule.path) is open to everybody, below the resource \(resource)")
    }
    if let method = rule.method, !RequestMethod.registered.contains(method) {
      warnings.append(
        "\(rule.place): \(TokenError.excerpt(method)) is no registered method, so the rule may protect nothing"
      )
    }
    if rule.method == "HEAD" {
      warnings.append(
        "\(rule.place): HEAD tells of the page that GET has; a rule for GET is for both")
    }
    if isUnguarded(byPOST: rule) {
      warnings.append(
        "\(rule.place): a form's _method=\(rule.method ?? "") comes as POST to \(rule.path), which the gate cannot judge and frameworks "
          + "take for \(rule.method ?? ""); add the same rule for POST, or switch that off in the application"
      )
    }
    let outer = rules.filter {
      !rule.path.covers($0.path) && rule.path.isCovered(by: $0.path)
        && ($0.method == nil || $0.method == rule.method)
    }
    if rule.claims.isEmpty, rule.providers == nil,
      let claimed = outer.first(where: { !$0.claims.isEmpty })
    {
      let everybody = rule.isPublic ? "everybody" : "everybody who is signed in"
      warnings.append("\(rule.place): \(rule.path) is open to \(everybody), below \(claimed.path)")
    }
    if let strict = outer.first(where: { $0.demandsMore(than: rule) }) {
      warnings.append(
        "\(rule.place): what the rule at \(strict.place) demands of sign-ins and tokens for \(strict.path) does not "
          + "hold for \(rule.path), whose own rule decides; repeat it here")
    }
    if rule.denies {
      let inner = rules.filter { rule.isShadowed(by: $0) }
      if let first = inner.first {
        warnings.append(
          "\(rule.place): noneOf of \(rule.path) keeps nobody out of \(first.path)"
            + (first.method.map { " by \($0)" } ?? "")
            + ", whose own rule at \(first.place) decides; repeat it there")
      }
    }
    return warnings
  }

  /// Whether a rule is for a method that forms name in a field of a POST, and POST itself may be for others.
  private func isUnguarded(byPOST rule: GateRule) -> Bool {
    guard let method = rule.method, ["PUT", "PATCH", "DELETE"].contains(method), !rule.isPublic
    else { return false }
    let deciding = rules.filter { $0.covers(rule.path, "POST") }
    let depth = deciding.map(\.path.depth).max()
    let nearest = deciding.filter { $0.path.depth == depth }
    guard !nearest.isEmpty else { return standard != .refused }
    return !nearest.contains { $0.method == "POST" || $0.isAsStrict(as: rule) }
  }
}

extension GateRule {
  /// Whether who meets this rule meets the other one.
  fileprivate func isAsStrict(as other: GateRule) -> Bool {
    claims == other.claims && values == other.values && denies == other.denies
      && providers == other.providers && isPublic == other.isPublic
      && !other.demandsMore(than: self)
  }

  fileprivate func isForSameRequests(as other: GateRule) -> Bool {
    path.isCovered(by: other.path) && other.path.isCovered(by: path) && method == other.method
  }

  fileprivate func sharesProviders(with other: GateRule) -> Bool {
    guard let providers, let others = other.providers else { return true }
    return providers.contains { others.containsBytes(of: $0) }
  }

  /// Whether the rule asks for contexts, a recent sign-in or scopes for which the other one does not ask.
  fileprivate func demandsMore(than other: GateRule) -> Bool {
    !contexts.isEmpty && other.contexts.isEmpty || maxAge != nil && other.maxAge == nil
      || !scopes.isEmpty && other.scopes.isEmpty || !takesSessions && other.takesSessions
  }

  /// Whether a more specific rule decides in place of this denial, without denying the same.
  fileprivate func isShadowed(by other: GateRule) -> Bool {
    guard other.path.isCovered(by: path), rank < other.rank else { return false }
    if let method, let own = other.method, method != own { return false }
    return !(other.denies && other.claims == claims && Set(values).isSubset(of: other.values))
  }
}

extension RequestTarget {
  /// Whether the other path is this one or below it.
  fileprivate func covers(_ other: RequestTarget) -> Bool { other.isCovered(by: self) }
}
