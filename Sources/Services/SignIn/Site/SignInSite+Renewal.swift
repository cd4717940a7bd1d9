import Claims
import Octets

extension SignInSite {
  /// How the claims of a new session are read anew; nil where they are not, or cannot be.
  func renewal(
    of finished: VerifiedSignIn, _ provider: SignInProvider, at now: Instant
  ) -> SessionRenewal? {
    guard let interval = provider.method.renewalInterval else { return nil }
    guard let token = finished.refreshToken else {
      observer.happened(
        Activity(
          "signin.no-refresh-token",
          [("code", TokenError.Code.signInNoRefreshToken.rawValue), ("provider", provider.id)]))
      return nil
    }
    return SessionRenewal(token, due: now.advanced(bySeconds: interval))
  }

  /// A session whose claims are due, with new ones; nil for one that the provider ended.
  ///
  /// Of all requests at all nodes one reads them (RFC 9700, 4.14.2: a refresh token that is used twice may end
  /// everything). For one more interval the others go on with the claims that are there, and after it they wait.
  ///
  /// - Throws: `signin.claims-unavailable`; errors of the store.
  func renewed(
    _ session: SignedInSession, _ id: SessionID, _ renewal: SessionRenewal,
    _ provider: SignInProvider, _ interval: Int64, at now: Instant
  ) async throws(TokenError) -> SignedInSession? {
    let last = renewal.due.advanced(bySeconds: interval)
    // One that fails is tried again, not by every request.
    let attempt = (now.seconds - renewal.due.seconds) / min(interval, Self.renewalPause)
    let use = TokenUse(
      renewalOf: Hex.encode(id.digest), due: renewal.due, attempt: attempt, at: now)
    guard try await used.remember(use, at: now) else {
      return now < last ? session : try await awaited(id, after: renewal)
    }
    do throws(TokenError) {
      return try await read(session, id, provider, interval, at: now)
    } catch {
      observer.happened(
        Activity(
          "session.not-renewed",
          [
            ("code", error.code.rawValue), ("provider", provider.id),
            ("error", error.description),
          ]))
      guard now < last else { throw Self.claimsUnavailable(error) }
      await uses.note(id, in: sessions, at: now, observer)
      return session
    }
  }

  /// Reads the claims, and stores what came.
  private func read(
    _ session: SignedInSession, _ id: SessionID, _ provider: SignInProvider, _ interval: Int64,
    at now: Instant
  ) async throws(TokenError) -> SignedInSession? {
    let refresh = Kept(session.renewal?.refreshToken)
    let outcome = try await provider.method.renew(
      session,
      keeping: { (token) async throws(TokenError) in
        await refresh.set(token)
        // Due still: a process that ends here has the token that is valid.
        guard let renewal = session.renewal else { return }
        try await sessions.replace(
          session.renewed(
            session.principal, SessionRenewal(token, due: renewal.due), at: session.lastUse), id)
      }, at: now)
    switch outcome {
    case .renewed(let principal):
      guard let token = await refresh.token else { return session }
      let kept = namedClaims.map { principal.bounded(keeping: $0(provider.id)) } ?? principal
      let renewed = session.renewed(
        kept, SessionRenewal(token, due: now.advanced(bySeconds: interval)), at: now)
      try await sessions.replace(renewed, id)
      return renewed
    case .ended(let error):
      try await sessions.remove(id)
      observer.happened(
        Activity(
          "session.ended-by-provider",
          [
            ("code", error.code.rawValue), ("provider", provider.id),
            ("error", error.description),
          ]))
      return nil
    }
  }

  /// Waits until another request has read the claims.
  ///
  /// - Throws: `signin.claims-unavailable` where it does not within 5 s.
  private func awaited(
    _ id: SessionID, after renewal: SessionRenewal
  ) async throws(TokenError) -> SignedInSession? {
    for _ in 0..<50 {
      await clock.wait(.milliseconds(100))
      guard let session = try await sessions.session(id) else { return nil }
      if let next = session.renewal, renewal.due < next.due { return session }
    }
    throw Self.claimsUnavailable(nil)
  }

  private static func claimsUnavailable(_ cause: TokenError?) -> TokenError {
    TokenError(.signInClaimsUnavailable, found: cause.map { "\($0.code): \($0.message)" })
  }

  /// Seconds between two attempts to read the claims of a session.
  private static let renewalPause: Int64 = 60

  /// The refresh token that is valid now.
  private actor Kept {
    private(set) var token: Secret?

    init(_ token: Secret?) { self.token = token }

    func set(_ token: Secret) { self.token = token }
  }
}
