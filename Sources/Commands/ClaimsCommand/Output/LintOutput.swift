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
      SARIF.write(collected, about: file, to: &json)
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

/// Static Analysis Results Interchange Format 2.1.0 (OASIS), for tools that display findings.
enum SARIF {
  static func write(_ findings: [LintFinding], about file: String, to json: inout JSONWriter) {
    json.object { json in
      json.member("$schema", "https://json.schemastore.org/sarif-2.1.0.json")
      json.member("version", "2.1.0")
      json.name("runs")
      json.array { json in
        json.object { json in
          json.name("tool")
          json.object { json in
            json.name("driver")
            json.object { driver(&$0) }
          }
          json.name("results")
          json.array { json in
            for finding in findings { result(finding, file, &json) }
          }
        }
      }
    }
    json.endLine()
  }

  private static func driver(_ json: inout JSONWriter) {
    json.member("name", "claims metadata lint")
    json.member("version", ReleaseNumber.text)
    json.name("rules")
    json.array { json in
      for rule in LintRule.all {
        json.object { json in
          json.member("id", rule.id)
          json.name("shortDescription")
          json.object { $0.member("text", rule.message) }
          json.name("help")
          json.object { $0.member("text", rule.advice) }
          json.name("defaultConfiguration")
          json.object { $0.member("level", level(rule)) }
        }
      }
    }
  }

  private static func result(
    _ finding: LintFinding, _ file: String, _ json: inout JSONWriter
  ) {
    json.object { json in
      json.member("ruleId", finding.rule.id)
      json.member("level", level(finding.rule))
      json.name("message")
      json.object { $0.member("text", text(finding)) }
      json.name("locations")
      json.array { json in
        json.object { json in
          json.name("physicalLocation")
          json.object { json in
            json.name("artifactLocation")
            json.object { $0.member("uri", uri(file)) }
          }
          json.name("logicalLocations")
          json.array { json in
            json.object { json in
              json.member("name", finding.entityID)
              json.member("fullyQualifiedName", finding.place)
              json.member("kind", "element")
            }
          }
        }
      }
    }
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

  /// A path as a relative reference (RFC 3986): everything that is not unreserved is percent-encoded.
  private static func uri(_ path: String) -> String {
    guard path != "-" else { return "stdin" }
    let encoded = PercentEncoding.encode(path) {
      PercentEncoding.isUnreserved($0) || $0 == UInt8(ascii: "/")
    }
    return path.hasPrefix("/") ? "file://" + encoded : encoded
  }
}
