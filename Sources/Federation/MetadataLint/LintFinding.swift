/// One place where a rule is broken.
public struct LintFinding: Sendable {
  /// The rule that is broken.
  public let rule: LintRule
  /// The entity, unless the finding is about the file.
  public let entityID: String?
  /// Where, as a path such as `/EntityDescriptor/IDPSSODescriptor/KeyDescriptor[2]`.
  public let place: String
  /// What stands there.
  public let found: String?
}
