import Federation
import Octets
public import SignIn

/// The rules of a gate.
public struct GateRules: Sendable {
  /// The rules, in the order of the file.
  public let rules: [GateRule]

  /// What a path gets that no rule covers.
  public let standard: GateDefault

  /// Rules.
  public init(_ rules: [GateRule], default standard: GateDefault = .signedIn) {
    self.rules = rules
    self.standard = standard
  }

  /// The path of the resource of the application, which neither ``standard`` nor a public rule for this path or above
  /// opens; nil for none.
  private(set) var resource: RequestTarget?

  /// The same rules for an application with a resource.
  func protecting(_ resource: RequestTarget?) -> Self {
    var rules = self
    rules.resource = resource
    return rules
  }

  /// Whether a rule is for a method.
  package var hasMethods: Bool { rules.contains { $0.method != nil } }

  /// A verdict and what led to it.
  public struct Decision: Sendable {
    /// The verdict.
    public let verdict: GateVerdict
    /// The rule that decided; nil where none is for the request.
    public let rule: GateRule?
  }

  /// Decides about a request. The most specific rules decide, and of them a denial first; a path without a rule is
  /// for everybody who is signed in, or as ``standard`` says. This is the one place that allows (GATE-10).
  ///
  /// - Parameters:
  ///   - target: The target as the proxy names it.
  ///   - method: The method of the request.
  ///   - subject: Who is signed in; nil for nobody.
  public func decide(
    _ target: String, method: String, subject: GateSubject?
  ) -> Decision {
    let deciding: [GateRule]
    do throws(TokenError) {
      deciding = try self.deciding(target, method)
    } catch {
      return Decision(verdict: .forbidden(error), rule: nil)
    }
    guard !deciding.isEmpty else {
      return Decision(verdict: uncovered(subject, target), rule: nil)
    }
    if deciding.allSatisfy(\.isPublic) { return Decision(verdict: .allow, rule: deciding.first) }
    guard let subject else {
      guard let rule = deciding.first(where: { !$0.takesSessions }) else {
        return Decision(verdict: .signIn, rule: nil)
      }
      return Decision(verdict: .tokenRequired(Self.error(.gateTokenRequired, rule)), rule: rule)
    }
    if let refused = Self.refusal(deciding, subject) ?? Self.shortcoming(deciding, subject) {
      return refused
    }
    return Decision(verdict: .allow, rule: deciding.first)
  }

  /// Whether a request passes whoever asks.
  public func isPublic(_ target: String, method: String) -> Bool {
    if case .allow = decide(target, method: method, subject: nil).verdict { true } else { false }
  }

  /// What a sign-in for the sake of a page asks of the provider, so that the rules for the page are met.
  public func demands(for target: String) -> SignInDemands {
    var demands = SignInDemands()
    let path = target.prefix { $0 != "?" }
    // A page is asked for by GET; what its forms need comes second.
    let methods = ["GET"] + Set(rules.compactMap(\.method)).sorted()
    for method in methods {
      let rules = (try? deciding(String(path), method)) ?? []
      let contexts = rules.map(\.contexts).filter { !$0.isEmpty }
      let maxAge = rules.compactMap(\.maxAge).min()
      guard !contexts.isEmpty || maxAge != nil else { continue }
      let common = (contexts.first ?? []).filter { context in
        contexts.allSatisfy { $0.containsBytes(of: context) }
      }
      demands.contexts = common.isEmpty ? contexts.first ?? [] : common
      demands.maxAge = maxAge
      break
    }
    return demands
  }

  /// The scopes that a token needs for a request, without repetition; empty for none.
  func scopes(for target: String, method: String) -> [String] {
    var scopes: [String] = []
    for scope in ((try? deciding(target, method)) ?? []).flatMap(\.scopes)
    where !scopes.containsBytes(of: scope) {
      scopes.append(scope)
    }
    return scopes
  }

  /// The most specific rules for a request.
  ///
  /// - Throws: `gate.path`, `gate.method` where there are rules, which readers could take for different requests.
  private func deciding(_ target: String, _ method: String) throws(TokenError) -> [GateRule] {
    // Without rules every path has the same verdict, however it is read.
    guard !rules.isEmpty else { return [] }
    let path = try RequestTarget(target)
    guard RequestMethod.isPlain(method) else {
      throw TokenError(
        .gateMethod, expected: "a token without lower-case letters",
        found: TokenError.excerpt(method))
    }
    let covering = rules.filter { $0.covers(path, method) && !$0.opens(resource, for: path) }
    let highest = covering.map(\.rank).max { $0 < $1 }
    return covering.filter { rule in highest.map { rule.rank == $0 } ?? false }
  }

