import Octets
package import SecurityKeys
package import TokenBasics

/// Which issuer a token without an issuer's name is of.
extension VerificationContext {
  /// The entries of the configuration with keys for `format`. Keys of metadata vouch for the name in the metadata, which
  /// such a token does not say.
  ///
  /// - Throws: `issuer.missing` where there is none.
  package mutating func pinnedEntries(
    _ format: TokenFormat, node: @autoclosure () -> String? = nil
  ) throws(TokenError) -> [TrustedIssuer] {
    let entries = trust.issuers.filter {
      $0.source == .configuration && $0.vouches(for: format) && !$0.keys.isEmpty
    }
    guard entries.isEmpty else { return entries }
    throw failing(
      .issuer,
      TokenError(
        .issuerMissing, node: node(),
        hint: "a token without an issuer is of the issuer whose pinned key signed it, and no key "
          + "is pinned for \(format): name the format beside the issuer's key"))
  }

  /// The one entry among `entries` that has the key with which a token without an issuer was signed.
  ///
  /// - Throws: `issuer.ambiguous` where several have it: the token does not say which of them it is of.
  package mutating func entry(
    of key: VerificationKey, among entries: [TrustedIssuer], node: @autoclosure () -> String? = nil
  ) throws(TokenError) -> TrustedIssuer {
    let owners = entries.filter { entry in
      entry.keys.contains { $0.key.fingerprint.hasSameBytes(as: key.fingerprint) }
    }
    guard let owner = owners.first, owners.count == 1 else {
      throw failing(
        .issuer,
        TokenError(
          .ambiguousIssuer, node: node(), expected: "one entry with the key that signed",
          found: "\(owners.count) entries"))
    }
    pass(.issuer, node: node(), found: "none, pinned key \(key.fingerprint)")
    return owner
  }
}
