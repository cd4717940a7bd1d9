public import TokenBasics

/// Checks tokens of one format against a ``Trust``.
///
///     let trust = Trust(
///       issuers: [TrustedIssuer("https://idp.example/", keys: [.certificate(idp)], formats: [.saml20])],
///       audiences: .oneOf(["https://rp.example/"]))
///     let verified = try TokenValidator(trust).validate(token, at: now)
///     verified.claims[.emailAddress]
///
/// Pure: no I/O and no clock, so the same input gives the same result. Every check runs unless the trust
/// names an exception; no mode runs fewer.
public struct TokenValidator<Token: SecurityToken>: Sendable {
  /// The issuers that are trusted and the audiences that we are.
  public let trust: Trust

  /// A validator for `trust`.
  @inlinable
  public init(_ trust: Trust) { self.trust = trust }

  /// The token, verified.
  ///
  /// - Parameters:
  ///   - token: The token, parsed and not verified.
  ///   - now: the clock, read once by the caller.
  ///   - expectations: What only the caller knows: recipient, request, addressee.
  /// - Throws: the error of the first check that failed.
  @inlinable
  public func validate(
    _ token: Token, at now: Instant, expecting expectations: Expectations = Expectations()
  ) throws(TokenError) -> Verified<Token> {
    let (verdict, notes) = verdict(on: token, at: now, expectations, isDetailed: false)
    return try verified(token, verdict, notes)
  }

  /// Every check in order, with what was expected and found.
  @inlinable
  public func report(
    on token: Token, at now: Instant, expecting expectations: Expectations = Expectations()
  ) -> ValidationReport<Token> {
    let (verdict, notes) = verdict(on: token, at: now, expectations, isDetailed: true)
    let result: Result<Verified<Token>, TokenError>
    do throws(TokenError) {
      result = .success(try verified(token, verdict, notes))
    } catch {
      result = .failure(error)
    }
    return ValidationReport(checks: notes.checks, warnings: notes.warnings, result: result)
  }

  @inlinable
  func verified(
    _ token: Token, _ verdict: consuming Verdict, _ notes: Verdict.Notes
  ) throws(TokenError) -> Verified<Token> {
    switch consume verdict {
    case .accepted(let content): return Verified(token, content, warnings: notes.warnings)
    case .rejected(let error): throw error
    }
  }

  /// The verdict without the token, for callers that have it.
  @inlinable
  package func verdict(
    on token: Token, at now: Instant, _ expectations: Expectations, isDetailed: Bool
  ) -> (verdict: Verdict, notes: Verdict.Notes) {
    var context = VerificationContext(trust, expectations, at: now, isDetailed: isDetailed)
    let verdict: Verdict
    do throws(TokenError) {
      let content = try token._verify(in: &context)
      // Checks on which no other depends record their failure and go on; it is thrown here.
      if let failure = context.journal.firstFailure { throw failure }
      verdict = .accepted(content)
    } catch {
      if context.journal.firstFailure == nil { context.fail(.structure, error) }
      verdict = .rejected(context.journal.firstFailure ?? error)
    }
    return (verdict, (consume context).journal.notes())
  }
}
