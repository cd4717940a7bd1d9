import Claims
import Instants
import Octets
import TokenErrors
import XMLTree

/// The conditions of an assertion, after its signature held. Each is looked at, whatever the others
/// say.
struct SAMLChecks: ~Copyable {
  let token: SAMLToken
  let content: AssertionContent

  /// What the assertion says, when all is checked.
  consuming func finish() -> TokenFacts { content.facts() }

  func run(_ context: inout VerificationContext) {
    checkAudiences(&context)
    context.checkWindow(
      notBefore: content.conditions.notBefore,
      expires: content.conditions.notOnOrAfter ?? content.expires,
      node: content.path(content.conditions.place))
    checkIssueInstants(&context)
    checkSubject(&context)
    checkConfirmation(&context)
    if let response = token.response {
      Self.checkDelivery(response, &context)
    } else if token.version == .v1, let recipient = context.expectations.recipient {
      // SAML 1.1 says it nowhere else.
      context.fail(
        .destination, TokenError(.recipientMissing, node: content.node.path, expected: recipient))
    }
    checkConditions(&context)
    checkSessions(&context)
  }

  private func checkAudiences(_ context: inout VerificationContext) {
    let audiences = content.conditions.audiences
    // The usual case needs no text.
    if let ours = context.ourAudiences, audiences.areMet(by: ours, content.claims) { return }
    context.checkAudiences(
      audiences.restrictions(content.claims), node: content.path(content.conditions.place))
  }

  private func checkIssueInstants(_ context: inout VerificationContext) {
    check(content.issueInstant, content.node, &context)
    check(
      token.response?.issueInstant ?? content.issueInstant,
      token.response?.element ?? content.node, &context)
  }

  private func check(_ issued: Instant, _ node: Element, _ context: inout VerificationContext) {
    guard !context.isPast(issued) else { return }
    context.fail(
      .time,
      TokenError(
        .issuedInFuture, node: node.path, expected: "before \(context.now.rfc3339)",
        found: issued.rfc3339))
  }

