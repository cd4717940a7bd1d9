import SignIn

/// WS-Trust: a token for a service identity with a password.
struct WSTrustEndpoint: Endpoint {
  let service: IssuingService

  static let path = "/v2/wstrust/13/username"

  var routes: [Route] {
    [Route(Self.path, for: Route.Programs { refuse($0, Dialect()) }, post: issue)]
  }

  private func issue(_ request: WebRequest) async -> HTTPResponse {
    var dialect = Dialect()
    do throws(TokenError) {
      let now = service.clock.now
      let asked = try SecurityTokenRequest(
        parsing: request.body, at: service.address(Self.path), now: now, dialect: &dialect)
      let party = try service.namespace.relyingParty(scope: asked.realm)
      let identity = try await service.identity(
        asked.name, password: asked.password.revealed, request)
      // After the password, so that only those who know one fill the store.
      if let nonce = asked.nonce {
        try await service.grants.redeem(.nonce(nonce, of: asked.name, at: service.clock.now))
      }
      let token = try await service.issue(for: identity, to: party, by: .wsTrust, as: asked.format)
      service.note(party.realm, identity.name, token.format.name)
      return service.responder.response(
        200, dialect.mediaType, try token.message(answering: asked))
    } catch {
      return refuse(error, dialect)
    }
  }

  private func refuse(_ error: TokenError, _ dialect: Dialect) -> HTTPResponse {
    let refusal = ACSRefusal(error)
    let trace = service.logged(error, refusal)
    let reason =
      "\(refusal): \(error.code.summary) (\(error.code.rawValue)). Trace: \(trace)."
    guard let fault = try? dialect.fault(reason, refusal) else { return service.refusal(error) }
    return service.retrying(
      service.responder.response(dialect.status(of: refusal.status), dialect.mediaType, fault),
      error)
  }
}