  private func uncovered(_ subject: GateSubject?, _ target: String) -> GateVerdict {
    switch standard {
    case .open: subject == nil && isResource(target) ? .signIn : .allow
    case .signedIn: subject == nil ? .signIn : .allow
    case .refused: .forbidden(TokenError(.gateNoRule))
    }
  }

  /// Whether a target is the resource, or below it.
  private func isResource(_ target: String) -> Bool {
    guard let resource else { return false }
    return (try? RequestTarget(target))?.isCovered(by: resource) ?? true
  }

  /// The first rule that keeps the subject out, a denial before others. One that cannot be judged keeps out too.
  private static func refusal(_ deciding: [GateRule], _ subject: GateSubject) -> Decision? {
    let denials = deciding.filter(\.denies)
    if let rule = denials.first(where: { $0.isMet(by: subject) }) {
      return Decision(verdict: .forbidden(refusal(rule)), rule: rule)
    }
    let unmet = deciding.filter { !$0.denies && !$0.isMet(by: subject) }
    if let rule = (denials + unmet).first(where: { $0.lacksDropped(of: subject) }) {
      return Decision(verdict: .forbidden(error(.gateClaimDropped, rule)), rule: rule)
    }
    guard let rule = (denials + unmet).first(where: { $0.lacksGroups(of: subject) }) ?? unmet.first
    else { return nil }
    let isOverage = rule.lacksGroups(of: subject)
    let error = isOverage ? error(.gateGroupsOverage, rule) : refusal(rule)
    return Decision(verdict: .forbidden(error), rule: rule)
  }

  /// What the subject's token or session lacks, though the subject itself may pass.
  private static func shortcoming(_ deciding: [GateRule], _ subject: GateSubject) -> Decision? {
    let authentication = subject.authentication
    for rule in deciding where !rule.takesSessions && !authentication.isToken {
      return Decision(verdict: .forbidden(error(.gateTokenRequired, rule)), rule: rule)
    }
    let lacking = deciding.first { rule in
      guard authentication.isToken else { return false }
      let scopes = authentication.scopes
      return !rule.scopes.allSatisfy { scopes.containsBytes(of: $0) }
    }
    if let rule = lacking {
      var scopes: [String] = []
      for scope in deciding.flatMap(\.scopes) where !scopes.containsBytes(of: scope) {
        scopes.append(scope)
      }
      let error = error(.gateScope, rule, "the scopes " + scopes.joined(separator: " "))
      return Decision(verdict: .lacksScope(error, scopes), rule: rule)
    }
    for rule in deciding {
      guard let step = rule.missingAuthentication(of: subject) else { continue }
      let isInVain = step.isInVain && !authentication.isToken
      let error = error(isInVain ? .gateStepUpInVain : .gateStepUp, rule, step.words)
      return Decision(
        verdict: isInVain ? .forbidden(error) : .signInAgain(error, step), rule: rule)
    }
    return nil
  }

  private static func error(
    _ code: TokenError.Code, _ rule: GateRule, _ expected: String? = nil
  ) -> TokenError {
    TokenError(
      code, node: "rule for \(rule.path)\(rule.place.isEmpty ? "" : ", " + rule.place)",
      expected: expected)
  }

  private static func refusal(_ rule: GateRule) -> TokenError {
    var expected = rule.providers.map { "a provider of " + $0.prefix(8).joined(separator: ", ") }
    if let first = rule.claims.first?.name {
      let claim = rule.claim.isEmpty ? first : rule.claim
      let values =
        (rule.denies ? "none of " : "one of ") + rule.values.prefix(8).joined(separator: ", ")
        + " in \(claim)"
      expected = expected.map { "\($0) and \(values)" } ?? values
    }
    return error(.gateForbidden, rule, expected)
  }
}

extension StepUp {
  /// What is demanded, for an error.
  fileprivate var words: String {
    var words: [String] = []
    if !contexts.isEmpty { words.append("a sign-in by " + contexts.joined(separator: " or ")) }
    if let maxAge { words.append("a sign-in of the last \(maxAge) s") }
    return words.joined(separator: " and ")
  }
}
