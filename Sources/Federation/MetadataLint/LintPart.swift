/// One result of checking a single entity, in the order of its findings. It needs no other entity, so
/// several can be checked in parallel; ``MetadataLinter`` compares them afterwards.
package enum LintPart: Sendable {
  case finding(LintFinding)
  /// The entity's name, which must be unique.
  case name(String, place: String)
  /// The fingerprint of a key with which the entity signs tokens.
  case signer(String, entityID: String, place: String)
}
