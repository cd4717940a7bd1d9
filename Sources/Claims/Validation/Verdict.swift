public import TokenErrors

/// What the checks of one token came to, whatever its format. A ``ValidationReport`` adds the token.
///
/// Not a `Result`, which would be looked up by its parameters for each token.
@usableFromInline
package enum Verdict: Sendable {
  /// What the token proves.
  case accepted(VerifiedContent)
  /// The first failure.
  case rejected(TokenError)

  /// How it came to that.
  @usableFromInline
  package struct Notes: Sendable {
    /// The checks that were looked at. Complete only when details were asked for.
    @usableFromInline package let checks: [Check]
    /// What was let in by exception.
    @usableFromInline package let warnings: [String]

    @usableFromInline
    init(checks: [Check], warnings: [String]) {
      self.checks = checks
      self.warnings = warnings
    }
  }
}
