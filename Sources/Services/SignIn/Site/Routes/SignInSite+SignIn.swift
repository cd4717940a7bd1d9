import Octets

extension SignInSite {
  /// `GET sign-in`: begins at the provider that is named, or the only one; otherwise asks.
  func beginSignIn(_ request: WebRequest) async throws(TokenError) -> HTTPResponse {
    let query = try request.parameters
    // A target that is no path of this site becomes the front page (RP-5).
    let returnPath = query["return"].flatMap { try? ReturnPath($0) }
    if query["return"] != nil, returnPath == nil {
      observer.happened(Activity("signin.return-path-refused"))
    }
    let carried = returnPath.map { [("return", $0.text)] } ?? []
    let provider: SignInProvider
    if let entityID = query[DiscoveryService.parameter], settings.discovery != nil {
      provider = try discovered(entityID)
    } else {
      switch try choice(query, request, "sign-in", carried) {
      case .chosen(let chosen): provider = chosen
      case .open(let choice):
        // A discovery service that comes back with nothing leaves the choice to our page.
        guard let discovery = settings.discovery, query[Self.asked] == nil,
          let name = providers.lazy.compactMap(\.method.discoveryName).first
        else { return page(200, .providers(choice)) }
        let address = try settings.address("sign-in").adding(carried + [(Self.asked, "1")])
        return response(discovery.ask(for: name, returningTo: address), cookies: [])
      }
    }
    // From the path, never from the query: a link asks for no less than the page does (GATE-23).
    return try await begin(
      provider, returnPath, returnPath.map(demands) ?? SignInDemands(), request)
  }

  /// Begins a sign-in at a provider with the demands of another party, for a service that asks on its behalf.
  ///
  /// - Throws: `signin.provider`, and as each protocol's `begin` does.
  package func begin(
    at id: String, returningTo path: ReturnPath, demanding demands: SignInDemands,
    _ request: WebRequest
  ) async throws(TokenError) -> HTTPResponse {
    guard let provider = providers.first(where: { $0.id.hasSameBytes(as: id) }) else {
      throw TokenError(.signInProvider, found: TokenError.excerpt(id))
    }
    return try await begin(provider, path, demands, request)
  }

  private func begin(
    _ provider: SignInProvider, _ returnPath: ReturnPath?, _ demands: SignInDemands,
    _ request: WebRequest
  ) async throws(TokenError) -> HTTPResponse {
    try await refuseLoop(request)
    let now = clock.now
    var begun = try await provider.method.begin(
      returningTo: returnPath, demanding: demands, at: now)
    var cookies = sealer.surplus(in: request.cookies, at: now).map {
      SetCookie.removing($0, .none)
    }
    begun.pending.provider = provider.id
    begun.pending.asked = AskedAuthentication(demands)
    begun.pending.replacedSession = request.cookies[settings.sessionCookie].flatMap(SessionID.init)
    cookies.append(pendingCookie(begun.pending))
    if providers.count > 1 { cookies.append(remembering(provider)) }
    return response(begun.action, cookies: cookies)
  }

  /// The cookie of a pending sign-in, or of what remains of it: it has to come along with a form of another site.
  func pendingCookie(_ pending: PendingSignIn) -> SetCookie {
    SetCookie(
      name: sealer.cookieName(of: pending.request), value: sealer.seal(pending),
      maximumAge: PendingSignIn.lifetime, sameSite: .none)
  }

  /// Marks the way back from a discovery service.
  private static let asked = "asked"

  private func discovered(_ entityID: String) throws(TokenError) -> SignInProvider {
    guard
      let provider = providers.first(where: { $0.issuer.hasSameBytes(as: entityID) })
    else { throw TokenError(.signInProvider, found: TokenError.excerpt(entityID)) }
    return provider
  }

  /// Refuses a browser that signed in twice within ten seconds and comes to sign in again without a session: what
  /// it got does not come back. Several tabs that begin at once have not signed in yet.
  ///
  /// - Throws: `signin.loop`.
  private func refuseLoop(_ request: WebRequest) async throws(TokenError) {
    guard recentSignIns(request).count >= 2, try await session(of: request) == nil else { return }
    throw TokenError(.signInLoop)
  }

  /// The times at which this browser signed in within the last ten seconds, at most the last eight.
  private func recentSignIns(_ request: WebRequest) -> [Int64] {
    let now = clock.now.seconds
    return (request.cookies[timesCookie]?.revealed ?? "").split(separator: ".").prefix(8)
      .compactMap { Int64($0) }.filter { $0 <= now && now - $0 < 10 }
  }

  /// Remembers that this browser signs in now. It comes along with the form of the next answer.
  func rememberingSignIn(_ request: WebRequest) -> SetCookie {
    let times = recentSignIns(request).suffix(7) + [clock.now.seconds]
    let text = times.map(String.init).joined(separator: ".")
    return SetCookie(name: timesCookie, value: Secret(text), maximumAge: 10, sameSite: .none)
  }

  private var timesCookie: String { settings.cookiePrefix + "signin-times" }
}