  private func checkSubject(_ context: inout VerificationContext) {
    context.run(.subject) { context throws(TokenError) in
      guard let subject = content.subject else {
        throw TokenError(.subjectMissing, node: content.node.path)
      }
      if let name = content.nameIdentifier, let qualifier = name.spQualifier,
        case .oneOf(let ours) = context.trust.audiences, !ours.containsBytes(of: qualifier)
      {
        throw TokenError(
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
    context.run(.confirmation) { context throws(TokenError) in
      guard !content.confirmations.isEmpty else {
        throw TokenError(.confirmationMissing, node: content.path(subject), expected: "bearer")
      }
      var failures: [TokenError] = []
      content.confirmations.forEach { confirmation in
        guard let failure = failure(of: confirmation, context) else { return }
        failures.append(failure.located(at: content.path(confirmation.place)))
      }
      let isConfirmed =
        token.version == .v1 ? failures.isEmpty : failures.count < content.confirmations.count
      guard isConfirmed else {
        // What a bearer confirmation lacks says more than that another is none.
        throw failures.first { $0.code != .confirmationMethod } ?? failures[0]
      }
      context.pass(.confirmation, node: content.path(subject), found: "bearer")
    }
  }

  /// Why a confirmation does not hold, without a place; nil when it does.
  private func failure(
    of confirmation: AssertionContent.Confirmation, _ context: VerificationContext
  ) -> TokenError? {
    guard confirmation.isBearer else {
      return TokenError(
        .confirmationMethod, expected: "bearer",
        found: TokenError.excerpt(method(of: confirmation)))
    }
    guard token.version == .v2 else { return nil }
    guard let data = confirmation.data else { return failureWithoutData(context) }
    if let error = boundsFailure(data, context) { return error }
    if let recipient = context.expectations.recipient {
      let found = element(data).collapsedAttribute(AttributeName.recipient)
      guard let found, !found.isEmpty else {
        return TokenError(.recipientMissing, expected: recipient)
      }
      guard found.hasSameBytes(as: recipient) else {
        return TokenError(
          .recipientMismatch, expected: recipient, found: TokenError.excerpt(found))
      }
    }
    if let request = context.expectations.inResponseTo {
      let found = element(data).attribute(AttributeName.inResponseTo)
      guard let found, !found.isEmpty else {
        return TokenError(.confirmationUnsolicited, expected: request)
      }
      guard found.hasSameBytes(as: request) else {
        return TokenError(
          .confirmationRequestMismatch, expected: request, found: TokenError.excerpt(found))
      }
    }
    return nil
  }

  private func element(_ data: AssertionContent.ConfirmationData) -> Element {
    content.node.document.element(at: data.place)
  }

  private func method(of confirmation: AssertionContent.Confirmation) -> String {
    let element = content.node.document.element(at: confirmation.place)
    return token.version == .v2
      ? SAML2AssertionReader.confirmationMethod(of: element)
      : SAML1AssertionReader.confirmationMethods(of: element)
  }

  /// SAML Profiles 4.1.4.2 demands data in a browser response; WS-Federation does without.
  private func failureWithoutData(_ context: VerificationContext) -> TokenError? {
    if token.container == .response {
      return TokenError(.confirmationData, expected: "SubjectConfirmationData")
    }
    if let recipient = context.expectations.recipient {
      return TokenError(.recipientMissing, expected: recipient)
    }
    if let request = context.expectations.inResponseTo {
      return TokenError(.confirmationUnsolicited, expected: request)
    }
    return nil
  }

  private func boundsFailure(
    _ data: AssertionContent.ConfirmationData, _ context: VerificationContext
  ) -> TokenError? {
    guard let end = data.notOnOrAfter else {
      guard token.container == .response else { return nil }
      return TokenError(.confirmationData, expected: "NotOnOrAfter")
    }
    if data.notBefore != nil, token.container == .response {
      return TokenError(.confirmationData, expected: "no NotBefore")
    }
    guard context.now < end.advanced(bySeconds: Int64(context.trust.skew)) else {
      return TokenError(
        .confirmationExpired,
        expected: "before \(end.withMilliseconds) + \(context.trust.skew) s",
        found: context.now.withMilliseconds + ", too late by "
          + context.now.distance(after: end.advanced(bySeconds: Int64(context.trust.skew))))
    }
    return nil
  }

  // MARK: Delivery

  /// Where a response was sent and what it answers.
  static func checkDelivery(_ response: ResponseContent, _ context: inout VerificationContext) {
    guard context.isDetailed || !context.expectations.isEmpty else { return }
    let expected = context.expectations
    check(
      .destination, response.destination, expected.recipient, missing: .destinationMissing,
      mismatch: .destinationMismatch, response, &context)
    check(
      .request, response.inResponseTo, expected.inResponseTo, missing: .responseUnsolicited,
      mismatch: .responseRequestMismatch, response, &context)
  }

  /// A value around the assertion that must be what was asked for, if anything was.
  private static func check(
    _ name: Check.Name, _ found: @autoclosure () -> String?, _ expected: String?,
    missing: TokenError.Code,
    mismatch: TokenError.Code, _ response: ResponseContent, _ context: inout VerificationContext
  ) {
    guard let expected else { return context.skip(name, because: "nothing was asked for") }
    let found = found()
    context.run(name) { context throws(TokenError) in
      guard let found, !found.isEmpty else {
        throw TokenError(missing, node: response.element.path, expected: expected)
      }
      guard found.hasSameBytes(as: expected) else {
        throw TokenError(
          mismatch, node: response.element.path, expected: expected,
          found: TokenError.excerpt(found))
      }
      context.pass(name, node: response.element.path, found: found)
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
    // A recipient or a request says that this is a browser sign-in and not, say, a query's answer.
    let isSignIn = context.expectations.recipient != nil || context.expectations.inResponseTo != nil
    if token.version == .v2, token.container == .response, isSignIn,
      content.authentications.isEmpty
    {
      context.fail(
        .session,
        TokenError(.noAuthentication, node: content.node.path, expected: "AuthnStatement"))
    }
    content.authentications.forEach { authentication in
      context.run(.session) { context throws(TokenError) in
        guard context.isPast(authentication.instant) else {
          throw TokenError(
            .authenticatedInFuture, node: content.path(authentication.place),
            expected: "before \(context.now.rfc3339)", found: authentication.instant.rfc3339)
        }
        if let end = authentication.sessionEnd,
          context.now >= end.advanced(bySeconds: Int64(context.trust.skew))
        {
          throw TokenError(
            .sessionEnded, node: content.path(authentication.place),
            expected: "before \(end.rfc3339)",
            found: context.now.rfc3339)
        }
        context.pass(.session, node: content.path(authentication.place))
      }
    }
  }
}
