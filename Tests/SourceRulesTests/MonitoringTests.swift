import Foundation
import TestSupport
import Testing

/// The alert rules and the dashboard name what the sources count.
@Suite("The files for monitoring")
struct MonitoringTests {
  static let files = [
    "claims-gate.rules.yml", "claims-gate.dashboard.json", "acs.rules.yml", "acs.dashboard.json",
  ]

  static func text(_ file: String) throws -> String {
    try String(
      contentsOf: TestVector.packageRoot.appending(path: "docs/monitoring/\(file)"), encoding: .utf8
    )
  }

  @Test(
    "Every metric and every event that they name is one that the sources have", arguments: files)
  func names(file: String) throws {
    let text = try Self.text(file)
    let prefix = file.hasPrefix("acs") ? "acs" : "claims_gate"
    let metrics = Set(
      text.matches(of: #/\b(?:claims_gate|acs)_\w+/#).map { String($0.output) })
    let events = Set(
      text.matches(of: #/event=\\?"([a-z-]+\.[a-z-]+)\\?"/#).map { String($0.output.1) })
    #expect(metrics.count >= 2)
    #expect(events.count >= 2)
    // The counters that services share write the names behind the prefix that each gives them.
    #expect(!SourceRulesTests.lines(matching: #"prefix: "\#(prefix)""#) { _ in true }.isEmpty)
    for name in metrics {
      let escaped = NSRegularExpression.escapedPattern(
        for: "\\(prefix)" + name.dropFirst(prefix.count))
      let lines = SourceRulesTests.lines(matching: #"\#(escaped)[\s{"]"#) { _ in true }
      #expect(!lines.isEmpty, "\(name)")
    }
    for name in events {
      let escaped = NSRegularExpression.escapedPattern(for: name)
      let lines = SourceRulesTests.lines(matching: #"["\s]\#(escaped)[\s{"]"#) { _ in true }
      #expect(!lines.isEmpty, "\(name)")
    }
  }

  @Test(
    "A dashboard is JSON with a query in every panel",
    arguments: ["claims-gate.dashboard.json", "acs.dashboard.json"])
  func dashboard(file: String) throws {
    let text = try Self.text(file)
    let value = try JSONSerialization.jsonObject(with: Data(text.utf8))
    let panels = try #require((value as? [String: Any])?["panels"] as? [[String: Any]])
    for panel in panels {
      let targets = try #require(panel["targets"] as? [[String: Any]])
      #expect(targets.allSatisfy { !(($0["expr"] as? String) ?? "").isEmpty })
    }
  }
}
