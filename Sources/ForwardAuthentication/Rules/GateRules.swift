import Federation
import Octets

/// The rules of a gate.
public struct GateRules: Sendable {
  /// The rules, in the order of the file.
  public let rules: [GateRule]

  /// Rules.
  public init(_ rules: [GateRule]) { self.rules = rules }

  /// A verdict and what led to it.
  public struct Decision: Sendable {
    /// The verdict.
    public let verdict: GateVerdict
    /// The rule that decided; nil where none is for the request.
    public let rule: GateRule?
  }

  /// Decides about a request. The most specific rules decide, and of them a denial first; a path without a rule is
  /// for everybody who is signed in. This is the one place that allows (GATE-10).
  ///
  /// - Parameters:
  ///   - target: The target as the proxy names it.
  ///   - method: The method of the request.
  ///   - subject: Who is signed in; nil for nobody.
  public func decide(
    _ target: String, method: String, subject: GateSubject?
  ) -> Decision {
    let path: RequestTarget?
    do throws(TokenError) {
      path = try RequestTarget(target)
    } catch {
      // Without rules every path has the same verdict, however it is read.
      guard rules.isEmpty else { return Decision(verdict: .forbidden(error), rule: nil) }
      path = nil
    }
    guard let subject else { return Decision(verdict: .signIn, rule: nil) }
    let covering = path.map { path in rules.filter { $0.covers(path, method) } } ?? []
    let highest = covering.map(\.rank).max { $0 < $1 }
    let deciding = covering.filter { rule in highest.map { rule.rank == $0 } ?? false }
    for rule in deciding where rule.denies && rule.isMet(by: subject) {
      return Decision(verdict: .forbidden(Self.refusal(rule)), rule: rule)
    }
    for rule in deciding where !rule.denies && !rule.isMet(by: subject) {
      return Decision(verdict: .forbidden(Self.refusal(rule)), rule: rule)
    }
    return Decision(verdict: .allow, rule: deciding.first)
  }

  private static func refusal(_ rule: GateRule) -> TokenError {
    let claim = rule.claims.first?.name ?? "subject"
    return TokenError(
      .gateForbidden, node: "rule for \(rule.path)\(rule.place.isEmpty ? "" : ", " + rule.place)",
      expected: (rule.denies ? "none of " : "one of ")
        + rule.values.prefix(8).joined(separator: ", ") + " in \(claim)")
  }

  /// Warnings about rules that cannot do what they seem to (GATE-6).
  public var warnings: [String] {
    var warnings: [String] = []
    for (number, rule) in rules.enumerated() {
      for other in rules[..<number]
      where other.path == rule.path && other.method == rule.method && other.claims == rule.claims {
        if other.denies != rule.denies, !Set(other.values).isDisjoint(with: rule.values) {
          warnings.append("\(rule.place): another rule for \(rule.path) denies the same values")
        } else if other.denies == rule.denies {
          warnings.append("\(rule.place): a second rule for \(rule.path); both have to be met")
        }
      }
      let outer = rules.filter {
        $0.path != rule.path && rule.path.isCovered(by: $0.path) && !$0.claims.isEmpty
          && rule.claims.isEmpty
      }
      if let other = outer.first {
        warnings.append(
          "\(rule.place): \(rule.path) is open to everybody who is signed in, below \(other.path)"
        )
      }
    }
    return warnings
  }
}
