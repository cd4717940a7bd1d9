import Claims
import Instants
import Octets
import SecurityKeys
import TokenErrors
import XMLTree

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
