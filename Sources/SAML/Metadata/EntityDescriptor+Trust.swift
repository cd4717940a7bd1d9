public import Claims
public import SecurityKeys

extension EntityDescriptor {
  /// Trusts the keys with which the entity signs tokens, for tokens that name it as their issuer, as
  /// long as the metadata is valid; nil when it has no such key. A key that cannot be used is as if it
  /// were not there.
  ///
  /// - Parameter trusting: Makes the trusted key of one key.
  public func trustedIssuer(
    formats: Set<TokenFormat> = [.saml11, .saml20, .jwt], projection: ClaimProjection = .all,
    trusting: (VerificationKey) -> TrustedKey = { TrustedKey($0) }
  ) -> TrustedIssuer? {
    var keys: [TrustedKey] = []
    for role in roles where role.issuesTokens {
      for entry in role.signingKeys {
        guard let key = try? entry.key() else { continue }
        var trusted = trusting(key)
        trusted.validUntil = role.validUntil
        keys.append(trusted)
      }
    }
    guard !keys.isEmpty else { return nil }
    return TrustedIssuer(
      .exactly(entityID), keys: keys, formats: formats, projection: projection, source: .metadata)
  }
}
