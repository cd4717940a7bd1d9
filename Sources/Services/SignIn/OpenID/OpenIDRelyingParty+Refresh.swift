public import HTTPExchange
public import Federation
import JSONWebTokens
import Octets

extension OpenIDRelyingParty {
  /// Exchanges a refresh token for new tokens (OpenID Connect Core 1.0, 12).
  ///
  /// `signin.refused` with `invalid_grant` says that the session at the provider has ended. Two refreshes at
  /// once with one token can end it too, so a service makes one at a time for a session.
  ///
  /// - Parameters:
  ///   - token: The refresh token.
  ///   - principal: Who signed in. A new ID token about anyone else is refused (12.2).
  ///   - now: The clock, read once by the caller.
  /// - Throws: `signin.*`, `transport.*`, `registry.*`, and the codes of tokens.
  public func refresh(
    _ token: Secret, of principal: FederatedPrincipal, at now: Instant
  ) async throws(TokenError) -> OpenIDTokens {
    guard principal.issuer.hasSameBytes(as: issuer) else {
      throw TokenError(
        .signInOtherIssuer, expected: TokenError.excerpt(issuer),
        found: TokenError.excerpt(principal.issuer))
    }
    let endpoint = try await provider.configuration(at: now).tokenEndpoint
    let answer = try await tokens(
      for: [("grant_type", "refresh_token"), ("refresh_token", token.revealed)], at: endpoint, now)
    if let text = answer.idToken {
      let verified = try await verify(text, for: .idToken, expecting: Expectations(), at: now)
      let idToken = try IDToken(verified)
      try idToken.check(audience: configuration.clientID)
      try idToken.check(accessToken: answer.accessToken)
      guard idToken.subject.hasSameBytes(as: principal.subject) else {
        throw TokenError(.signInIDToken, node: "sub", expected: "the subject that signed in")
      }
    }
    return OpenIDTokens(
      accessToken: answer.accessToken,
      accessTokenEnd: answer.lifetime.map { now.advanced(bySeconds: $0) },
      refreshToken: answer.refreshToken ?? token, idToken: answer.idToken)
  }
}
