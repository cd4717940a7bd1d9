import Octets

extension SignInSite {
  /// `GET sign-out`: asks, since a link of another site must not sign anybody out.
  func confirmSignOut(_ request: WebRequest) async throws(TokenError) -> HTTPResponse {
    // Where a browser comes back to that signed out at an issuer of WS-Federation.
    if let relayed = try await relaySignOut?(.finished(isComplete: true), request) {
      return relayed
    }
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
    let cookies = try await endSession(request)
    if let begun = try await beginSignOut(of: session, cookies: cookies) { return begun }
    return page(
      200,
      .signedOut(note: "Your identity provider may still know you.", address: "/"),
      cookies: cookies)
  }

  /// Begins to sign out at the provider of a session, which is over here by then; nil where the provider cannot be told, or is
  /// not configured any more.
  ///
  /// - Throws: `policy.mint-*`, `transport.malformed-address`.
  package func beginSignOut(
    of session: SignedInSession, cookies: [SetCookie] = []
  ) async throws(TokenError) -> HTTPResponse? {
    // What the provider gave goes to no other one that has its identifier now.
    guard isConfigured(session), let provider = provider(session.provider),
      let begun = try await provider.method.signOut(of: session, settings, at: clock.now)
    else { return nil }
    var cookies = cookies
    if var pending = begun.pending {
      pending.provider = provider.id
      cookies.append(pendingCookie(pending))
    }
    return response(begun.action, cookies: cookies)
  }

  /// A message by which a provider signs out, or answers our sign-out.
  func receiveSignOut<Method: SignInMethod>(
    _ request: WebRequest, _ peers: Peers<Method>
  ) async throws(TokenError) -> HTTPResponse {
    let issuer = try Method.signOutIssuer(of: request)
    let found = peers.first { provider in
      issuer.map { provider.issuer.hasSameBytes(as: $0) } ?? true
    }
    guard let (provider, method) = found else {
      throw TokenError(.signInProvider, found: issuer.map { TokenError.excerpt($0) })
    }
    let received = try await method.receiveSignOut(
      request, at: provider,
      pending: { (named) throws(TokenError) in try pending(named, .signOut, request) },
      used: used, clock: clock)
    switch received {
    case .answer(let isComplete):
      if let relayed = try await relaySignOut?(.finished(isComplete: isComplete), request) {
        return relayed
      }
      return page(
        200,
        .signedOut(
          note: isComplete
            ? nil : "Your identity provider could not end every session; close the browser.",
          address: "/"))
    case .demand(let ended, let reply):
      var count = 0
      if let ended { count = try await sessions.remove(ended) }
      observer.happened(Activity("signout.demanded", [("source", provider.id)]))
      if let relayed = try await relaySignOut?(.demanded(ended, reply: reply), request) {
        return relayed
      }
      return response(try reply(count > 0 ? .done : .noSession))
    }
  }

  /// What answers a provider that signed out.
  package func response(_ reply: ReceivedSignOut.Reply) -> HTTPResponse {
    switch reply {
    case .browser(let action): response(action, cookies: [])
    case .document(let contentType, let octets): response(200, contentType, octets)
    }
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
