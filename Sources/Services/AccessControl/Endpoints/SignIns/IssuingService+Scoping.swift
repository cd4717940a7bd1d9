import Octets
import SignIn
import TokenBasics

/// Which identity providers a request leaves (`Scoping`; SAML Core 3.4.1.2 and 3.4.1.5).
extension IssuingService {
  /// The providers at which a person may sign in for this request: those of the relying party without the ones that the
  /// request excludes.
  ///
  /// A list that names none of them goes on where there is one SAML provider alone, which may have the listed ones behind it.
  ///
  /// - Throws: `issuing.unknown-provider` where none is left.
  func offered(
    to party: RelyingParty, within demands: SignInDemands
  ) throws(TokenError) -> [ACSIdentityProvider] {
    let all = namespace.providers(of: party)
    let near = demands.proxyCount == 0 ? all.filter { !isBehindAnother($0) } : all
    guard !near.isEmpty || all.isEmpty else {
      throw TokenError(
        .issuingProvider, node: "Scoping/@ProxyCount",
        expected: "1 or more, since people of \(party.name) sign in at other identity providers",
        found: "0", .noProxying)
    }
    guard !demands.providers.isEmpty else { return near }
    let listed = near.filter { provider in
      demands.providers.contains { name in names(of: provider).containsBytes(of: name) }
    }
    if !listed.isEmpty { return listed }
    if near.count == 1, near.allSatisfy(isSAML), demands.proxyCount ?? 2 > 1 { return near }
    throw TokenError(
      .issuingProvider, node: "Scoping/IDPList",
      expected: TokenError.excerpt(near.map(\.id).joined(separator: ", ")),
      found: TokenError.excerpt(demands.providers.joined(separator: ", ")), .noListedProvider)
  }

  /// Checks that a request leaves a provider.
  ///
  /// - Throws: `issuing.unknown-provider`.
  func check(
    _ provider: ACSIdentityProvider, within demands: SignInDemands, of party: RelyingParty
  ) throws(TokenError) {
    guard
      try offered(to: party, within: demands).contains(where: {
        $0.id.hasSameBytes(as: provider.id)
      })
    else {
      throw TokenError(
        .issuingProvider, node: "Scoping/IDPList", found: TokenError.excerpt(provider.id),
        .noListedProvider)
    }
  }

  /// Whether people sign in at that provider and not here.
  private func isBehindAnother(_ provider: ACSIdentityProvider) -> Bool {
    if case .upstream = provider.kind { true } else { false }
  }

  private func isSAML(_ provider: ACSIdentityProvider) -> Bool {
    signInProvider(of: provider)?.method is SAMLMethod
  }

  /// The names by which a request may list a provider: that of the file, and that of the provider's tokens.
  private func names(of provider: ACSIdentityProvider) -> [String] {
    [provider.id, signInProvider(of: provider)?.issuer].compactMap(\.self)
  }

  private func signInProvider(of provider: ACSIdentityProvider) -> SignInProvider? {
    guard case .upstream(let name) = provider.kind else { return nil }
    return upstream?.provider(name)
  }
}
