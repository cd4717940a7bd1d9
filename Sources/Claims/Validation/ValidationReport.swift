public import TokenErrors

/// The checks of one token in order, and the result.
public struct ValidationReport<Token: SecurityToken>: Sendable {
  /// The checks that were made.
  public let checks: [Check]
  /// The exceptions that were made, as texts.
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
