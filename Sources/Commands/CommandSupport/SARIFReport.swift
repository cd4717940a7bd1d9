package import TokenBasics

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
    /// From 1; nil for no line of the file.
    let line: Int?

    /// - Parameter file: The path of the file that the finding is about; `-` for standard input.
    package init(in file: String, name: String?, path: String, kind: String, line: Int? = nil) {
      self.line = line
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
    /// What stays the same in each run that finds it (3.27.17); nil to leave it to the reader.
    let fingerprint: Fingerprint?

    package init(
      rule: String, level: String, message: String, place: Place, fingerprint: Fingerprint? = nil
    ) {
      self.fingerprint = fingerprint
      self.rule = rule
      self.level = level
      self.message = message
      self.place = place
    }
  }

  /// A name with the version of how the value is made, and the value.
  package struct Fingerprint: Sendable {
    let name: String
    let value: String

    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// How a run of the tool went (3.20).
  package struct Invocation: Sendable {
    /// Whether everything was looked at.
    let isSuccessful: Bool
    /// What went wrong: a level, and a sentence.
    let notifications: [(level: String, text: String)]

    package init(isSuccessful: Bool, notifications: [(level: String, text: String)]) {
      self.isSuccessful = isSuccessful
      self.notifications = notifications
    }
  }

  private let tool: String
  private let rules: [Rule]
  private let findings: [Finding]
  private let invocation: Invocation?

  /// - Parameters:
  ///   - tool: The command and its verb.
  ///   - invocation: Nil for a tool that ends with an error, and without a report, where it does not look at everything.
  package init(
    tool: String, rules: [Rule], findings: [Finding], invocation: Invocation? = nil
  ) {
    self.invocation = invocation
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
          if let invocation {
            json.name("invocations")
            json.array { Self.write(invocation, &$0) }
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

  private static func write(_ invocation: Invocation, _ json: inout JSONWriter) {
    json.object { json in
      json.name("executionSuccessful")
      json.bool(invocation.isSuccessful)
      json.name("toolExecutionNotifications")
      json.array { json in
        for (level, text) in invocation.notifications {
          json.object { json in
            json.member("level", level)
            json.name("message")
            json.object { $0.member("text", text) }
          }
        }
      }
    }
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
            if let line = finding.place.line {
              json.name("region")
              json.object { json in
                json.name("startLine")
                json.integer(line)
              }
            }
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
      if let fingerprint = finding.fingerprint {
        json.name("partialFingerprints")
        json.object { $0.member(named: fingerprint.name, fingerprint.value) }
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
