import CommandSupport
import Federation
import Octets

/// Findings, as a JSON object a line, as a text for people, or as one SARIF document.
struct LintOutput {
  enum Form: String, CaseIterable {
    case json
    case text
    case sarif
  }

  let form: Form
  let file: String
  private var collected: [LintFinding] = []
  private(set) var hasErrors = false

  init(as form: Form, about file: String) {
    self.form = form
    self.file = file
  }

  mutating func write(_ findings: [LintFinding]) {
    if findings.contains(where: { $0.rule.severity == .error }) { hasErrors = true }
    guard form == .json else { return collected += findings }
    guard !findings.isEmpty else { return }
    var json = JSONWriter()
    for finding in findings { Self.line(finding, &json) }
    CommandMessages.own.writeOrEnd(json.bytes)
  }

  func finish() {
    switch form {
    case .json: return
    case .text:
      CommandMessages.own.writeOrEnd(Array(LintText.of(collected, about: file).utf8))
    case .sarif:
      var json = JSONWriter()
      SARIFReport(collected, about: file).write(to: &json)
      CommandMessages.own.writeOrEnd(json.bytes)
    }
  }

  private static func line(_ finding: LintFinding, _ json: inout JSONWriter) {
    json.object { json in
      json.name("rule")
      json.string(finding.rule.id)
      json.name("severity")
      json.string(finding.rule.severity.rawValue)
      json.name("message")
      json.string(finding.rule.message)
      if let entityID = finding.entityID {
        json.name("entityID")
        json.string(entityID)
      }
      json.name("where")
      json.string(finding.place)
      if let found = finding.found {
        json.name("found")
        json.string(found)
      }
      json.name("advice")
      json.string(finding.rule.advice)
    }
    json.endLine()
  }
}

extension SARIFReport {
  /// The findings of `claims metadata lint` about one file.
  init(_ findings: [LintFinding], about file: String) {
    self.init(
      tool: "claims metadata lint", about: file,
      rules: LintRule.all.map { rule in
        Rule(id: rule.id, text: rule.message, help: rule.advice, level: Self.level(rule))
      },
      findings: findings.map { finding in
        Finding(
          rule: finding.rule.id, level: Self.level(finding.rule), message: Self.text(finding),
          place: Place(name: finding.entityID, path: finding.place, kind: "element"))
      })
  }

  private static func text(_ finding: LintFinding) -> String {
    var text = finding.rule.message
    if let entityID = finding.entityID { text += ", of \(TokenError.excerpt(entityID))" }
    if let found = finding.found { text += ", found \(found)" }
    return text + ": " + finding.rule.advice
  }

  /// SARIF's level for the severity (3.27.10).
  private static func level(_ rule: LintRule) -> String {
    rule.severity == .info ? "note" : rule.severity.rawValue
  }
}
