public import TokenErrors

/// Every check of one token in order, and what came of them.
public struct ValidationReport<Token: SecurityToken>: Sendable {
  /// The checks that were looked at. Complete only when details were asked for.
  public let checks: [Check]
  /// What was let in by exception.
  public let warnings: [String]
  /// The verified token, or the first failure.
  public let result: Result<Verified<Token>, TokenError>

  @inlinable
  package init(
    checks: [Check], warnings: [String], result: Result<Verified<Token>, TokenError>
  ) {
    self.checks = checks
    self.warnings = warnings
    self.result = result
  }

  /// The verified token.
  ///
  /// - Throws: the error of the first failed check.
  @inlinable
  public func get() throws(TokenError) -> Verified<Token> { try result.get() }
}
