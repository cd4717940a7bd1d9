import Claims
import Octets
import TokenBasics
import XMLSecurity
import XMLTree

/// The checks of a response and its assertion, after the signature held. Each runs, whatever the others
/// find.
struct SAMLChecks: ~Copyable {
  let token: SAMLToken
  let content: AssertionContent
  let delivery: Delivery
  let confirmations: Confirmations

  init(
    _ token: SAMLToken, _ content: consuming AssertionContent, _ signed: SAMLToken.Signed,
    _ context: borrowing VerificationContext
  ) {
    self.token = token
    delivery = Delivery(token: token, signedMessage: signed.message)
    confirmations = Confirmations(content, of: token, coveredBy: signed.match, context)
    self.content = content
  }

  /// The facts of the assertion, once all is checked.
  consuming func finish() -> TokenFacts {
    let expires = expires
    return content.facts(expires: expires)
  }

  /// The end of validity: the earlier of the assertion's and that of the confirmation that holds.
  private var expires: Instant? {
    guard confirmations.heldCount > 0 else { return content.expires }
    guard let end = content.conditions.notOnOrAfter else { return confirmations.end }
    return min(end, confirmations.end ?? end)
  }

  func run(_ context: inout VerificationContext) {
    if let response = token.response {
      let checks = ResponseChecks(
        response: response, signedMessage: delivery.signedMessage)
      checks.checkStatus(&context)
      if let issuer = response.issuerElement,
        let warning = SAML2AssertionReader.issuerWarning(issuer)
      {
        context.warn([warning])
      }
      checks.checkIssuer(content, &context)
    }
    context.check(
      content.conditions.audiences, in: content.claims,
      node: content.path(content.conditions.place))
    context.checkWindow(
      notBefore: content.conditions.notBefore,
      expires: content.conditions.notOnOrAfter ?? expires,
      node: content.path(content.conditions.place))
    context.checkIssueInstant(content.issueInstant, node: content.node.path)
    if let response = token.response, let issued = response.issueInstant {
      context.checkIssueInstant(issued, node: response.element.path)
    }
    checkSubject(&context)
    checkConfirmation(&context)
    delivery.check(&context)
    checkConditions(&context)
    checkSessions(&context)
  }

  private func checkSubject(_ context: inout VerificationContext) {
    context.run(.subject) { context throws(TokenError) in
      guard let subject = content.subject else {
        throw TokenError(.subjectMissing, node: content.node.path)
      }
      try content.nameIdentifier?.requireText()
      if let name = content.nameIdentifier, let qualifier = name.spQualifier,
        case .oneOf(let ours) = context.trust.audiences, !ours.containsBytes(of: qualifier)
      {
        throw name.concealment
          ?? TokenError(
            .spNameQualifier, node: name.node.path, expected: ours.joined(separator: " or "),
            found: TokenError.excerpt(qualifier))
      }
      context.pass(.subject, node: content.path(subject))
    }
  }

  // MARK: Confirmation

  /// One confirmation that holds is enough (SAML Core 2.4.1.1); SAML 1.1 repeats the same one in each
  /// statement, so there all must hold.
  private func checkConfirmation(_ context: inout VerificationContext) {
    guard let subject = content.subject else { return }
    context.warn(confirmations.warnings)
    context.run(.confirmation) { context throws(TokenError) in
      guard !content.confirmations.isEmpty else {
        guard token.version == .v1 else {
          throw TokenError(.confirmationMissing, node: content.path(subject), expected: "bearer")
        }
        // SAML 1.1 Core 2.4.2.3 makes it optional, and the signature prevents its removal.
        context.warn(["confirmation: the subject has no SubjectConfirmation, so any bearer will do"]
        )
        return context.pass(.confirmation, node: content.path(subject), found: "none")
      }
      let isConfirmed =
        token.version == .v1 ? confirmations.failures.isEmpty : confirmations.heldCount > 0
      guard isConfirmed else {
        let failures = confirmations.failures
        // The fault of a bearer confirmation is more useful than another's method.
        throw failures.first { $0.code != .confirmationMethod } ?? failures.first
          ?? TokenError(.confirmationMissing, node: content.path(subject), expected: "bearer")
      }
      context.pass(.confirmation, node: content.path(subject), found: "bearer")
    }
  }

