import Claims
public import Federation
public import HTTPExchange
import IssuerRegistry
import Octets

extension OpenIDRelyingParty {
  /// The request that an answer names (`state`): by it the service finds the cookie of the pending sign-in
  /// (``SignInSealer/cookieName(of:)``).
  ///
  /// - Throws: `signin.unsolicited`, `signin.unknown-request`; `client.*` for an answer of another form.
  public func request(of message: WebRequest) throws(TokenError) -> String {
    try AuthorizationAnswer(message, configuration.responseMode).request
  }

  /// Finishes a sign-in: compares the answer with the pending sign-in, exchanges the code, and verifies the
  /// ID token (OpenID Connect Core 1.0, 3.1.3.7).
  ///
  /// - Parameters:
  ///   - message: The request as it came.
  ///   - pending: The opened cookie of the request that the answer names.
  ///   - used: Remembers finished sign-ins. Of two answers to one request, exactly one succeeds.
  ///   - now: The clock, read once by the caller.
  /// - Throws: `signin.*`; `client.*` for an answer of another form; `transport.*` for the token endpoint;
  ///   `registry.*`; and the codes of tokens, such as `signature.invalid`.
  public func finish(
    _ message: WebRequest, pending: PendingSignIn, used: any ReplayStore, at now: Instant
  ) async throws(TokenError) -> OpenIDSignIn {
    let answer = try AuthorizationAnswer(message, configuration.responseMode)
    let (nonce, key) = try check(pending, answers: answer.request, at: now)
    let found = try await provider.configuration(at: now)
    try checkIssuer(answer.issuer, found)
    let code = try answer.code
    let tokens = try await tokens(for: code, sentTo: pending.endpoint, key, found, at: now)
    let text = try tokens.requireIDToken()
    let verified = try await verify(
      text, for: .idToken, expecting: Expectations(inResponseTo: nonce), at: now)
    let idToken = try IDToken(verified)
    try idToken.check(code: code, tokens)
    try check(idToken, contexts: pending.contexts, at: now)
    let (kept, isDropped) = CountedEmail.filter(
      Array(verified.claims), domains: configuration.emailDomains)
    // An address that the ID token calls unverified is stated; one of which it says nothing is left open.
    let stated = isDropped ? verified.claims : ClaimSet(kept)
    let added = try await optionalUserInfo(
      tokens, of: idToken.subject, beside: stated, verified.projection, found, at: now)
    let claims = CountedEmail.joined(verified.projection.deciding(kept), added.claims)
    let isEmailDropped = isDropped || added.isEmailDropped
    // Last, so that an answer that fails leaves the sign-in open.
    guard try await used.remember(pending.use, at: now) else { throw TokenError(.signInFinished) }
    return OpenIDSignIn(
      principal: FederatedPrincipal(
        issuer: verified.facts.issuer, subject: idToken.subject, claims: ClaimSet(claims),
        format: .jwt, issuerSession: IssuerSession(index: idToken.session),
        warnings: verified.warnings + [idToken.partyWarning, added.warning].compactMap(\.self)
          + (isEmailDropped ? [CountedEmail.warning] : []), keptTypes: added.keptTypes),
      // What was encrypted is shown to the provider decrypted (OpenID Connect Core 1.0, 3.1.2.1).
      idToken: Secret(String(decoding: verified.token.octets, as: UTF8.self)),
      accessToken: tokens.accessToken,
      accessTokenEnd: tokens.lifetime.map { now.advanced(bySeconds: $0) },
      refreshToken: tokens.refreshToken)
  }

  /// Checks what the registration demands of an ID token, whichever way it came.
  ///
  /// - Parameters:
  ///   - audiences: Those that are as good as the client.
  ///   - contexts: The contexts of which one is demanded.
  /// - Throws: `audience.mismatch`, `signin.context`.
  func check(
    _ token: IDToken, audiences: [String] = [], contexts: [String], at now: Instant
  ) throws(TokenError) {
    try token.check(
      audience: [configuration.clientID] + audiences, beside: configuration.otherAudiences)
    try checkSignIn(token, contexts: contexts, at: now)
  }

  /// Checks what the registration demands of the sign-in that a token of any kind tells of.
  ///
  /// - Throws: `signin.context`.
  func checkSignIn(_ token: IDToken, contexts: [String], at now: Instant) throws(TokenError) {
    try token.check(contexts: contexts)
    if let maxAge = configuration.maxAge { try token.check(maxAge: maxAge, skew: skew, at: now) }
  }

  /// The claims of a document as the trust shows them, without an e-mail address that it calls unverified.
  func counted(
    _ claims: [Claim], _ projection: ClaimProjection
  ) -> (claims: [Claim], isEmailDropped: Bool) {
    let (kept, isDropped) = CountedEmail.filter(claims, domains: configuration.emailDomains)
    return (projection.deciding(kept), isDropped)
  }

  /// Compares the pending sign-in with the answer and with this relying party.
  private func check(
    _ pending: PendingSignIn, answers request: String, at now: Instant
  ) throws(TokenError) -> (nonce: String, key: ProofKey) {
    guard pending.kind == .openID, let nonce = pending.nonce, let key = pending.proofKey,
      pending.request.hasSameBytes(as: request)
    else { throw TokenError(.signInOtherRequest, node: "state") }
    guard pending.issuer.hasSameBytes(as: issuer) else {
      throw TokenError(
        .signInOtherIssuer, expected: TokenError.excerpt(pending.issuer),
        found: TokenError.excerpt(issuer))
    }
    let own = [configuration.redirectURI] + configuration.formerRedirectURIs
    guard own.map(\.text).containsBytes(of: pending.endpoint) else {
      throw TokenError(
        .signInOtherEndpoint, expected: TokenError.excerpt(pending.endpoint),
        found: configuration.redirectURI.description)
    }
    guard now < pending.expires else {
      throw TokenError(
        .signInExpired, expected: "before \(pending.expires.rfc3339)", found: now.rfc3339)
    }
    return (nonce, key)
  }

  /// RFC 9207, 2.4: compared when there, and demanded when the provider announces it.
  private func checkIssuer(
    _ named: String?, _ found: OpenIDConfiguration
  ) throws(TokenError) {
    guard let named else {
      guard !found.namesIssuerInAnswers else {
        throw TokenError(
          .signInOtherIssuer, node: "iss", expected: TokenError.excerpt(issuer), found: "nothing")
      }
      return
    }
    guard named.hasSameBytes(as: issuer) else {
      throw TokenError(
        .signInOtherIssuer, node: "iss", expected: TokenError.excerpt(issuer),
        found: TokenError.excerpt(named))
    }
  }
}
