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
    guard rules.isEmpty || RequestMethod.isPlain(method) else {
      let error = TokenError(
        .gateMethod, expected: "a token without lower-case letters",
        found: TokenError.excerpt(method))
      return Decision(verdict: .forbidden(error), rule: nil)
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
    var expected = rule.providers.map { "a provider of " + $0.prefix(8).joined(separator: ", ") }
    if let claim = rule.claims.first?.name {
      let values =
        (rule.denies ? "none of " : "one of ") + rule.values.prefix(8).joined(separator: ", ")
        + " in \(claim)"
      expected = expected.map { "\($0) and \(values)" } ?? values
    }
    return TokenError(
      .gateForbidden, node: "rule for \(rule.path)\(rule.place.isEmpty ? "" : ", " + rule.place)",
      expected: expected)
  }
}
