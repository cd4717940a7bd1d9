public import Claims

/// A rule that turns claims into claims of the token service.
///
///     // Whoever has this address at the provider is an editor.
///     ClaimRule(
///       ClaimCondition(.provider("Google"), type: .emailAddress, value: "mia@example.org"),
///       outputType: .role, outputValue: "editor")
public struct ClaimRule: Hashable, Sendable {
  /// What it applies to.
  public let input: ClaimCondition
  /// A second claim that has to be there as well; nil for none.
  public let second: ClaimCondition?
  /// The type of what it gives; nil for that of the input claim.
  public let outputType: ClaimType?
  /// The value of what it gives; nil for that of the input claim.
  public let outputValue: String?
  /// For whom it is; nil for everybody, except where it looks at claims of the service: see ``RuledSubjects``.
  public let appliesTo: RuledSubjects?
  /// A remark for people.
  public let note: String

  /// A rule. Without an output type and value it passes the claim on.
  public init(
    _ input: ClaimCondition, and second: ClaimCondition? = nil, outputType: ClaimType? = nil,
    outputValue: String? = nil, to subjects: RuledSubjects? = nil, note: String = ""
  ) {
    self.appliesTo = subjects
    self.input = input
    self.second = second
    self.outputType = outputType
    self.outputValue = outputValue
    self.note = note
  }
}
