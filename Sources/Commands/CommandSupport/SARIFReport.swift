package import Octets

/// Findings in the Static Analysis Results Interchange Format 2.1.0 (OASIS), for tools that display them.
package struct SARIFReport: Sendable {
  /// What can be found.
  package struct Rule: Sendable {
    let id: String
    let text: String
    let help: String
    /// `error`, `warning` or `note` (3.27.10).
    let level: String

    package init(id: String, text: String, help: String, level: String) {
      self.id = id
      self.text = text
      self.help = help
      self.level = level
    }
  }

  /// Where in a file, or behind it, a finding is (3.33).
  package struct Place: Sendable {
    let file: String
    let name: String?
    let path: String
    let kind: String

    /// - Parameter file: The path of the file that the finding is about; `-` for standard input.
    package init(in file: String, name: String?, path: String, kind: String) {
      self.file = file
      self.name = name
      self.path = path
      self.kind = kind
    }
  }

  /// What was found.
  package struct Finding: Sendable {
    let rule: String
    let level: String
    let message: String
    let place: Place

    package init(rule: String, level: String, message: String, place: Place) {
      self.rule = rule
      self.level = level
      self.message = message
      self.place = place
    }
  }

  private let tool: String
  private let rules: [Rule]
  private let findings: [Finding]

  /// - Parameter tool: The command and its verb.
  package init(tool: String, rules: [Rule], findings: [Finding]) {
    self.tool = tool
    self.rules = rules
    self.findings = findings
  }

  /// Writes the document and a line feed.
  package func write(to json: inout JSONWriter) {
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
            for finding in findings { result(finding, &json) }
          }
        }
      }
    }
    json.endLine()
  }

  private func driver(_ json: inout JSONWriter) {
    json.member("name", tool)
    json.member("version", ReleaseNumber.text)
    json.name("rules")
    json.array { json in
      for rule in rules {
        json.object { json in
          json.member("id", rule.id)
          json.name("shortDescription")
          json.object { $0.member("text", rule.text) }
          json.name("help")
          json.object { $0.member("text", rule.help) }
          json.name("defaultConfiguration")
          json.object { $0.member("level", rule.level) }
        }
      }
    }
  }

  private func result(_ finding: Finding, _ json: inout JSONWriter) {
    json.object { json in
      json.member("ruleId", finding.rule)
      json.member("level", finding.level)
      json.name("message")
      json.object { $0.member("text", finding.message) }
      json.name("locations")
      json.array { json in
        json.object { json in
          json.name("physicalLocation")
          json.object { json in
            json.name("artifactLocation")
            json.object { $0.member("uri", Self.uri(finding.place.file)) }
          }
          json.name("logicalLocations")
          json.array { json in
            json.object { json in
              json.member("name", finding.place.name)
              json.member("fullyQualifiedName", finding.place.path)
              json.member("kind", finding.place.kind)
            }
          }
        }
      }
    }
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
