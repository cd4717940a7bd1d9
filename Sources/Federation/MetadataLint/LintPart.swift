/// What a look at one entity alone brings, in the order of its findings. It needs no other entity, so several
/// can be looked at at once; ``MetadataLinter`` compares them afterwards.
package enum LintPart: Sendable {
  case finding(LintFinding)
  /// The entity's name, which no other may have.
  case name(String, place: String)
  /// The fingerprint of a key with which the entity signs tokens.
  case signer(String, entityID: String, place: String)
}
