public import Claims
import Octets

/// What a claim has to be for a rule to apply to it.
public struct ClaimCondition: Hashable, Sendable {
  /// Whose claim it is.
  public let issuer: RuleIssuer
  /// Its type; nil for any.
  public let type: ClaimType?
  /// Its value, octet for octet; nil for any.
  public let value: String?

  /// A condition.
  public init(_ issuer: RuleIssuer, type: ClaimType? = nil, value: String? = nil) {
    self.issuer = issuer
    self.type = type
    self.value = value
  }

  /// By octets, as claims are compared.
  public static func == (left: Self, right: Self) -> Bool {
    left.issuer == right.issuer && left.type == right.type
      && left.value.hasSameBytes(as: right.value)
  }
}
