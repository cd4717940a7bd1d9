/// One violation of a rule.
public struct LintFinding: Sendable {
  /// The rule that is broken.
  public let rule: LintRule
  /// The `entityID`; nil for a finding about the file.
  public let entityID: String?
  /// The place, as a path such as `/EntityDescriptor/IDPSSODescriptor/KeyDescriptor[2]`.
  public let place: String
  /// The text found there, if any.
  public let found: String?
}
