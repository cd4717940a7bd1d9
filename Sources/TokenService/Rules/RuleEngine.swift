import Claims
import Octets

/// Rule groups, indexed: evaluation costs what applies, not what there is.
///
/// All rules of a pass see the same claims; what they give is the input of the next pass, as claims of the service.
/// Nothing passes without a rule.
public struct RuleEngine: Sendable {
  private struct Entry: Sendable {
    let group: String
    let rule: ClaimRule
  }

  private let entries: [Entry]
  private let inputs: RuleIndex
  private let seconds: RuleIndex
  private let limits: RuleLimits

  /// The rules of these groups together.
  public init(_ groups: [RuleGroup], limits: RuleLimits = RuleLimits()) {
    entries = groups.flatMap { group in
      group.rules.map { Entry(group: group.name, rule: $0) }
    }
    inputs = RuleIndex(entries.map(\.rule.input))
    seconds = RuleIndex(entries.map(\.rule.second))
    self.limits = limits
  }

  /// The claims that the rules give, each type and value once, in the order of passes, rules and claims.
  ///
  /// - Parameters:
  ///   - claims: The verified claims of the subject.
  ///   - source: Whose claims they are: an identity provider's, or the service's own, as those of a service
  ///     identity are.
  ///   - issuer: The name of the token service, which the claims get.
  /// - Throws: `rules.no-output`, `rules.too-many-claims`.
  public func evaluate(
    _ claims: ClaimSet, from source: RuleIssuer, issuer: String
  ) throws(TokenError) -> [RuledClaim] {
    guard claims.count <= limits.inputs else {
      throw TokenError(
        .rulesTooManyClaims, node: "input", expected: "at most \(limits.inputs)",
        found: "\(claims.count)")
    }
    var run = Run(provider: source.name ?? issuer, issuer: issuer)
    var fresh = claims.enumerated().map { number, claim in
      Known(
        issuer: source, type: claim.type, value: claim.value,
        valueType: claim.valueType, source: .input(number))
    }
    for pass in 1...max(1, limits.passes) where !fresh.isEmpty {
      fresh = try apply(fresh, pass, &run)
    }
    guard !run.given.isEmpty else { throw TokenError(.rulesNoOutput, expected: "a claim") }
    return run.given
  }

  /// A claim that rules look at.
  private struct Known {
    let issuer: RuleIssuer
    let type: ClaimType
    let value: String
    let valueType: String
    let source: RuledClaim.Source
  }

  /// A type and value that were given.
  private struct Given: Hashable {
    let type: ClaimType
    let value: [UInt8]
  }

  private struct Run {
    let provider: String
    let issuer: String
    var given: [RuledClaim] = []
    var seen: Set<Given> = []
    /// Claims that wait for the second claim of a rule.
    var waiting: [Int: [Known]] = [:]
    /// Rules whose second claim is there.
    var met: Set<Int> = []
  }

  /// One pass: what the rules give for claims that are new, together with those before.
  private func apply(
    _ fresh: [Known], _ pass: Int, _ run: inout Run
  ) throws(TokenError) -> [Known] {
    var found: [(rule: Int, claim: Known)] = []
    for claim in fresh {
      for number in seconds.matches(claim.issuer, claim.type, claim.value) {
        run.met.insert(number)
      }
    }
    for claim in fresh {
      for number in inputs.matches(claim.issuer, claim.type, claim.value) {
        if entries[number].rule.second == nil {
          found.append((number, claim))
        } else {
          run.waiting[number, default: []].append(claim)
        }
      }
    }
    for number in run.waiting.keys.sorted() where run.met.contains(number) {
      found += (run.waiting.removeValue(forKey: number) ?? []).map { (number, $0) }
    }
    // Stable within a rule: claims keep their order.
    let ordered = found.enumerated().sorted {
      ($0.element.rule, $0.offset) < ($1.element.rule, $1.offset)
    }
    var next: [Known] = []
    for (_, (number, claim)) in ordered {
      if let known = try give(entries[number], claim, pass, &run) { next.append(known) }
    }
    return next
  }

  /// Adds what a rule gives for a claim; nil for what is there already.
  private func give(
    _ entry: Entry, _ claim: Known, _ pass: Int, _ run: inout Run
  ) throws(TokenError) -> Known? {
    let type = entry.rule.outputType ?? claim.type
    let value = entry.rule.outputValue ?? claim.value
    guard run.seen.insert(Given(type: type, value: Array(value.utf8))).inserted else { return nil }
    guard run.given.count < limits.outputs else {
      throw TokenError(
        .rulesTooManyClaims, node: "output", expected: "at most \(limits.outputs)",
        found: "more in pass \(pass)")
    }
    let valueType = entry.rule.outputValue == nil ? claim.valueType : Claim.stringType
    run.given.append(
      RuledClaim(
        claim: Claim(
          type, value, issuer: run.issuer, valueType: valueType, originalIssuer: run.provider),
        group: entry.group, rule: entry.rule, source: claim.source, pass: pass))
    return Known(
      issuer: .service, type: type, value: value, valueType: valueType,
      source: .output(run.given.count - 1))
  }
}
