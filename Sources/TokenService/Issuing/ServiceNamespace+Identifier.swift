import Claims
import Octets
import SecurityKeys
import TokenErrors

extension ServiceNamespace {
  /// The identifier of a subject for a relying party: a keyed digest of the identity provider, the verified name there
  /// and, unless the relying party has public identifiers, its realm (OpenID Connect Core 1.0, 8.1; SAML Core 8.3.7).
  ///
  /// - Throws: `issuing.subject` where the source gives no name that lasts, `issuing.no-identifier-key`.
  func identifier(
    of subject: SignedInSubject, for party: RelyingParty
  ) throws(TokenError) -> String {
    guard let name = subject.name else {
      throw TokenError(
        .issuingSubject, node: subject.source.name, expected: "one name that lasts",
        found: "none")
    }
    guard let key = keys.identifiers else { throw TokenError(.issuingNoIdentifierKey) }
    let parts =
      party.hasPublicIdentifiers
      ? ["public", subject.source.name ?? issuer, name]
      : ["pairwise", subject.source.name ?? issuer, name, party.realm]
    // Each part with its length before it, so that the text has one reading.
    let text = parts.flatMap { Array("\($0.utf8.count):\($0)".utf8) }
    guard let mac = key.authenticate(text.span, with: .sha256) else {
      throw TokenError(.issuingNoIdentifierKey, found: "no digest")
    }
    return Base64.encode(mac, .url)
  }
}
