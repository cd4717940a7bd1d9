import Claims
import Federation
import Octets
import XMLTree

/// The claims, where each came from, and whether it is signed.
struct ClaimsSection: PageSection {
  let subject: PageSubject
  /// The document that the claims of a SAML token are in.
  let covered: CoveredDocument?
  let disclosure: Disclosure

  func write(to page: inout HTMLWriter) {
    guard let facts else {
      page.element(.p, text: "The token cannot be read, so it has no claims.")
      return
    }
    let isAccepted = subject.error == nil
    let count = facts.claims.count
    if !isAccepted {
      page.element(
        .p, .styled("sum odd"),
        text: "Not verified: the token was rejected, so its claims prove nothing.")
    }
    guard count > 0 else {
      page.element(.p, text: "None that can be read.")
      return
    }
    let origins = covered.map { ClaimOrigins($0.document, reading: $0.read) }
    let numbers = 0..<min(count, PageLimits.rows)
    page.table(
      "\(count) \(count == 1 ? "claim" : "claims"), \(isAccepted ? "" : "not ")verified",
      ["Claim", "Value", "From", "Signed"]
    ) { page in
      for (number, claim) in zip(numbers, facts.claims) {
        row(claim, facts.table, number, origins, isAccepted, &page)
      }
    }
    if count > numbers.count {
      page.element(.p, .styled("note"), text: "\(count - numbers.count) more are left out.")
    }
  }

  private var facts: TokenFacts? {
    if case .accepted(let content) = subject.verdict { return content.facts }
    guard case .success(let token) = subject.token else { return nil }
    return token.unverifiedFacts
  }

  private func row(
    _ claim: Claim, _ table: ClaimTable, _ number: Int, _ origins: ClaimOrigins?,
    _ isAccepted: Bool, _ page: inout HTMLWriter
  ) {
    let value = table.records[number].value
    let place = origins?.place(of: value, of: claim, in: table)
    page.row { page in
      page.header { $0.value(claim.type.name) }
      page.cell("Value") { page in
        page.value(claim.value, disclosure, isPublic: place?.isPublic ?? isPublic(claim))
      }
      page.cell("From") { page in
        page.value(place?.path ?? origin(claim))
      }
      page.cell("Signed") { page in
        if isAccepted {
          page.element(.span, .styled("st passed"), text: "✓ yes")
        } else {
          page.text(unverified(place?.element))
        }
      }
    }
  }

  /// Whether a masked page shows the member that a claim of a JSON Web Token is.
  private func isPublic(_ claim: Claim) -> Bool {
    guard case .success(.jwt) = subject.token else { return false }
    return MemberVisibility.payload.contains(claim.type.name)
  }

  /// Where a claim is whose value is written in another way than it reads.
  private func origin(_ claim: Claim) -> String {
    let name = claim.originalName.isEmpty ? claim.type.name : claim.originalName
    switch subject.token {
    case .success(.swt): return "pair \(PageText.cut(name, 200))"
    case .success(.jwt): return "payload.\(PageText.cut(name, 200))"
    default:
      return covered == nil
        ? "the encrypted assertion" : "the assertion, \(PageText.cut(name, 200))"
    }
  }

  private func unverified(_ element: Element?) -> String {
    guard let covered else {
      let isValid = subject.checks.contains { $0.name == .signature && $0.outcome == .passed }
      return isValid ? "yes, but the token was rejected" : "no valid signature"
    }
    guard let element else { return "not known" }
    switch covered.state(of: element) {
    case .signed: return "yes, but the token was rejected"
    case .broken: return "by a signature that does not fit"
    case .bare: return "no"
    }
  }
}
