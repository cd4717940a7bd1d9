import Claims
import Octets
import SecurityKeys
import TokenBasics
import XMLTree

/// Finds why a confirmation does not hold.
struct ConfirmationJudge {
  let token: SAMLToken
  /// The document of the assertion.
  let document: Document
  /// The signature that covers the assertion.
  let match: KeyRing.Match
  let now: Instant
  /// In seconds.
  let skew: Int64
  let expectations: Expectations

  /// Why `confirmation` does not hold, without a place; nil when it does.
  func failure(of confirmation: AssertionContent.Confirmation) -> TokenError? {
    guard confirmation.isBearer else {
      return TokenError(
        .confirmationMethod, expected: "bearer",
        found: TokenError.excerpt(method(of: confirmation)))
    }
    guard token.version == .v2 else { return nil }
    guard let data = confirmation.data else {
      return isSignIn || expectations.demandsRecipient
        ? TokenError(.confirmationData, expected: "SubjectConfirmationData") : nil
    }
    return boundsFailure(data) ?? recipientFailure(data) ?? requestFailure(data)
  }

  /// An expected recipient or request means a sign-in, not the answer to an attribute query.
  private var isSignIn: Bool { !expectations.isEmpty }

  private func boundsFailure(_ data: AssertionContent.ConfirmationData) -> TokenError? {
    if let start = data.notBefore {
      if let end = data.notOnOrAfter, end <= start {
        return TokenError(
          .confirmationData, expected: "an end after \(start.rfc3339)", found: end.rfc3339)
      }
      let earliest = start.advanced(bySeconds: -skew)
      guard now >= earliest else {
        let difference = "\(start.distance(after: now))"
        return TokenError(
          .confirmationNotYetValid, expected: "\(start.withMilliseconds) - \(skew) s or later",
          found: now.withMilliseconds + ", \(difference) too early", .difference(difference))
      }
    }
    guard let end = data.notOnOrAfter else {
      return isSignIn ? TokenError(.confirmationData, expected: "NotOnOrAfter") : nil
    }
    let latest = end.advanced(bySeconds: skew)
    guard now < latest else {
      let difference = "\(now.distance(after: end))"
      return TokenError(
        .confirmationExpired, expected: "before \(end.withMilliseconds) + \(skew) s",
        found: now.withMilliseconds + ", expired \(difference) ago", .difference(difference))
    }
    return nil
  }

  private func recipientFailure(_ data: AssertionContent.ConfirmationData) -> TokenError? {
    let found = element(data).collapsedAttribute(AttributeName.recipient)
    guard let expected = expectations.recipient else { return strangerFailure(found) }
    guard let found, !found.isEmpty else {
      return TokenError(.recipientMissing, expected: TokenError.excerpt(expected))
    }
    guard SignedText(found, coveredBy: match).meets(expected) else {
      return TokenError(
        .recipientMismatch, expected: TokenError.excerpt(expected), found: TokenError.excerpt(found)
      )
    }
    return nil
  }

  /// A token that a program hands on was delivered to an address of that program, if to any.
  private func strangerFailure(_ found: String?) -> TokenError? {
    guard let allowed = expectations.allowedRecipients else { return nil }
    let expected = allowed.map { TokenError.excerpt($0) }.joined(separator: " or ")
    guard let found else {
      return expectations.demandsRecipient ? TokenError(.recipientMissing, expected: expected) : nil
    }
    let isOurs = allowed.contains { SignedText(found, coveredBy: match).meets($0) }
    return isOurs
      ? nil
      : TokenError(.recipientMismatch, expected: expected, found: TokenError.excerpt(found))
  }

  private func requestFailure(_ data: AssertionContent.ConfirmationData) -> TokenError? {
    let found = element(data).attribute(AttributeName.inResponseTo)
    guard let expected = expectations.inResponseTo else {
      guard !expectations.isUnsolicited || found == nil else {
        return TokenError(
          .confirmationRequestMismatch, expected: "no InResponseTo",
          found: TokenError.excerpt(found ?? ""))
      }
      return conflict(data)
    }
    guard let found, !found.isEmpty else {
      return TokenError(.confirmationUnsolicited, expected: TokenError.excerpt(expected))
    }
    guard SignedText(found, coveredBy: match).meets(expected) else {
      return TokenError(
        .confirmationRequestMismatch, expected: TokenError.excerpt(expected),
        found: TokenError.excerpt(found))
    }
    return nil
  }

  /// The message must not name another request than the confirmation, whatever is expected.
  private func conflict(_ data: AssertionContent.ConfirmationData) -> TokenError? {
    guard let outer = token.response?.inResponseTo,
      let inner = element(data).attribute(AttributeName.inResponseTo),
      outer.contradicts(inner)
    else { return nil }
    return TokenError(
      .requestConflict, expected: TokenError.excerpt(inner),
      found: TokenError.excerpt(outer.text))
  }

  private func element(_ data: AssertionContent.ConfirmationData) -> Element {
    document.element(at: data.place)
  }

  private func method(of confirmation: AssertionContent.Confirmation) -> String {
    let element = document.element(at: confirmation.place)
    return token.version == .v2
      ? SAML2AssertionReader.confirmationMethod(of: element)
      : SAML1AssertionReader.confirmationMethods(of: element)
  }
}

/// The confirmations of a subject, each checked on its own.
///
/// The checks depend on what the caller expects and never on the container of the assertion, which the
/// sender chooses.
struct Confirmations: ~Copyable {
  /// Why some do not hold.
  private(set) var failures: [TokenError] = []
  /// How many hold.
  private(set) var heldCount = 0
  private(set) var warnings: [String] = []
  private var latestEnd: Instant?
  private var isOpenEnded = false

  /// Until when a confirmation holds, or will hold that only begins later; nil for as long as the
  /// assertion itself.
  var end: Instant? { isOpenEnded ? nil : latestEnd }

  /// - Parameter match: The signature that covers the assertion.
  init(
    _ content: borrowing AssertionContent, of token: SAMLToken, coveredBy match: KeyRing.Match,
    _ context: borrowing VerificationContext
  ) {
    let judge = ConfirmationJudge(
      token: token, document: content.node.document, match: match, now: context.now,
      skew: context.skew, expectations: context.expectations)
    content.confirmations.forEach { confirmation in
      if let failure = judge.failure(of: confirmation) {
        failures.append(failure.located(at: content.path(confirmation.place)))
        // It may be presented again once it holds.
        if failure.code == .confirmationNotYetValid { note(confirmation.data?.notOnOrAfter) }
      } else {
        heldCount += 1
        note(confirmation.data?.notOnOrAfter)
        if confirmation.data?.notBefore != nil { warnings = [Self.hasBeginning] }
      }
    }
  }

  private mutating func note(_ end: Instant?) {
    guard let end else { return isOpenEnded = true }
    latestEnd = max(latestEnd ?? end, end)
  }

  private static let hasBeginning =
    "confirmation: SubjectConfirmationData has a NotBefore, which SAML Profiles 4.1.4.2 forbids"
}
