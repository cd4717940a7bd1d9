public import Instants
public import TokenErrors

/// Checks tokens of one format against a ``Trust``.
///
///     let trust = Trust(
///       issuers: [TrustedIssuer("https://idp.example/", keys: [.certificate(idp)], formats: [.saml20])],
///       audiences: .oneOf(["https://rp.example/"]))
///     let verified = try TokenValidator(trust).validate(token, at: now)
///     verified.claims[.emailAddress]
///
/// Pure: no I/O, no clock of its own, the same answer every time. Every check is made unless the
/// trust says otherwise in so many words; there is no mode that makes fewer.
public struct TokenValidator<Token: SecurityToken>: Sendable {
  /// Whom we trust and who we are.
  public let trust: Trust

  /// A validator for `trust`.
  @inlinable
  public init(_ trust: Trust) { self.trust = trust }

  /// The token, verified.
  ///
  /// - Parameter now: the clock, read once by the caller.
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

  /// What the checks come to, for whom the token itself is no news.
  @inlinable
  package func verdict(
    on token: Token, at now: Instant, _ expectations: Expectations, isDetailed: Bool
  ) -> (verdict: Verdict, notes: Verdict.Notes) {
    var context = VerificationContext(trust, expectations, at: now, isDetailed: isDetailed)
    let verdict: Verdict
    do throws(TokenError) {
      let content = try token._verify(in: &context)
      // Checks on which no other depends note their failure and go on; it counts here.
      if let failure = context.journal.firstFailure { throw failure }
      verdict = .accepted(content)
    } catch {
      if context.journal.firstFailure == nil { context.fail(.structure, error) }
      verdict = .rejected(context.journal.firstFailure ?? error)
    }
    return (verdict, (consume context).journal.notes())
  }
}
