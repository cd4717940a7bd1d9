public import Claims
import Instants
public import SecurityKeys
package import TokenErrors

extension EntityDescriptor {
  /// Trusts the keys with which the entity signs tokens, for tokens that name it as their issuer, as
  /// long as the metadata is valid; nil when it lists none. The keys are decoded when a token first
  /// names the entity; one that cannot be used is left out.
  ///
  /// - Parameters:
  ///   - formats: What the keys vouch for.
  ///   - projection: Which claims of the issuer are shown, and under which names.
  ///   - trusting: Makes the trusted key of one key.
  public func trustedIssuer(
    formats: Set<TokenFormat> = [.saml11, .saml20, .jwt], projection: ClaimProjection = .all,
    trusting: @escaping @Sendable (VerificationKey) -> TrustedKey = { TrustedKey($0) }
  ) -> TrustedIssuer? {
    trustedIssuer(formats: formats, projection: projection, exceptions: nil, trusting: trusting)
  }

  /// - Parameter exceptions: The exceptions of `trusting`, where they are known beforehand.
  package func trustedIssuer(
    formats: Set<TokenFormat>, projection: ClaimProjection, exceptions: Set<LegacyException>?,
    trusting: @escaping @Sendable (VerificationKey) -> TrustedKey
  ) -> TrustedIssuer? {
    var listed: [(key: EntityKey, validUntil: Instant?)] = []
    for role in roles where role.issuesTokens {
      listed += role.signingKeys.map { ($0, role.validUntil) }
    }
    guard !listed.isEmpty else { return nil }
    return TrustedIssuer(
      metadata: entityID, formats: formats, projection: projection, exceptions: exceptions
    ) { [listed] in
      listed.compactMap { entry in
        guard let key = try? entry.key.key() else { return nil }
        var trusted = trusting(key)
        trusted.validUntil = entry.validUntil
        return trusted
      }
    }
  }

  /// Why signing keys of the entity cannot be used: ``trustedIssuer(formats:projection:trusting:)``
  /// leaves these out.
  package var unusableKeys: [TokenError] {
    roles.filter(\.issuesTokens).flatMap { role in
      role.signingKeys.enumerated().compactMap { (place, key) -> TokenError? in
        do throws(TokenError) {
          _ = try key.key()
          return nil
        } catch {
          return error.within("\(TokenError.excerpt(entityID)), signing key \(place + 1)")
        }
      }
    }
  }
}
