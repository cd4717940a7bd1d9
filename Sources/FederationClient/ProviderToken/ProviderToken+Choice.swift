public import BrowserExchange
public import Instants
public import TokenErrors

extension Sequence<ProviderToken> {
  /// The provider's access token that has not expired.
  ///
  /// - Throws: `session.provider-token` if there is none: tokens of another provider, of another kind or
  ///   past their expiry are not used in its place.
  public func accessToken(
    of provider: TokenProvider, at now: Instant
  ) throws(TokenError) -> Secret {
    let own = filter { $0.kind == .access && $0.issuer == provider }
    if let token = own.first(where: { $0.isValid(at: now) }) { return Secret(token.reveal()) }
    throw TokenError(
      .sessionProviderToken, node: "\(provider)", expected: "an access token of \(provider)",
      found: own.compactMap(\.expires).max().map { "one that ended at \($0.rfc3339)" } ?? "none")
  }
}
