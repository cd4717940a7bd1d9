import XMLTree

/// A rule and the function that finds violations.
struct LintCheck<Subject>: Sendable {
  /// A place that breaks the rule, and the text found there.
  struct Hit {
    let place: String
    let found: String?

    init(_ element: Element, attribute: String? = nil, found: String? = nil) {
      place = attribute.map { element.path + "/@" + $0 } ?? element.path
      self.found = found.map { TokenError.excerpt($0) }
    }
  }

  let rule: LintRule
  let hits: @Sendable (Subject) -> [Hit]

  init(
    _ number: Int, _ severity: LintRule.Severity, _ message: String, advice: String,
    _ hits: @escaping @Sendable (Subject) -> [Hit]
  ) {
    rule = LintRule(number, severity, message, advice: advice)
    self.hits = hits
  }
}
