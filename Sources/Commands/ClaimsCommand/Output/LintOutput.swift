import CommandSupport
import Federation
import Octets

/// Findings, as a JSON object a line or as one SARIF document.
struct LintOutput {
  let isSARIF: Bool
  let file: String
  private var collected: [LintFinding] = []
  private(set) var hasErrors = false

  init(isSARIF: Bool, file: String) {
    self.isSARIF = isSARIF
    self.file = file
  }

  mutating func write(_ findings: [LintFinding]) {
    if findings.contains(where: { $0.rule.severity == .error }) { hasErrors = true }
    guard !isSARIF else { return collected += findings }
    guard !findings.isEmpty else { return }
    var json = JSONWriter()
    for finding in findings { Self.line(finding, &json) }
    CommandMessages.own.writeOrEnd(json.bytes)
  }

  func finish() {
    guard isSARIF else { return }
    var json = JSONWriter()
    SARIF.write(collected, about: file, to: &json)
    CommandMessages.own.writeOrEnd(json.bytes)
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
