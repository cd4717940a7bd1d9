public import Claims

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
