/// Rules under one name. A relying party uses several groups, and a group serves several relying parties.
public struct RuleGroup: Hashable, Sendable {
  /// The name.
  public let name: String
  /// The rules; their order decides nothing but the order of what they give.
  public var rules: [ClaimRule]

  /// A group.
  public init(_ name: String, rules: [ClaimRule] = []) {
    self.name = name
    self.rules = rules
  }

  /// Adds what "Generate" makes of a provider: a rule for each type of claim that it offers, which passes the claim
  /// on. Rules that are there already stay alone.
  public mutating func generate(for offer: ProviderOffer) {
    var known = Set(rules)
    for type in offer.types {
      let rule = ClaimRule(
        ClaimCondition(.provider(offer.id), type: type), note: "passes \(type) of \(offer.id) on")
      if known.insert(rule).inserted { rules.append(rule) }
    }
  }
}
