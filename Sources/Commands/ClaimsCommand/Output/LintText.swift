import Federation
import LocalFiles

/// Findings for a person: the worst first, each rule once with its places and what to do.
enum LintText {
  /// - Parameter isOneOfSeveral: Whether each place names the file too.
  static func of(
    _ findings: [LintFinding], about file: String, isOneOfSeveral: Bool = false
  ) -> String {
    var lines: [String] = []
    let name = file == "-" ? "standard input" : ShownPath.of(file)
    let prefix = isOneOfSeveral ? name + ": " : ""
    for severity in [LintRule.Severity.error, .warning, .info] {
      let found = findings.filter { $0.rule.severity == severity }
      let rules = Set(found.map(\.rule)).sorted { $0.id < $1.id }
      for rule in rules {
        lines += self.lines(rule, found.filter { $0.rule == rule }, prefix)
      }
    }
    let counts = [
      (LintRule.Severity.error, "error"), (.warning, "warning"), (.info, "note"),
    ].map { severity, word in
      let count = findings.count { $0.rule.severity == severity }
      return "\(count) \(word)\(count == 1 ? "" : "s")"
    }
    lines.append("\(name): \(counts.joined(separator: ", "))")
    return ShownText.of(lines.joined(separator: "\n") + "\n")
  }

  private static func lines(
    _ rule: LintRule, _ findings: [LintFinding], _ file: String
  ) -> [String] {
    var lines = ["\(rule.severity.rawValue)  \(rule.id): \(rule.message)"]
    for finding in findings.prefix(mostPlaces) {
      let entity = finding.entityID.map { ShownText.line($0) + " " } ?? ""
      lines.append("  at     \(file)\(entity)\(finding.place)")
      if let found = finding.found { lines.append("  found  \(ShownText.line(found))") }
    }
    if findings.count > mostPlaces {
      lines.append("  and    \(findings.count - mostPlaces) more")
    }
    return lines + ["  to do  \(rule.advice)", ""]
  }

  /// Of one rule; --format json has all.
  private static let mostPlaces = 5
}
