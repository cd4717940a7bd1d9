import CommandSupport
import Federation
import Octets
import StrictJSON

/// Static Analysis Results Interchange Format 2.1.0 (OASIS), for tools that display findings.
enum SARIF {
  static func write(_ findings: [LintFinding], about file: String, to json: inout JSONWriter) {
    json.object { json in
      pair("$schema", "https://json.schemastore.org/sarif-2.1.0.json", &json)
      pair("version", "2.1.0", &json)
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
    pair("name", "claims metadata lint", &json)
    pair("version", ReleaseNumber.text, &json)
    json.name("rules")
    json.array { json in
      for rule in LintRule.all {
        json.object { json in
          pair("id", rule.id, &json)
          json.name("shortDescription")
          json.object { pair("text", rule.message, &$0) }
          json.name("help")
          json.object { pair("text", rule.advice, &$0) }
          json.name("defaultConfiguration")
          json.object { pair("level", level(rule), &$0) }
        }
      }
    }
  }

  private static func result(
    _ finding: LintFinding, _ file: String, _ json: inout JSONWriter
  ) {
    json.object { json in
      pair("ruleId", finding.rule.id, &json)
      pair("level", level(finding.rule), &json)
      json.name("message")
      json.object { pair("text", text(finding), &$0) }
      json.name("locations")
      json.array { json in
        json.object { json in
          json.name("physicalLocation")
          json.object { json in
            json.name("artifactLocation")
            json.object { pair("uri", uri(file), &$0) }
          }
          json.name("logicalLocations")
          json.array { json in
            json.object { json in
              if let entityID = finding.entityID { pair("name", entityID, &json) }
              pair("fullyQualifiedName", finding.place, &json)
              pair("kind", "element", &json)
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
    let encoded = path.utf8.map { byte in
      ASCII.isLetter(byte) || ASCII.isDigit(byte) || "-._~/".utf8.contains(byte)
        ? String(UnicodeScalar(byte)) : "%" + Hex.encode(CollectionOfOne(byte))
    }.joined()
    return path.hasPrefix("/") ? "file://" + encoded : encoded
  }

  private static func pair(_ name: StaticString, _ text: String, _ json: inout JSONWriter) {
    json.name(name)
    json.string(text)
  }
}
