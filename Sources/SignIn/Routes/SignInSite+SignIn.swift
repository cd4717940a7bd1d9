import Octets
import SingleSignOn

extension SignInSite {
  /// `GET sign-in`: begins at the provider that is named, or the only one; otherwise shows the choice.
  func beginSignIn(_ request: SiteRequest) async throws(TokenError) -> HTTPResponse {
    let query = try FormReader((request.query ?? "").utf8)
    // A target that is no path of this site becomes the front page (RP-5).
    let returnPath = query["return"].flatMap { try? ReturnPath($0) }
    if query["return"] != nil, returnPath == nil {
      observer.happened(Activity("signin.return-path-refused"))
    }
    guard let provider = try chosen(query["provider"]) else {
      return page(
        200,
        .providers(
          providers.map { provider in
            var address =
              settings.prefix + "sign-in?provider=" + HTTPURL.percentEncoded(provider.id)
            if let returnPath {
              address += "&return=" + HTTPURL.percentEncoded(returnPath.text)
            }
            return (provider.name, address)
          }))
    }
    let recent = try recentSignIns(request)
    let now = clock.now
    let begun: BegunSignIn =
      switch provider.exchange {
      case .saml(let service, let source):
        try service.begin(at: await source.provider(at: now), returningTo: returnPath, at: now)
      case .wsFederation(let party, let source):
        try await party.begin(at: source.provider(at: now), returningTo: returnPath, at: now)
      case .openID(let party): try await party.begin(returningTo: returnPath, at: now)
      }
    var cookies = sealer.surplus(in: request.cookies, at: now).map {
      SetCookie.removing($0, .none)
    }
    cookies += [pendingCookie(begun.pending), recent]
    return response(begun.action, cookies: cookies)
  }

  /// The cookie of a pending sign-in: it has to come along with a form of another site.
  func pendingCookie(_ pending: PendingSignIn) -> SetCookie {
    SetCookie(
      name: sealer.cookieName(of: pending.request), value: sealer.seal(pending),
      maximumAge: PendingSignIn.lifetime, sameSite: .none)
  }

  private func chosen(_ id: String?) throws(TokenError) -> SignInProvider? {
    guard let id else { return providers.count == 1 ? providers.first : nil }
    guard let provider = providers.first(where: { $0.id.hasSameBytes(as: id) }) else {
      throw TokenError(.signInProvider, found: TokenError.excerpt(id))
    }
    return provider
  }

  /// The times of the last sign-ins of this browser, with this one. A third within ten seconds is a
  /// loop: a person is slower.
  ///
  /// - Throws: `signin.loop`.
  private func recentSignIns(_ request: SiteRequest) throws(TokenError) -> SetCookie {
    let now = clock.now.seconds
    let name = settings.cookiePrefix + "signin-times"
    let times = (request.cookies[name]?.revealed ?? "").split(separator: ".").prefix(8)
      .compactMap { Int64($0) }.filter { $0 <= now && now - $0 < 10 }
    guard times.count < 2 else { throw TokenError(.signInLoop) }
    let text = (times + [now]).map(String.init).joined(separator: ".")
    return SetCookie(name: name, value: Secret(text), maximumAge: 10, sameSite: .lax)
  }
}
