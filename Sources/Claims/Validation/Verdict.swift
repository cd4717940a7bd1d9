public import TokenErrors

/// What the checks of one token came to, whatever its format. A ``ValidationReport`` adds the token.
@usableFromInline
package struct Verdict: Sendable {
  /// The checks that were looked at. Complete only when details were asked for.
  @usableFromInline package let checks: [Check]
  /// What was let in by exception.
  @usableFromInline package let warnings: [String]
  /// What the token proves, or the first failure.
  @usableFromInline package let result: Result<VerifiedContent, TokenError>

  @usableFromInline
  init(
    checks: [Check], warnings: [String], result: consuming Result<VerifiedContent, TokenError>
  ) {
    self.checks = checks
    self.warnings = warnings
    self.result = result
  }
}
