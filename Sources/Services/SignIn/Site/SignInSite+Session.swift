import Octets
import TokenBasics

extension SignInSite {
  /// The session of a request; nil if it has none, or one that is over.
  ///
  /// - Throws: Errors of the store: then nobody knows whether there is a session (GATE-8).
  public func session(of request: WebRequest) async throws(TokenError) -> SignedInSession? {
    try await session(cookies: request.fields.values("Cookie"))
  }

  /// The session of a request with these `Cookie` fields.
  ///
  /// - Throws: Errors of the store.
  public func session(
    cookies fields: some Sequence<String>
  ) async throws(TokenError) -> SignedInSession? {
    guard let cookie = CookieField.value(of: settings.sessionCookie, in: fields) else {
      return nil
    }
    return try await session(cookie: cookie)
  }

  /// The session that a cookie's value opens.
  ///
  /// - Throws: Errors of the store.
  public func session(cookie: Secret) async throws(TokenError) -> SignedInSession? {
    guard let id = SessionID(cookie) else { return nil }
    return try await session(id)
  }

  /// The session of that identifier.
  ///
  /// - Throws: Errors of the store.
  package func session(_ id: SessionID) async throws(TokenError) -> SignedInSession? {
    guard let session = try await sessions.session(id) else { return nil }
    let now = clock.now
    // A session at a provider that is not configured any more is none.
    guard !session.isOver(at: now, idle: settings.idle), isConfigured(session) else {
      await uses.removeOver(id, in: sessions, observer)
      return nil
    }
    // Without `refresh`, which the file may have had at the sign-in, no claims are read anew.
    if let renewal = session.renewal, now >= renewal.due,
      let provider = provider(session.provider), let interval = provider.method.renewalInterval
    {
      return try await renewed(session, id, renewal, provider, interval, at: now)
    }
    if now >= session.lastUse.advanced(bySeconds: 60) {
      await uses.note(id, in: sessions, at: now, observer)
    }
    return session
  }

  /// Begins a session with an identifier of its own, whatever cookie the browser brought (GATE-15), and sends
  /// the browser to its page.
  func signIn(
    _ finished: VerifiedSignIn, _ provider: SignInProvider, _ pending: PendingSignIn?,
    _ request: WebRequest
  ) async throws(TokenError) -> HTTPResponse {
    let principal = kept(finished, provider)
    let now = clock.now
    var end = now.advanced(bySeconds: settings.lifetime)
    if let issuerEnd = principal.issuerSession.end { end = min(end, issuerEnd) }
    let (id, cookie) = SessionID.make(random)
    var session = SignedInSession(
      principal: principal, provider: provider.id, begun: now, end: end, lastUse: now,
      idToken: keptIDToken(finished), renewal: renewal(of: finished, provider, at: now))
    session.asked = pending?.asked
    if let pending, pending.isByLink,
      let other = try await otherPerson(than: principal, provider, pending, request)
    {
      try await sessions.insert(session, id)
      return asking(other, session, cookie, pending)
    }
    // A form of another site brings no session: what the browser had is in the pending sign-in.
    let old = [
      request.cookies[settings.sessionCookie].flatMap(SessionID.init), pending?.replacedSession,
    ]
    for case let old? in old { try await sessions.remove(old) }
    try await sessions.insert(session, id)
    var cookies = begun(session, id, cookie)
    cookies.append(
      RecentSignIns(request.cookies, settings, at: now).remembering(pending?.mark ?? ""))
    if let pending { cookies.append(pendingCookie(pending.finished(at: now))) }
    if let asked = pending?.application, let applications {
      let address = try await applications.ticket(for: asked, opening: id, until: end)
      return redirect(address.text, cookies: cookies)
    }
    return redirect(pending?.returnPath?.text ?? "/", cookies: cookies)
  }

  /// The cookies of a session that begins in this browser.
  func begun(_ session: SignedInSession, _ id: SessionID, _ cookie: Secret) -> [SetCookie] {
    observer.happened(
      Activity(
        "signin.succeeded",
        [
          ("source", session.provider),
          ("subject", TokenError.excerpt(session.principal.subject, length: 256)),
        ]))
    var cookies = [
      SetCookie(
        name: settings.sessionCookie, value: cookie, maximumAge: settings.lifetime, sameSite: .lax)
    ]
    if let provider = provider(session.provider), type(of: provider.method).endsByPicture {
      cookies.append(
        SetCookie(
          name: settings.endCookie, value: sealer.seal(ending: id),
          maximumAge: settings.lifetime, sameSite: .none))
    }
    return cookies
  }

  /// The pending sign-in of a request that an answer names.
  func pending(
    _ named: String, _ kind: PendingSignIn.Kind, _ request: WebRequest
  ) throws(TokenError) -> PendingSignIn {
    try sealer.open(named, request.cookies[sealer.cookieName(of: named)], kind, at: clock.now)
  }

