import Octets
import SingleSignOn

extension SignInSite {
  /// The provider and the rest of a route `openid/ID/REST`; nil for another route. The addresses `openid/callback`
  /// and `openid/logout` of earlier versions are those of the only OpenID provider, as long as there is one.
  func openIDRoute(_ route: String) -> (provider: SignInProvider, leaf: String)? {
    let parts = route.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.first == "openid" else { return nil }
    let candidates = providers.filter { if case .openID = $0.exchange { true } else { false } }
    if parts.count == 3, Self.openIDLeaves.contains(parts[2]) {
      return candidates.first { $0.id.hasSameBytes(as: parts[1]) }.map { ($0, parts[2]) }
    }
    guard parts.count == 2, ["callback", "logout"].contains(parts[1]), candidates.count == 1,
      let provider = candidates.first
    else { return nil }
    observer.happened(
      Activity(
        "signin.old-address",
        [
          ("code", TokenError.Code.signInOtherEndpoint.rawValue), ("source", provider.id),
          ("error", "register openid/\(provider.id)/\(parts[1]) in place of \(route)"),
        ]))
    return (provider, parts[1])
  }

  private static let openIDLeaves = ["callback", "logout", "signed-out"]

  /// Answers at an address of one OpenID provider.
  func respond(
    to request: WebRequest, at provider: SignInProvider, _ leaf: String
  ) async throws(TokenError) -> HTTPResponse {
    switch (request.method, leaf) {
    case ("GET", "callback"), ("POST", "callback"):
      return try await during("signin.openid", request) { (request) async throws(TokenError) in
        try await finishOpenID(request, at: provider)
      }
    case ("POST", "logout"): return try await endOpenID(request, at: provider)
    case ("GET", "signed-out"): return page(200, .signedOut(note: nil, address: "/"))
    default:
      return response(405, "text/plain; charset=utf-8", Array("Not by this method.\n".utf8))
    }
  }

  /// `openid/ID/callback`: the answer of an OpenID provider. The provider of the address has to be the one that
  /// the pending sign-in asked, before the code goes anywhere (RFC 9700, 4.4.2; RP-11, SVC-1).
  private func finishOpenID(
    _ request: WebRequest, at provider: SignInProvider
  ) async throws(TokenError) -> HTTPResponse {
    guard case .openID(let party) = provider.exchange else { throw TokenError(.signInProvider) }
    let named = try party.request(of: request)
    return try await answering(named, request) { () async throws(TokenError) in
      let pending = try pending(named, .openID, request)
      try check(pending, isAt: provider)
      let signIn = try await party.finish(request, pending: pending, used: used, at: clock.now)
      return try await self.signIn(
        signIn.principal, provider, pending, request, idToken: signIn.idToken)
    }
  }

  /// - Throws: `signin.other-endpoint` where another provider was asked.
  private func check(
    _ pending: PendingSignIn, isAt provider: SignInProvider
  ) throws(TokenError) {
    guard pending.provider.hasSameBytes(as: provider.id) else {
      throw TokenError(
        .signInOtherEndpoint, node: "openid/\(provider.id)/callback",
        expected: "openid/\(TokenError.excerpt(pending.provider))/callback")
    }
  }

  /// `POST openid/ID/logout`: a logout token that the provider posts (OpenID Connect Back-Channel Logout 1.0, 2.5).
  private func endOpenID(
    _ request: WebRequest, at provider: SignInProvider
  ) async throws(TokenError) -> HTTPResponse {
    guard case .openID(let party) = provider.exchange else { throw TokenError(.signInProvider) }
    let logout = try await party.logoutToken(
      request, from: provider.id, used: used, at: clock.now)
    if let ended = logout.ended(at: provider.id) { _ = try await sessions.remove(ended) }
    observer.happened(Activity("signout.demanded", [("source", provider.id)]))
    return response(200, "text/plain; charset=utf-8", [])
  }
}
