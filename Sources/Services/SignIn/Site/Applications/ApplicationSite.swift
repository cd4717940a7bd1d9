package import HTTPExchange

/// The pages below the prefix at an application's own host. People sign in and out at the site; here a ticket opens the
/// application's session.
package struct ApplicationSite: Sendable {
  private let site: SignInSite
  private let sessions: ApplicationSessions
  private let settings: SiteSettings

  /// The pages of one application.
  package init(_ site: SignInSite, _ sessions: ApplicationSessions, _ settings: SiteSettings) {
    self.site = site
    self.sessions = sessions
    self.settings = settings
  }

  private typealias Handler =
    @Sendable (Self, WebRequest) async throws(TokenError) -> HTTPResponse

  private static let routes: RouteTable<Handler> = {
    var table = RouteTable<Handler>()
    func add(_ path: String, _ handler: @escaping Handler) { table.add(["GET"], path, handler) }
    add("sign-in") { (own, request) throws(TokenError) in try await own.beginSignIn(request) }
    add("ticket") { (own, request) throws(TokenError) in try await own.open(request) }
    add("sign-out") { (own, request) throws(TokenError) in
      own.redirect(try own.site.settings.address("sign-out").text)
    }
    for path in ["", "account"] {
      add(path) { (own, request) throws(TokenError) in
        own.site.account(try await own.session(of: request), own.settings)
      }
    }
    add("claims") { (own, request) throws(TokenError) in
      own.site.claims(try await own.session(of: request), own.settings)
    }
    return table
  }()

  /// Answers a request below the prefix; any other with 404.
  package func respond(to request: WebRequest) async -> HTTPResponse {
    do throws(TokenError) {
      let isOwn = request.path.hasPrefix(settings.prefix)
      let path = isOwn ? String(request.path.dropFirst(settings.prefix.count)) : "/"
      switch Self.routes.match(request.method, path) {
      case .found(let handler): return try await handler(self, request)
      case .otherMethod(_, let allowed): return responder.otherMethod(allowed)
      case .nothing: return responder.nothing(for: request)
      }
    } catch {
      return await site.refusal(error, request)
    }
  }

  /// The session of a request at the application; nil if it has none, or one that is over at the site.
  ///
  /// - Throws: Errors of the store (GATE-8).
  package func session(of request: WebRequest) async throws(TokenError) -> SignedInSession? {
    let cookies = request.fields.values("Cookie")
    guard let parent = try await sessions.parent(of: cookies, at: settings) else { return nil }
    return try await site.session(parent)
  }

  /// `GET sign-in?return=PATH`: leaves the browser's bits here, and sends it to the site.
  private func beginSignIn(_ request: WebRequest) async throws(TokenError) -> HTTPResponse {
    try SignInSite.checkNavigation(request)
    let query = try request.parameters
    let path = query["return"].flatMap { try? ReturnPath($0) }
    if query["return"] != nil, path == nil {
      site.observer.happened(Activity("signin.return-path-refused"))
    }
    let recent = RecentSignIns(request.cookies, settings, at: site.clock.now)
    if recent.isLoop(), try await session(of: request) == nil { throw TokenError(.signInLoop) }
    let (cookies, address) = try sessions.begin(
      at: settings, returningTo: path ?? .front, provider: query["provider"],
      isAnew: query[Self.again] != nil, cookies: request.cookies)
    return redirect(address.text, cookies: cookies)
  }

  /// `GET ticket?ticket=…`: a browser comes back from the site.
  private func open(_ request: WebRequest) async throws(TokenError) -> HTTPResponse {
    let ticket = try request.parameters.require("ticket")
    do throws(TokenError) {
      let opened = try await sessions.open(ticket, at: settings, cookies: request.cookies)
      let recent = RecentSignIns(request.cookies, settings, at: site.clock.now)
      return redirect(opened.path, cookies: opened.cookies + [recent.remembering()])
    } catch {
      // A browser that sends it a second time is signed in already.
      guard error.code == .signInTicketUnknown, try await session(of: request) != nil else {
        throw error
      }
      return redirect("/")
    }
  }

  /// Marks a sign-in by another provider, for which a session is not enough.
  static let again = "again"

  private var responder: SiteResponder {
    SiteResponder(pages: site.pages, isSecure: settings.isSecure)
  }

  private func redirect(_ location: String, cookies: [SetCookie] = []) -> HTTPResponse {
    responder.redirect(location, cookies: cookies)
  }
}
