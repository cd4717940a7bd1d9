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
    if let assertion, notBefore == nil, expires == nil {
      let conditions = assertion.descendants { $0.localName == "Conditions" }.first
      notBefore = Self.instant("NotBefore", of: conditions)
      expires = Self.instant("NotOnOrAfter", of: conditions)
    }
    issued = Self.instant("IssueInstant", of: assertion)
    if case .success(.jwt(let token)) = subject.token { issued = token.issuedAt }
  }

  private static func instant(_ name: String, of element: Element?) -> Instant? {
    guard let text = element?.attribute(ExpandedName(name)) else { return nil }
    return try? Instant(dateTime: text)
  }

  var isEmpty: Bool { issued == nil && notBefore == nil && expires == nil }
}
