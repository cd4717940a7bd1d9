import CommandSupport
import Federation
import TokenBasics

/// Findings, as a JSON object a line, as a text for people, or as one SARIF document.
struct LintOutput {
  enum Form: String, CaseIterable {
    case json
    case text
    case sarif
  }

  /// The findings about one file.
  typealias FileFindings = (file: String, findings: [LintFinding])

  private let form: Form
  /// Whether each finding says in which file it is.
  private let namesFiles: Bool
  /// In the order of the files.
  private var collected: [FileFindings]
  private(set) var hasErrors = false

  init(as form: Form, about files: [String]) {
    self.form = form
    namesFiles = files.count > 1
    collected = files.map { ($0, []) }
  }

  /// - Parameter place: Which of the files it is.
  mutating func write(_ findings: [LintFinding], aboutFileAt place: Int) {
    if findings.contains(where: { $0.rule.severity == .error }) { hasErrors = true }
    guard form == .json else { return collected[place].findings += findings }
    guard !findings.isEmpty else { return }
    var json = JSONWriter()
    let file = namesFiles ? collected[place].file : nil
    for finding in findings { Self.line(finding, in: file, &json) }
    CommandMessages.own.writeOrEnd(json.bytes)
  }

  func finish() {
    switch form {
    case .json: return
    case .text:
      let texts = collected.map {
        LintText.of($0.findings, about: $0.file, isOneOfSeveral: namesFiles)
      }
      CommandMessages.own.writeOrEnd(Array(texts.joined(separator: "\n").utf8))
    case .sarif:
      var json = JSONWriter()
      SARIFReport(collected).write(to: &json)
      CommandMessages.own.writeOrEnd(json.bytes)
    }
  }

  private static func line(
    _ finding: LintFinding, in file: String?, _ json: inout JSONWriter
  ) {
    json.object { json in
      json.member("file", file)
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
  /// The findings of `claims metadata lint`.
  init(_ collected: [LintOutput.FileFindings]) {
    self.init(
      tool: "claims metadata lint",
      rules: LintRule.all.map { rule in
        Rule(id: rule.id, text: rule.message, help: rule.advice, level: Self.level(rule))
      },
      findings: collected.flatMap { file, findings in
        findings.map { finding in
          Finding(
            rule: finding.rule.id, level: Self.level(finding.rule), message: Self.text(finding),
            place: Place(
              in: file, name: finding.entityID, path: finding.place, kind: "element"))
        }
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
