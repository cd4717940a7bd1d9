public import Claims

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
  /// - Throws: `rules.no-output`, `rules.too-many-claims`, `rules.too-many-passes`.
  public func evaluate(
    _ claims: ClaimSet, from source: RuleIssuer, issuer: String
  ) throws(TokenError) -> [RuledClaim] {
    guard claims.count <= limits.inputs else {
      throw TokenError(
        .rulesTooManyClaims, node: "input", expected: "at most \(limits.inputs)",
        found: "\(claims.count)", .givenClaims)
    }
    var run = Run(
      provider: source.name ?? issuer, issuer: issuer, isPerson: source != .service)
    var fresh = claims.enumerated().map { number, claim in
      Known(
        issuer: source, type: claim.type, value: claim.value,
        valueType: claim.valueType, isGranted: false, source: .input(number))
    }
    let passes = max(1, limits.passes)
    for pass in 1...passes where !fresh.isEmpty {
      fresh = try apply(fresh, pass, &run)
    }
    // Whoever wrote the rules expects what the last of them give.
    var further = run
    _ = try apply(fresh, passes + 1, &further)
    guard further.given.count == run.given.count else {
      throw TokenError(
        .rulesTooManyPasses, node: further.given.last?.group, expected: "at most \(passes) passes",
        found:
          "a rule that gives \(further.given.last?.claim.type.name ?? "a claim") in another one")
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
    /// Whether a rule fixed its value: then it is the word of whoever wrote the rules, not the provider's.
    let isGranted: Bool
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
    let isPerson: Bool
    var given: [RuledClaim] = []
    /// The position of what was given.
    var seen: [Given: Int] = [:]
    /// What was granted, not only passed on.
    var granted: Set<Given> = []
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
      for number in seconds.matches(claim.issuer, claim.type, claim.value)
      where mayUse(entries[number].rule, claim, run) {
        run.met.insert(number)
      }
    }
    for claim in fresh {
      for number in inputs.matches(claim.issuer, claim.type, claim.value)
      where mayUse(entries[number].rule, claim, run) {
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

  /// Whether a rule is for the subject, and the claim for the rule (``RuledSubjects``).
  private func mayUse(_ rule: ClaimRule, _ claim: Known, _ run: Run) -> Bool {
    switch (rule.appliesTo, run.isPerson) {
    case (.people, let isPerson): isPerson
    case (.services, let isPerson): !isPerson
    case (nil, false): true
    case (nil, true):
      claim.issuer != .service || claim.isGranted && claim.type != .nameIdentifier
    }
  }

  /// Adds what a rule gives for a claim; nil for what is there already.
  private func give(
    _ entry: Entry, _ claim: Known, _ pass: Int, _ run: inout Run
  ) throws(TokenError) -> Known? {
    let type = entry.rule.outputType ?? claim.type
    // A rule that names no type passes on what providers say of people, never what tokens say of themselves.
    if claim.issuer != .service, entry.rule.input.type == nil, entry.rule.outputType == nil,
      ReservedClaims.isStatedByIssuer(type)
    {
      return nil
    }
    let value = entry.rule.outputValue ?? claim.value
    let isGranted =
      claim.isGranted || entry.rule.outputValue != nil
      || entry.rule.input.value != nil && type != claim.type
    let key = Given(type: type, value: Array(value.utf8))
    func known(_ number: Int, _ valueType: String) -> Known {
      Known(
        issuer: .service, type: type, value: value, valueType: valueType, isGranted: isGranted,
        source: .output(number))
    }
    if let number = run.seen[key] {
      // Granted after it was passed on: other rules may see it now.
      guard isGranted, run.granted.insert(key).inserted else { return nil }
      return known(number, run.given[number].claim.valueType)
    }
    guard run.given.count < limits.outputs else {
      throw TokenError(
        .rulesTooManyClaims, node: "output", expected: "at most \(limits.outputs)",
        found: "more in pass \(pass)")
    }
    run.seen[key] = run.given.count
    if isGranted { run.granted.insert(key) }
    let valueType = entry.rule.outputValue == nil ? claim.valueType : Claim.stringType
    run.given.append(
      RuledClaim(
        claim: Claim(
          type, value, issuer: run.issuer, valueType: valueType, originalIssuer: run.provider),
        group: entry.group, rule: entry.rule, source: claim.source, pass: pass))
    return known(run.given.count - 1, valueType)
  }
}

/// Finds conditions by what they ask for, without a look at those that ask for something else.
struct RuleIndex: Sendable {
  /// What a condition asks for; octets, as texts that are spelled differently are different values.
  private struct Key: Hashable {
    let issuer: RuleIssuer
    let type: ClaimType?
    let value: [UInt8]?
  }

  /// Which parts a condition asks for; most groups have conditions of one or two kinds.
  private struct Kind: Hashable {
    let hasType: Bool
    let hasValue: Bool
  }

  private var numbers: [Key: [Int]] = [:]
  /// The kinds that there are, the narrowest first.
  private let kinds: [Kind]

  /// - Parameter conditions: Found by their place; nil is never found.
  init(_ conditions: [ClaimCondition?]) {
    var present: Set<Kind> = []
    for case (let number, let condition?) in conditions.enumerated() {
      let key = Key(
        issuer: condition.issuer, type: condition.type,
        value: condition.value.map { Array($0.utf8) })
      numbers[key, default: []].append(number)
      present.insert(Kind(hasType: key.type != nil, hasValue: key.value != nil))
    }
    let all = [(true, true), (true, false), (false, true), (false, false)]
    kinds = all.map { Kind(hasType: $0.0, hasValue: $0.1) }.filter(present.contains)
  }

  /// The conditions that such a claim meets: by type and value, by one of them, or by none.
  func matches(_ issuer: RuleIssuer, _ type: ClaimType, _ value: String) -> [Int] {
    var found: [Int] = []
    for kind in kinds {
      let key = Key(
        issuer: issuer, type: kind.hasType ? type : nil,
        value: kind.hasValue ? Array(value.utf8) : nil)
      if let numbers = numbers[key] { found += numbers }
    }
    return found
  }
}

/// How many claims rules may work with.
public struct RuleLimits: Hashable, Sendable {
  /// The most claims of an identity provider: 1,000. Access Control Service had 80, fewer than the groups of a person in a
  /// directory of any size.
  public var inputs = 1_000
  /// The most claims that rules give: 4,000. Rules that change types multiply claims.
  public var outputs = 4_000
  /// The passes over what rules gave: 8.
  public var passes = 8

  /// The usual limits.
  public init() {}
}

/// A claim that a rule gave, and where it comes from.
public struct RuledClaim: Sendable {
  /// What a rule was applied to.
  public enum Source: Hashable, Sendable {
    /// A claim of the identity provider, by its position.
    case input(Int)
    /// A claim that another rule gave, by its position.
    case output(Int)
  }

  /// The claim, of the token service; its original issuer is the identity provider.
  public let claim: Claim
  /// The name of the rule's group.
  public let group: String
  /// The rule.
  public let rule: ClaimRule
  /// The claim that the rule was applied to.
  public let source: Source
  /// The pass, from 1: how many rules, one upon the other, it took.
  public let pass: Int
}
