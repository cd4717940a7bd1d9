package import Instants
package import TokenErrors

extension SessionStore {
  /// Keeps a session that nobody has, reads it and removes it: whether a person could sign in right now. A store
  /// that is full or may only be read answers every question and keeps nothing.
  ///
  /// - Throws: Errors of the store; `signin.session-store` where it does not give back what it was given.
  package func probe(at now: Instant) async throws(TokenError) {
    let id = SessionID.make().id
    let session = SignedInSession(
      principal: FederatedPrincipal(
        issuer: "urn:claims-gate:health", subject: "health", claims: ClaimSet(), format: .saml20,
        issuerSession: IssuerSession(), warnings: []),
      provider: "", begun: now, end: now.advanced(bySeconds: 60), lastUse: now)
    try await insert(session, id)
    guard try await self.session(id) != nil else {
      throw TokenError(
        .signInSessionStore, expected: "the session that was just kept", found: "none")
    }
    try await remove(id)
  }
}
