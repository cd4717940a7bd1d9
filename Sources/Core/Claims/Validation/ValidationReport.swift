public import TokenBasics

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

/// The result of the checks of one token, in any format. A ``ValidationReport`` adds the token.
///
/// Not a `Result`, whose generic metadata would be looked up for each token.
@usableFromInline
package enum Verdict: Sendable {
  /// What the token proves.
  case accepted(VerifiedContent)
  /// The first failure.
  case rejected(TokenError)

  /// The checks and warnings that led to it.
  @usableFromInline
  package struct Notes: Sendable {
    /// The checks that were made; of a run without details the failed ones alone.
    @usableFromInline package let checks: [Check]
    /// The exceptions that were made, as texts.
    @usableFromInline package let warnings: [String]

    @usableFromInline
    init(checks: [Check], warnings: [String]) {
      self.checks = checks
      self.warnings = warnings
    }
  }
}
