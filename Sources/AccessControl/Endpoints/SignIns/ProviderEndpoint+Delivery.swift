import Octets
import SignIn
import TokenService

extension ProviderEndpoint {
  /// Issues the token of a finished sign-in and sends it on its way.
  func finish(
    _ pending: Pending, _ subject: SignedInSubject, _ request: WebRequest
  ) async throws(TokenError) -> HTTPResponse {
    try checkFreshness(pending.context, subject)
    let answer = try pending.endpoint.deliver(
      FinishedSignIn(
        context: pending.context, party: pending.party, provider: pending.provider,
        subject: subject, visit: service.visit(of: request)))
    try await service.grants.redeem(.signIn(pending.context))
    return try await answer()
  }

  /// Whether the provider signed the subject in as recently as the relying party demands. Only its own word counts.
  ///
  /// - Throws: `issuing.freshness`.
  private func checkFreshness(
    _ context: SignInContext, _ subject: SignedInSubject
  ) throws(TokenError) {
    let demands = context.demands
    let skew = Int64(Trust.defaultSkew)
    let earliest: Instant
    if demands.forcesSignIn {
      earliest = context.begun.advanced(bySeconds: -skew)
    } else if let age = demands.maxAge {
      earliest = service.clock.now.advanced(bySeconds: -Int64(age) - skew)
    } else {
      return
    }
    guard let instant = subject.authenticated, instant >= earliest else {
      throw TokenError(
        .issuingFreshness, node: "authentication instant",
        expected: "\(earliest.rfc3339) or later",
        found: subject.authenticated?.rfc3339 ?? "nothing")
    }
  }

  /// Tells the relying party why there is no token, where it has an address for that, or the person.
  func refuse(_ error: TokenError, _ pending: Pending) -> HTTPResponse {
    let provider = pending.provider
    service.note(pending.party.realm, provider.id, error.code.rawValue)
    // The relying party has its answer; what is wrong is in this browser.
    if error.code == .signInFinished { return service.refusal(error) }
    let told = try? pending.endpoint.refuse(
      error, pending.context, pending.party, from: provider)
    return told ?? service.refusal(error, at: .provider(provider.errors))
  }
}
