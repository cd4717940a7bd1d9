import Octets

extension SignInSite {
  /// `GET sign-in`: begins at the provider that is named, or the only one; otherwise asks.
  func beginSignIn(_ request: WebRequest) async throws(TokenError) -> HTTPResponse {
    let query = try request.parameters
    if let text = query[ApplicationSessions.parameter], let applications {
      return try await beginSignIn(request, query, text, applications)
    }
    // A target that is no path of this site becomes the front page (RP-5).
    let returnPath = query["return"].flatMap { try? ReturnPath($0) }
    if query["return"] != nil, returnPath == nil {
      observer.happened(Activity("signin.return-path-refused"))
    }
    let carried = returnPath.map { [("return", $0.text)] } ?? []
    switch try chosen(query, request, carried) {
    case .answer(let response): return response
    case .provider(let provider):
      // From the path, never from the query: a link asks for no less than the page does (GATE-23).
      return try await begin(
        provider, returnPath, returnPath.map(demands) ?? SignInDemands(), request,
        isByLink: isByLink(request, query))
    }
  }

  /// Begins a sign-in for an application on another host, or gives it a ticket for the session that is there.
  private func beginSignIn(
    _ request: WebRequest, _ query: FormReader, _ text: String, _ applications: ApplicationSessions
  ) async throws(TokenError) -> HTTPResponse {
    let asked = try applications.read(text)
    // The person waited too long: the application asks anew.
    guard clock.now < asked.expires else { return redirect(asked.address) }
    if !asked.isAnew, let id = request.cookies[settings.sessionCookie].flatMap(SessionID.init),
      let session = try await session(id), !applications.needsSignIn(asked, session),
      query["provider"].map({ $0.hasSameBytes(as: session.provider) }) ?? true
    {
      let address = try await applications.ticket(for: asked, opening: id, until: session.end)
      return redirect(address.text)
    }
    switch try chosen(query, request, [(ApplicationSessions.parameter, text)]) {
    case .answer(let response): return response
    case .provider(let provider):
      return try await begin(
        provider, nil, applications.demands(asked), request, for: asked.origin, asked)
    }
  }

  private enum Chosen {
    case provider(SignInProvider)
    /// A page, or a way to one, on which the person chooses.
    case answer(HTTPResponse)
  }

  /// The provider that a query names, or what asks for it.
  private func chosen(
    _ query: FormReader, _ request: WebRequest, _ carried: [(String, String)]
  ) throws(TokenError) -> Chosen {
    if let entityID = query[DiscoveryService.parameter], settings.discovery != nil {
      return .provider(try discovered(entityID))
    }
    switch try choice(query, request, "sign-in", carried) {
    case .chosen(let chosen): return .provider(chosen)
    case .open(let choice):
      // A discovery service that comes back with nothing leaves the choice to our page.
      guard let discovery = settings.discovery, query[Self.asked] == nil,
        let name = providers.lazy.compactMap(\.method.discoveryName).first
      else { return .answer(page(200, .providers(choice))) }
      let address = try settings.address("sign-in").adding(
        carried + [(Self.asked, mark(request, for: Self.discoveryPurpose) ?? "1")])
      return .answer(response(discovery.ask(for: name, returningTo: address), cookies: []))
    }
  }

  /// Begins a sign-in at a provider with the demands of another party, for a service that asks on its behalf.
  ///
  /// - Parameter asker: The party for which it asks, by a name of its own: a loop is of one party.
  /// - Throws: `signin.provider`, `signin.loop`, and as each protocol's `begin` does.
  package func begin(
    at id: String, for asker: String, returningTo path: ReturnPath,
    demanding demands: SignInDemands, _ request: WebRequest
  ) async throws(TokenError) -> HTTPResponse {
    guard let provider = providers.first(where: { $0.id.hasSameBytes(as: id) }) else {
      throw TokenError(.signInProvider, found: TokenError.excerpt(id))
    }
    return try await begin(
      provider, path, demands, request, for: asker, loopAfter: RecentSignIns.mostForOthers)
  }

  private func begin(
    _ provider: SignInProvider, _ returnPath: ReturnPath?, _ demands: SignInDemands,
    _ request: WebRequest, for asker: String = "", _ application: ApplicationSignIn? = nil,
    isByLink: Bool = false, loopAfter most: Int = 2
  ) async throws(TokenError) -> HTTPResponse {
    try Self.checkNavigation(request)
    let mark = RecentSignIns.mark(of: asker)
    try await refuseLoop(request, mark, after: most)
    let now = clock.now
    var begun = try await provider.method.begin(
      returningTo: returnPath, demanding: demands, at: now)
    var cookies = sealer.surplus(in: request.cookies, at: now).map {
      SetCookie.removing($0, .none)
    }
    begun.pending.provider = provider.id
    begun.pending.asked = AskedAuthentication(demands)
    begun.pending.application = application
    begun.pending.mark = mark
    begun.pending.isByLink = isByLink
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
  static let asked = "asked"

  private func discovered(_ entityID: String) throws(TokenError) -> SignInProvider {
    guard
      let provider = providers.first(where: { $0.issuer.hasSameBytes(as: entityID) })
    else { throw TokenError(.signInProvider, found: TokenError.excerpt(entityID)) }
    return provider
  }

  /// Refuses a browser that signed in twice within ten seconds for one application and comes to sign in for it again without
  /// a session: what it got does not come back.
  ///
  /// - Throws: `signin.loop`.
  private func refuseLoop(
    _ request: WebRequest, _ mark: String, after most: Int
  ) async throws(TokenError) {
    guard RecentSignIns(request.cookies, settings, at: clock.now).isLoop(mark, after: most),
      try await session(of: request) == nil
    else { return }
    throw TokenError(.signInLoop)
  }
}
