import Octets
import SecurityKeys
import TokenBasics

/// A sign-in that a link of another site began (OpenID Connect Core 1.0, 4): nobody becomes another person by it unasked.
extension SignInSite {
  /// Refuses a request that would begin a sign-in for a part of another page (a picture, a script, a frame of another site), or for a
  /// page that the browser fetches ahead of time (`Sec-Purpose` of Fetch, 3.6). A browser that says nothing of it (Fetch Metadata, 2) is taken at
  /// its word.
  ///
  /// - Throws: `signin.not-a-navigation`.
  static func checkNavigation(_ request: WebRequest) throws(TokenError) {
    let fields = request.fields
    let modes = fields.values("Sec-Fetch-Mode")
    guard modes.allSatisfy({ $0 == "navigate" }) else {
      throw TokenError(
        .signInNotNavigation, node: "Sec-Fetch-Mode", expected: "navigate",
        found: TokenError.excerpt(modes.joined(separator: ", ")))
    }
    let purposes = fields.values("Sec-Purpose")
    guard !purposes.contains(where: { $0.contains("prefetch") }) else {
      throw TokenError(
        .signInNotNavigation, node: "Sec-Purpose", expected: "a page that a person asked for",
        found: TokenError.excerpt(purposes.joined(separator: ", ")))
    }
    let isFrame = fields.values("Sec-Fetch-Dest").contains { frames.contains($0) }
    guard !isFrame || fields.values("Sec-Fetch-Site").allSatisfy({ $0 != "cross-site" }) else {
      throw TokenError(
        .signInNotNavigation, node: "Sec-Fetch-Dest", expected: "document, or a frame of this site")
    }
  }

  /// What shows a page inside another one.
  private static let frames: Set<String> = ["iframe", "frame", "fencedframe", "embed", "object"]

  /// Whether a request names the provider and may come from a link of another site: by `Sec-Fetch-Site`, or from a browser that sends none.
  /// Where the site itself sent the browser, for a stronger sign-in or to a discovery service, its mark is there.
  func isByLink(_ request: WebRequest, _ query: FormReader) -> Bool {
    let names = ["provider", ChoicePage.field, DiscoveryService.parameter]
    guard names.contains(where: { query[$0] != nil }) else { return false }
    let sites = request.fields.values("Sec-Fetch-Site")
    guard sites.isEmpty || sites.contains("cross-site") else { return false }
    return !isMarked(query[Self.stepUp], request, for: Self.stepUpPurpose)
      && !isMarked(query[Self.asked], request, for: Self.discoveryPurpose)
  }

  /// The parameter of a redirect for a stronger sign-in, with its mark.
  func stepUpMark(_ request: WebRequest) -> String {
    mark(request, for: Self.stepUpPurpose).map { "&\(Self.stepUp)=" + HTTPURL.percentEncoded($0) }
      ?? ""
  }

  /// What shows that the site itself sent this browser to sign in: sealed, and for the session of this browser alone. Nil for a browser
  /// without one, whose sign-in replaces nobody's.
  func mark(_ request: WebRequest, for purpose: String) -> String? {
    guard let id = request.cookies[settings.sessionCookie].flatMap(SessionID.init) else {
      return nil
    }
    return sealer.seal(id.digest, for: purpose).revealed
  }

  private func isMarked(_ mark: String?, _ request: WebRequest, for purpose: String) -> Bool {
    guard let mark, let digest = sealer.open(Secret(mark), for: purpose),
      let id = request.cookies[settings.sessionCookie].flatMap(SessionID.init)
    else { return false }
    return ConstantTime.areEqual(digest, id.digest)
  }

  private static let stepUp = "step"
  private static let stepUpPurpose = "stronger sign-in"
  static let discoveryPurpose = "way to a discovery service"
  private static let replacementPurpose = "replacement of a session"
  /// Seconds within which a person answers: 600.
  private static let answerLifetime: Int64 = 600

  // MARK: The question

