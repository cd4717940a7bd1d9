import Federation
import Octets

/// Which e-mail addresses of an OpenID provider count (OpenID Connect Core 1.0, 5.1; GATE-13).
///
/// An address that its document calls verified does, one that it calls anything else does not. Where it says
/// nothing, the provider's own domains count; any other address is marked, so that it decides nothing.
package enum CountedEmail {
  /// The claims of one document, and whether an address was left out.
  ///
  /// - Parameter domains: Those for which the provider is trusted without a word.
  package static func filter(
    _ claims: [Claim], domains: [String]
  ) -> (claims: [Claim], isDropped: Bool) {
    guard claims.contains(where: isEmail) else { return (claims, false) }
    let statements = claims.filter { $0.originalName.hasSameBytes(as: "email_verified") }
    guard statements.isEmpty else {
      let isVerified = statements.allSatisfy { $0.value.hasSameBytes(as: "true") }
      return isVerified ? (claims, false) : (without(claims), true)
    }
    return (marked(claims, domains: domains), false)
  }

  /// Claims of a document that does not say whether its e-mail addresses are verified: those of other domains are marked.
  package static func marked(_ claims: some Sequence<Claim>, domains: [String]) -> [Claim] {
    claims.map { claim in
      guard isEmail(claim), !isOf(domains, claim.value) else { return claim }
      var claim = claim
      claim.properties[Claim.unconfirmedEmail] = "true"
      return claim
    }
  }

  /// Whether a claim of a second document is an address that the first leaves open and the second calls verified.
  static func confirms(_ claim: Claim, _ signed: some Sequence<Claim>) -> Bool {
    !isUnconfirmed(claim) && signed.contains { isUnconfirmed($0) && isSame($0, claim) }
  }

  /// The claims of two documents; of an address that the second confirms, those of the second.
  static func joined(_ signed: [Claim], _ added: [Claim]) -> [Claim] {
    signed.filter { claim in
      !isUnconfirmed(claim) || !added.contains { isSame($0, claim) }
    } + added
  }

  /// Whether a claim is an address that its document leaves open.
  package static func isUnconfirmed(_ claim: Claim) -> Bool {
    claim.properties[Claim.unconfirmedEmail] != nil
  }

  private static func isSame(_ one: Claim, _ other: Claim) -> Bool {
    one.type == other.type && one.value.hasSameBytes(as: other.value)
  }

  /// What is said of an address that was left out.
  package static let warning = "email: dropped, since the provider does not call it verified"

  /// Claims without e-mail addresses.
  package static func without(_ claims: some Sequence<Claim>) -> [Claim] {
    claims.filter { !isEmail($0) }
  }

  private static func isEmail(_ claim: Claim) -> Bool {
    ClaimName.email.contains(claim.type)
      || claim.originalName.hasSameBytes(as: "email")
  }

  /// Whether there is exactly one `@`, and behind it, without case, one of the domains.
  private static func isOf(_ domains: [String], _ address: String) -> Bool {
    let parts = address.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty else { return false }
    return domains.contains { domain in
      domain.utf8.elementsEqual(parts[1]) { ASCII.lowercased($0) == ASCII.lowercased($1) }
    }
  }
}
