import Octets
import SingleSignOn

extension SignInSite {
  /// `GET sign-out`: asks, since a link of another site must not sign anybody out.
  func confirmSignOut(_ request: WebRequest) async throws(TokenError) -> HTTPResponse {
    guard let session = try await session(of: request),
      let cookie = request.cookies[settings.sessionCookie]
    else { return page(200, .signedOut(note: nil, address: "/")) }
    return page(
      200,
      .confirmSignOut(
        provider: provider(session.provider)?.name ?? session.provider,
        address: settings.prefix + "sign-out", token: SessionID.formToken(cookie)))
  }

  /// `POST sign-out`: ends the session here first, whatever the issuer does then.
  func signOut(_ request: WebRequest) async throws(TokenError) -> HTTPResponse {
    let form = try request.form
    guard let cookie = request.cookies[settings.sessionCookie],
      let session = try await session(of: request)
    else {
      return page(200, .signedOut(note: nil, address: "/"), cookies: try await endSession(request))
    }
    guard let token = form["token"], token.hasSameBytes(as: SessionID.formToken(cookie)) else {
      throw TokenError(.signInForm)
    }
    var cookies = try await endSession(request)
    let provider = provider(session.provider)
    switch provider?.exchange {
    case .saml(let service, let source):
      // The session here is over, whether or not the provider can be told.
      guard let identityProvider = try? await source.provider(at: clock.now) else { break }
      let begun = try service.beginLogout(
        of: session.principal.issuerSession, at: identityProvider, at: clock.now)
      guard var begun else { break }
      begun.pending.provider = session.provider
      cookies.append(pendingCookie(begun.pending))
      return response(begun.action, cookies: cookies)
    case .wsFederation(let party, let source):
      guard let issuer = try? await source.provider(at: clock.now) else { break }
      return response(
        party.signOut(at: issuer, returningTo: try settings.address("sign-out")), cookies: cookies)
    case .openID(let party):
      let action = await party.endSession(
        idToken: session.idToken,
        returningTo: try settings.address(
          "openid/\(HTTPURL.percentEncoded(session.provider))/signed-out"), state: nil,
        at: clock.now)
      if let action { return response(action, cookies: cookies) }
    case nil: break
    }
    return page(
      200,
      .signedOut(note: "Your identity provider may still know you.", address: "/"),
      cookies: cookies)
  }

  /// `saml/slo`: a logout request of an identity provider, or the answer to ours.
  func logout(_ request: WebRequest) async throws(TokenError) -> HTTPResponse {
    let (provider, service, source) = try samlProvider(issuer: LogoutPeek.issuer(of: request))
    let identityProvider = try await source.provider(at: clock.now)
    let received = try await service.receiveLogout(
      request, from: identityProvider, named: provider.id, trust: try await trust(provider),
      pending: { (named) throws(TokenError) in try pending(named, .signOut, request) },
      used: used, at: clock.now)
    switch received {
    case .response(let problem):
      return page(
        200,
        .signedOut(
          note: problem == nil
            ? nil : "Your identity provider could not end every session; close the browser.",
          address: "/"))
    case .request(let demand):
      let count = try await sessions.remove(demand.ended(at: provider.id))
      observer.happened(Activity("signout.demanded", [("source", provider.id)]))
      let outcome: LogoutOutcome = count > 0 ? .done : .noSession
      switch try service.answer(demand, outcome, to: identityProvider, at: clock.now) {
      case .browser(let action): return response(action, cookies: [])
      case .soap(let octets): return response(200, "text/xml; charset=utf-8", octets)
      }
    }
  }

  /// The SAML 2.0 provider whose messages name that issuer.
  private func samlProvider(
    issuer: String
  ) throws(TokenError) -> (SignInProvider, ServiceProvider, ProviderSource<IdentityProvider>) {
    for provider in providers {
      guard case .saml(let service, let source) = provider.exchange,
        source.entityID.hasSameBytes(as: issuer)
      else { continue }
      return (provider, service, source)
    }
    throw TokenError(.signInProvider, found: TokenError.excerpt(issuer))
  }

  /// Removes the session of this browser, and its cookies. A picture on a page of the provider comes without the
  /// session's own cookie, and with the one that only ends it.
  func endSession(_ request: WebRequest) async throws(TokenError) -> [SetCookie] {
    if let id = request.cookies[settings.sessionCookie].flatMap(SessionID.init) {
      try await sessions.remove(id)
    }
    var cookies: [SetCookie] = [.removing(settings.sessionCookie, .lax)]
    if let cookie = request.cookies[settings.endCookie] {
      if let id = sealer.sessionToEnd(cookie) { try await sessions.remove(id) }
      cookies.append(.removing(settings.endCookie, .none))
    }
    return cookies
  }
}
