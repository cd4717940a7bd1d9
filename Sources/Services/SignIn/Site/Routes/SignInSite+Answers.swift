import Octets

extension SignInSite {
  /// What came to an address for answers of a protocol.
  func receiveAnswer<Method: SignInMethod>(
    _ request: WebRequest, _ route: SignInRoute, _ peers: Peers<Method>
  ) async throws(TokenError) -> HTTPResponse {
    switch try await Method.read(request, among: peers.methods, at: clock.now) {
    case .answer(let named, let answer):
      return try await answering(named, request) { () async throws(TokenError) in
        let pending = try pending(named, Method.kind, request)
        let (provider, method) = try asked(pending, route, peers)
        let finished = try await method.finish(
          answer, of: pending, at: provider, used: used, clock: clock)
        return try await signIn(finished, provider, pending, request)
      }
    case .unsolicited(let issuer, let answer):
      let (provider, method) = try unsolicited(issuer, peers)
      let finished = try await method.finish(
        answer, of: nil, at: provider, used: used, clock: clock)
      observer.happened(Activity("signin.unsolicited", [("source", provider.id)]))
      return try await signIn(finished, provider, nil, request)
    case .signedOut(let address):
      // Of this browser alone, whoever asks (GATE-29).
      let cookies = try await endSession(request)
      if var relayed = try await relaySignOut?(.ofBrowser(returningTo: address), request) {
        for cookie in cookies {
          try relayed.fields.append("Set-Cookie", cookie.text(isSecure: settings.isSecure))
        }
        return relayed
      }
      if let address { return redirect(address.text, cookies: cookies) }
      return response(200, "image/gif", Self.picture, cookies: cookies)
    }
  }

  /// The provider that a pending sign-in asked. An address of one provider takes answers of that one alone, before anything of them
  /// goes anywhere (RFC 9700, 4.4.2; RP-11, SVC-1).
  ///
  /// - Throws: `signin.other-endpoint` where another provider was asked, `signin.provider`.
  private func asked<Method: SignInMethod>(
    _ pending: PendingSignIn, _ route: SignInRoute, _ peers: Peers<Method>
  ) throws(TokenError) -> (provider: SignInProvider, method: Method) {
    if let found = peers.first(where: { $0.id.hasSameBytes(as: pending.provider) })
      ?? peers.first(where: { $0.answers(to: pending.provider) })
    {
      return found
    }
    let asked = TokenError.excerpt(pending.provider)
    guard let id = route.provider else { throw TokenError(.signInProvider, found: asked) }
    throw TokenError(.signInOtherEndpoint, node: route.path, expected: asked, found: id)
  }

  /// The provider that may begin a sign-in and has that issuer. An encrypted assertion in a message without an issuer is of the only
  /// one that may begin.
  ///
  /// - Throws: `signin.unsolicited`.
  private func unsolicited<Method: SignInMethod>(
    _ issuer: String, _ peers: Peers<Method>
  ) throws(TokenError) -> (provider: SignInProvider, method: Method) {
    let isOnly = peers.providers.count { $0.acceptsUnsolicited } == 1
    let found = peers.first { provider in
      provider.acceptsUnsolicited
        && (provider.issuer.hasSameBytes(as: issuer) || (issuer.isEmpty && isOnly))
    }
    guard let found else { throw TokenError(.signInUnsolicited) }
    return found
  }

  /// One transparent pixel: the request comes from an image element.
  private static let picture: [UInt8] = [
    0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 0x01, 0x00, 0x01, 0x00, 0x80, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x21, 0xF9, 0x04, 0x01, 0x00, 0x00, 0x00, 0x00, 0x2C, 0x00, 0x00,
    0x00, 0x00, 0x01, 0x00, 0x01, 0x00, 0x00, 0x02, 0x02, 0x44, 0x01, 0x00, 0x3B,
  ]
}
