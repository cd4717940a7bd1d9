import GateService
import Testing

/// Rules that are legal and do not hold where they seem to (GATE-6).
@Suite("Warnings about rules of which another one decides")
struct RuleWarningTests {
  private func rule(
    _ path: String, _ method: String? = nil, _ change: (inout GateRule) -> Void = { _ in }
  ) throws -> GateRule {
    var rule = GateRule(path: try RequestTarget(path), method: method, place: "line of \(path)")
    change(&rule)
    return rule
  }

  @Test("What an outer rule demands does not hold below it, unless the inner one demands it too")
  func demands() throws {
    let changes: [(inout GateRule) -> Void] = [
      { $0.contexts = ["mfa"] }, { $0.maxAge = 60 }, { $0.scopes = ["read"] },
      { $0.takesSessions = false },
    ]
    func isWarned(_ outer: GateRule, _ inner: GateRule) -> Bool {
      GateRules([outer, inner]).warnings.contains { $0.contains("repeat it here") }
    }
    for (place, change) in changes.enumerated() {
      let outer = try rule("/a", nil, change)
      #expect(isWarned(outer, try rule("/a/b")), "\(place)")
      #expect(!isWarned(outer, try rule("/a/b", nil, change)), "\(place)")
      #expect(!isWarned(outer, try rule("/c")), "\(place)")
    }
    #expect(!isWarned(try rule("/a"), try rule("/a/b")))
  }

  @Test("A rule for another method has nothing to say about what is below its path")
  func methods() throws {
    func isWarned(_ outer: String?, _ inner: String?) throws -> Bool {
      let claimed = GateRule(
        path: try RequestTarget("/a"), method: outer, claims: ["role"], values: ["x"])
      return GateRules([claimed, try rule("/a/b", inner)]).warnings
        .contains { $0.contains("is open to everybody who is signed in") }
    }
    #expect(try isWarned(nil, nil) && isWarned(nil, "POST") && isWarned("POST", "POST"))
    #expect(try !isWarned("POST", "PUT") && !isWarned("POST", nil))
  }
}
