/// How many claims rules may work with.
public struct RuleLimits: Hashable, Sendable {
  /// The most claims of an identity provider: 80, as Access Control Service has it.
  public var inputs = 80
  /// The most claims that rules give: 1,000. Rules that change types multiply claims.
  public var outputs = 1_000
  /// The passes over what rules gave: 8.
  public var passes = 8

  /// The limits of Access Control Service.
  public init() {}
}
