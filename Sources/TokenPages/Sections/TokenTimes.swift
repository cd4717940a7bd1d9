import Claims
import Federation
import JSONWebTokens
import Instants
import XMLTree

/// The moments that a token states, on the issuer's clock.
struct TokenTimes {
  var issued: Instant?
  var notBefore: Instant?
  var expires: Instant?

  /// - Parameter assertion: The assertion, where the token has one that may be shown.
  init(_ subject: PageSubject, assertion: Element?) {
    let facts: TokenFacts?
    if case .accepted(let content) = subject.verdict {
      facts = content.facts
    } else if case .success(let token) = subject.token {
      facts = token.unverifiedFacts
    } else {
      facts = nil
    }
    notBefore = facts?.notBefore
    expires = facts?.expires
    if let text = assertion?.attribute(ExpandedName("IssueInstant")) {
      issued = try? Instant(dateTime: text)
    }
    if case .success(.jwt(let token)) = subject.token { issued = token.issuedAt }
  }

  var isEmpty: Bool { issued == nil && notBefore == nil && expires == nil }
}
