import Claims
public import Federation
public import HTTPExchange
import IssuerRegistry
import JSONWebTokens
import TokenBasics

extension OpenIDRelyingParty {
  /// Where the browser goes to sign out at the provider too (OpenID Connect RP-Initiated Logout 1.0, 2); nil
  /// if the provider has no endpoint for it or is not known now. The session here ends first.
  ///
  /// - Parameters:
  ///   - idToken: The ID token of the sign-in. One of more than 4,096 bytes is left out, because an address of
  ///     that length is refused on the way; the provider then asks the person.
  ///   - address: A registered address to which the browser returns (`post_logout_redirect_uri`).
  ///   - state: Comes back with the browser.
  ///   - now: The clock, read once by the caller.
  public func endSession(
    idToken: Secret?, returningTo address: HTTPURL?, state: String?, at now: Instant
  ) async -> BrowserAction? {
    guard let endpoint = try? await provider.configuration(at: now).endSessionEndpoint else {
      return nil
    }
    var parameters = [("client_id", configuration.clientID)]
    if let idToken, idToken.revealed.utf8.count <= Self.longestHint {
      parameters.append(("id_token_hint", idToken.revealed))
    }
    if let address {
      parameters.append(("post_logout_redirect_uri", address.text))
      if let state { parameters.append(("state", state)) }
    }
    return .redirect(endpoint.adding(parameters))
  }

  /// Verifies a logout token that the provider posts (OpenID Connect Back-Channel Logout 1.0, 2.5 and 2.6).
  ///
  /// The answer to the provider is 200, or 400 for an error, with `Cache-Control: no-store` (2.8).
  ///
  /// - Parameters:
  ///   - message: The request as it came.
  ///   - name: The provider's identifier in the service's configuration; nil for a service of one.
  ///   - used: Remembers the token's `jti` until its end, which is 300 s after `iat` where it names none: a second time it
  ///     ends nothing.
  ///   - now: The clock, read once by the caller.
  /// - Throws: `logout.token`; `replay.used`; `client.*` for another form; and the codes of tokens, such as
  ///   `signature.invalid`.
  public func logoutToken(
    _ message: WebRequest, from name: String? = nil, used: any ReplayStore, at now: Instant
  ) async throws(TokenError) -> OpenIDLogout {
    let text = try message.form.require("logout_token")
    let verified = try await verify(
      Secret(text), for: .logoutToken, expecting: Expectations(), at: now)
    let logout = try Self.logout(verified)
    let facts = verified.facts
    guard let end = facts.expires ?? Self.assumedEnd(facts) else { throw TokenError(.noExpiry) }
    let use = TokenUse(
      TokenIdentity(verified, at: name), .issued(facts.issued ?? facts.notBefore), until: end,
      skew: Int64(skew))
    guard try await used.remember(use, at: now) else {
      throw TokenError(.replayUsed, node: facts.tokenID.map { TokenError.excerpt($0) })
    }
    return logout
  }

  /// The end of a logout token without `exp`, which 2.4 demands and drafts did not: as long after `iat` as a LogoutRequest is
  /// good. Ory Hydra, LemonLDAP::NG and Authentik before 2025.8 send such tokens.
  static func assumedEnd(_ facts: TokenFacts) -> Instant? {
    facts.issued?.advanced(bySeconds: ServiceProvider.logoutLifetime)
  }

  /// The members that 2.4 demands and forbids. Signature, issuer, audience and times are verified.
  private static func logout(
    _ verified: Verified<JSONWebToken>
  ) throws(TokenError) -> OpenIDLogout {
    guard let payload = verified.payload else { throw wrong("payload", "an object") }
    guard payload["nonce"] == nil else { throw wrong("nonce", "nothing") }
    guard payload["iat"] != nil else { throw wrong("iat", "a time") }
    guard verified.facts.tokenID != nil else { throw wrong("jti", "an identifier") }
    guard payload["events"]?[event]?.members != nil else {
      throw wrong("events", "an object with a member \(event)")
    }
    let session = payload["sid"]?.string
    guard payload["sid"] == nil || session?.isEmpty == false else { throw wrong("sid", "a string") }
    guard session != nil || verified.facts.subject != nil else { throw wrong("sub", "sub or sid") }
    return OpenIDLogout(
      issuer: verified.facts.issuer, subject: verified.facts.subject, session: session)
  }

  private static func wrong(_ node: String, _ expected: String) -> TokenError {
    TokenError(.logoutToken, node: node, expected: expected)
  }

  private static let event = "http://schemas.openid.net/event/backchannel-logout"
  private static let longestHint = 4096
}