  /// The session of another person that the sign-in would take the place of; nil for none. A form of another site brings no session's
  /// cookie, so the one with which the sign-in began counts too.
  ///
  /// - Throws: Errors of the store.
  func otherPerson(
    than principal: FederatedPrincipal, _ provider: SignInProvider, _ pending: PendingSignIn,
    _ request: WebRequest
  ) async throws(TokenError) -> (session: SignedInSession, id: SessionID)? {
    let ids = [
      request.cookies[settings.sessionCookie].flatMap(SessionID.init), pending.replacedSession,
    ]
    for case let id? in ids {
      guard let session = try await session(id) else { continue }
      return isSamePerson(session, principal, provider.id) ? nil : (session, id)
    }
    return nil
  }

  /// The page that asks whose session goes on. The new one is in the store, and its cookie sealed in the page: it opens nothing
  /// until the person says so in the browser that has the other session.
  func asking(
    _ other: (session: SignedInSession, id: SessionID), _ session: SignedInSession,
    _ cookie: Secret, _ pending: PendingSignIn
  ) -> HTTPResponse {
    let now = clock.now
    var json = JSONWriter()
    json.object { json in
      json.member("cookie", cookie.revealed)
      json.member("session", Base64.encode(other.id.digest, .url))
      json.member("return", pending.returnPath?.text ?? "/")
      json.name("expires")
      json.integer(Int(now.seconds + Self.answerLifetime))
    }
    let sealed = sealer.seal(json.bytes, for: Self.replacementPurpose).revealed
    func form(_ button: String, _ choice: String, _ action: PageContent.Action) -> PageContent.Form
    {
      PageContent.Form(
        to: settings.prefix + "replace", fields: [("sealed", sealed), ("choice", choice)],
        button: button, action: action)
    }
    let (old, new) = (person(other.session), person(session))
    var content = PageContent("Go on as another person?")
    content.notes = [
      "You are signed in as \(old).",
      "A link signed you in as \(new) just now. If you did not want that, stay signed in as before.",
    ]
    content.forms = [
      form("Stay signed in as before", "stay", .primary),
      form("Go on as \(new)", "replace", .usual),
    ]
    observer.happened(Activity("signin.asked-to-replace", [("source", session.provider)]))
    return page(200, .content(content), cookies: [pendingCookie(pending.finished(at: now))])
  }

  /// `POST replace`: what the person said.
  ///
  /// - Throws: `signin.form` for what this browser was not asked, and where the session is another one by now; errors of the store.
  func replaceSession(_ request: WebRequest) async throws(TokenError) -> HTTPResponse {
    let form = try request.form
    let own = request.cookies[settings.sessionCookie].flatMap(SessionID.init)
    guard
      let octets = form["sealed"].flatMap({ sealer.open(Secret($0), for: Self.replacementPurpose) }
      ),
      let json = try? JSONParser.parse(octets), let own,
      let digest = json["session"]?.string.flatMap({ try? Base64.decode($0.utf8, .url) }),
      ConstantTime.areEqual(digest, own.digest),
      let cookie = json["cookie"]?.string.map(Secret.init), let id = SessionID(cookie),
      let expires = json["expires"]?.integer, clock.now.seconds < Int64(expires)
    else { throw TokenError(.signInForm) }
    let path = json["return"]?.string.flatMap { try? ReturnPath($0) }?.text ?? "/"
    guard form["choice"] == "replace" else {
      try await sessions.remove(id)
      return redirect(path)
    }
    guard let session = try await session(id) else { throw TokenError(.signInForm) }
    try await sessions.remove(own)
    let recent = RecentSignIns(request.cookies, settings, at: clock.now).remembering()
    return redirect(path, cookies: begun(session, id, cookie) + [recent])
  }

  /// Who a session is of: the subject, by the provider.
  private func person(_ session: SignedInSession) -> String {
    let name = provider(session.provider)?.name ?? session.provider
    return "\(TokenError.unquoted(TokenError.excerpt(session.principal.subject))) by \(name)"
  }
}