  // MARK: Conditions and sessions

  private func checkConditions(_ context: inout VerificationContext) {
    context.run(.conditions) { context throws(TokenError) in
      if let unknown = content.conditions.unknown.first {
        throw TokenError(
          .unknownCondition, node: content.conditions.place.map { content.path($0) },
          found: TokenError.excerpt(unknown)
        )
      }
      context.pass(.conditions, node: content.conditions.place.map { content.path($0) })
    }
  }

  private func checkSessions(_ context: inout VerificationContext) {
    // An expected recipient or request means a sign-in, not the answer to an attribute query.
    if token.version == .v2, !context.expectations.isEmpty, content.authentications.isEmpty {
      context.fail(
        .session,
        TokenError(.noAuthentication, node: content.node.path, expected: "AuthnStatement"))
    }
    content.authentications.forEach { authentication in
      context.run(.session) { context throws(TokenError) in
        guard context.isPast(authentication.instant) else {
          throw TokenError(
            .authenticatedInFuture, node: content.path(authentication.place),
            expected: "before \(context.now.rfc3339)",
            found: authentication.instant.rfc3339
              + ", \(authentication.instant.distance(after: context.now)) ahead")
        }
        if let end = authentication.sessionEnd,
          context.now >= end.advanced(bySeconds: context.skew)
        {
          throw TokenError(
            .sessionEnded, node: content.path(authentication.place),
            expected: "before \(end.rfc3339)",
            found: context.now.rfc3339 + ", ended \(context.now.distance(after: end)) ago")
        }
        context.pass(.session, node: content.path(authentication.place))
      }
    }
  }
}

/// The checks of the response around an assertion. Without a signature of its own it can only refuse.
struct ResponseChecks {
  let response: ResponseContent
  /// The message as its signature covers it; nil when it has none.
  var signedMessage: SignedElement?

  /// Checks that the response reports success (SAML Core 3.2.2.2).
  func checkStatus(_ context: inout VerificationContext) {
    // SAML 1.1 has qualified names as codes.
    if let signedMessage, signedMessage.element.isNamed(SAML1Name.response),
      !SAML1ResponseReader.isStatusCovered(by: signedMessage)
    {
      return context.fail(
        .status,
        TokenError(
          .responseStatus, node: response.status.path,
          expected: "a StatusCode whose prefix the signature covers"))
    }
    if let failure = response.failure {
      return context.fail(
        .status,
        TokenError(
          .responseStatus, node: response.status.path, expected: "Success",
          found: ResponseContent.shown(failure)))
    }
    context.pass(.status, node: response.status.path, found: "Success")
  }

  /// Checks that the response names the issuer of the assertion, where it names one.
  func checkIssuer(_ content: borrowing AssertionContent, _ context: inout VerificationContext) {
    guard let issuer = response.issuer else {
      return context.skip(.responseIssuer, because: "the response names no issuer")
    }
    guard content.claims.hasBytes(content.issuer, of: issuer) else {
      return context.fail(.responseIssuer, mismatch(content.claims.string(content.issuer)))
    }
    context.pass(.responseIssuer, node: response.element.path)
  }

  /// The error for a response that names another issuer than its assertion, or none.
  func mismatch(_ assertionIssuer: String) -> TokenError {
    TokenError(
      .issuerMismatch, node: response.element.path,
      expected: TokenError.excerpt(assertionIssuer),
      found: TokenError.excerpt(String(decoding: response.issuer ?? [], as: UTF8.self)))
  }
}