  /// Where a sign-in that a request begins or answers leads: what the pending one in the browser says. Nothing is used up.
  package func returnPath(of request: WebRequest) -> ReturnPath? {
    guard let form = try? given(request) else { return nil }
    if request.path.hasSuffix("/sign-in") {
      return form["return"].flatMap { try? ReturnPath($0) }
    }
    return pending(of: form, request)?.returnPath
  }

  /// The provider that a request asks for or answers for: by its name, or by the pending sign-in in the browser.
  /// Nothing is verified: this is for logs.
  func askedProvider(_ request: WebRequest) -> SignInProvider? {
    guard let form = try? given(request) else { return nil }
    if let id = form["provider"] { return providers.first { $0.id.hasSameBytes(as: id) } }
    return pending(of: form, request).flatMap { provider($0.provider) }
  }

  /// Whether a browser is signed in by the answer that it sends again. A provider refuses any bad code with the same word as
  /// a used one; it was used where the session is not older than the sign-in that it answers.
  func isSignedIn(_ request: WebRequest, after error: TokenError) async -> Bool {
    guard Self.isRepetition(error), let session = try? await session(of: request) else {
      return false
    }
    guard error.code == .signInRefused else { return true }
    guard let form = try? given(request), let pending = pending(of: form, request) else {
      return false
    }
    return session.begun >= pending.begun
  }

  /// What a request says: in its form where it is posted, otherwise in its query.
  private func given(_ request: WebRequest) throws(TokenError) -> FormReader {
    try request.method == "POST" ? request.form : request.parameters
  }

  /// The pending sign-in that a form or a query names.
  private func pending(of form: FormReader, _ request: WebRequest) -> PendingSignIn? {
    for method in methods {
      guard let named = form[method.requestParameter] else { continue }
      return try? pending(named, method.kind, request)
    }
    return nil
  }

  /// The claims of the signed-in person, with where each came from; at an application those that it is told.
  func claims(_ session: SignedInSession?, _ settings: SiteSettings) -> HTTPResponse {
    guard let session else {
      return redirect(settings.prefix + "sign-in?return=" + settings.prefix + "claims")
    }
    return response(200, "application/json", ClaimsReport.json(session, shown(session, settings)))
  }

  /// What the pages at a host show of a session.
  func shown(_ session: SignedInSession, _ settings: SiteSettings) -> ShownPerson {
    guard settings.origin != self.settings.origin, let applications else {
      return ShownPerson(session)
    }
    return applications.shown(settings.origin, session)
  }
}

/// What pages at a host show of a signed-in person. A script of an application reads the pages at its own host, so they say
/// no more than the application is told by headers.
package struct ShownPerson: Sendable {
  /// The subject; nil where it is not shown.
  package var subject: String?
  /// The identifier of the provider; nil where it is not shown.
  package var provider: String?
  /// The name of the issuer; nil where it is not shown.
  package var issuer: String?
  /// The claims that are shown.
  package var claims: ClaimSet
  /// What was accepted with a warning.
  package var warnings: [String] = []

  /// A person of whom only this is shown.
  package init(subject: String?, provider: String?, issuer: String?, claims: ClaimSet) {
    self.subject = subject
    self.provider = provider
    self.issuer = issuer
    self.claims = claims
  }

  /// A person of whom everything is shown.
  init(_ session: SignedInSession) {
    let principal = session.principal
    self.init(
      subject: principal.subject, provider: session.provider, issuer: principal.issuer,
      claims: principal.claims)
    warnings = principal.warnings
  }
}

/// The claims of a session, for the person that they are about.
enum ClaimsReport {
  static func json(_ session: SignedInSession, _ shown: ShownPerson) -> [UInt8] {
    let principal = session.principal
    var json = JSONWriter()
    json.object { json in
      if let provider = shown.provider { json.member("provider", provider) }
      if let issuer = shown.issuer { json.member("issuer", issuer) }
      if let subject = shown.subject { json.member("subject", subject) }
      json.member("format", principal.format.name)
      json.member("begun", session.begun.rfc3339)
      json.member("end", session.end.rfc3339)
      if principal.keptTypes != nil {
        json.name("dropped")
        json.bool(true)
      }
      json.name("claims")
      json.array { json in
        for claim in shown.claims {
          json.object { json in
            json.member("type", claim.type.name)
            json.name("value")
            // A provider's credential is never shown (GATE-22).
            json.string(claim.type.isCredential ? "" : claim.value)
            json.member("issuer", claim.issuer)
            json.member("originalIssuer", claim.originalIssuer)
          }
        }
      }
      json.name("warnings")
      json.array { json in for warning in shown.warnings { json.string(warning) } }
    }
    return json.bytes + Array("\n".utf8)
  }
}
