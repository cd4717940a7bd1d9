import HTTPExchange
import Octets
import SignIn

extension SignInContext.Delivery {
  /// As an authorization code for the client of a relying party (OAuth 2.0 draft 13).
  package static let delegation = Self(name: "delegation")
}

extension OAuthEndpoint {
  /// `GET /v2/OAuth2-13/authorize`: a person lets a client act at a relying party. The service issued such codes through
  /// its management interface, and relying parties had the page; here both are one.
  func begin(_ request: WebRequest) async throws(TokenError) -> HTTPResponse {
    let namespace = service.namespace
    let query = try service.query(request)
    let id = try query.require("client_id")
    guard let client = namespace.identities.first(where: { $0.name.hasSameBytes(as: id) }) else {
      throw TokenError(.issuingClient, found: TokenError.excerpt(id))
    }
    let redirect = try query.require("redirect_uri")
    // Until both are known to belong together, errors stay here: the address may be an attacker's.
    guard client.redirectAddresses.contains(where: { $0.text.hasSameBytes(as: redirect) }) else {
      throw TokenError(
        .issuingReplyAddress, node: client.name, found: TokenError.excerpt(redirect))
    }
    let party = try namespace.relyingParty(query.require("scope"))
    var context = SignInContext(.delegation, realm: party.realm)
    context.client = client.name
    context.reply = redirect
    context.relyingPartyState = query["state"]
    context.challenge = query["code_challenge"]
    // On a page: the operator reads which line of the file is missing.
    try service.decide(context, party)
    do throws(TokenError) {
      guard query["response_type"] == "code" else {
        throw TokenError(.issuingAuthorizationRequest, node: "response_type", expected: "code")
      }
      guard (query["code_challenge"] == nil) == (query["code_challenge_method"] == nil),
        query["code_challenge_method"] ?? "S256" == "S256"
      else {
        throw TokenError(
          .issuingAuthorizationRequest, node: "code_challenge_method", expected: "S256")
      }
      return try await service.choose(context, party, query["whr"], request)
    } catch {
      return try refuse(error, context)
    }
  }

  /// The address of the client is looked at when the code is given.
  func checkReply(_ context: SignInContext, _ party: RelyingParty) {}

  /// Sends the code for a subject to the client.
  func deliver(_ signIn: FinishedSignIn) throws(TokenError) -> Answer {
    let redirect = try redirectAddress(signIn.context)
    // Whether the rules give a token is told now, not when the code is exchanged.
    _ = try service.namespace.issue(signIn.subject, to: signIn.party, at: service.clock.now)
    return { () async throws(TokenError) in
      let grant = Grant(
        .code, of: signIn, to: signIn.context.client ?? "", at: .web(redirect), service.clock.now)
      let code = try await service.grants.code(for: grant)
      service.note(signIn.party.realm, signIn.provider.id, "code")
      return answer(
        signIn.context, redirect, [("code", code.revealed)],
        cookies: [try await service.joining(signIn, isParty: false)])
    }
  }

  func refuse(
    _ error: TokenError, _ context: SignInContext, _ party: RelyingParty,
    from provider: ACSIdentityProvider?
  ) throws(TokenError) -> HTTPResponse? {
    try refuse(error, context)
  }

  /// Sends an error to the client (RFC 6749, 4.1.2.1).
  private func refuse(
    _ error: TokenError, _ context: SignInContext
  ) throws(TokenError) -> HTTPResponse {
    let redirect = try redirectAddress(context)
    let refusal = ACSRefusal(error)
    service.logged(error, refusal)
    let name =
      refusal.ownFault ?? (error.code == .issuingCancelled ? .accessDenied : .invalidRequest)
    return answer(
      context, redirect,
      [("error", name.rawValue), ("error_description", "\(refusal): \(error.code.summary)")])
  }

  private func answer(
    _ context: SignInContext, _ redirect: HTTPURL, _ parameters: [(String, String)],
    cookies: [SetCookie] = []
  ) -> HTTPResponse {
    let state = context.relyingPartyState.map { [("state", $0)] } ?? []
    return service.responder.redirect(
      redirect.adding(parameters + state).text, cookies: cookies)
  }

  /// The address of the client, checked again.
  private func redirectAddress(_ context: SignInContext) throws(TokenError) -> HTTPURL {
    guard let id = context.client, let reply = context.reply,
      let client = service.namespace.identities.first(where: { $0.name.hasSameBytes(as: id) }),
      let address = client.redirectAddresses.first(where: { $0.text.hasSameBytes(as: reply) })
    else { throw TokenError(.issuingReplyAddress) }
    return address
  }
}
