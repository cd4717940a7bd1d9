#if Server
  import AccessControl
  import CommandServer
  import FederationClient
  import FederationNetwork
  import Hummingbird
  import HummingbirdFederation
  import SecurityKeys

  /// The application of the demonstration: talks, which a person shares. Reading needs no sign-in, and sharing asks for
  /// one only then. It knows the issuer by its keys alone, as a foreign application would.
  final class SpeakEasy: Sendable {
    let addresses: DemoAddresses
    let feed: DemoFeed
    let transport: AsyncHTTPClientTransport
    let visits = Visits()
    let providers: ClaimSources
    let responder = SiteResponder(pages: MustachePages(title: "SpeakEasy"), isSecure: false)
    private let signIns: [String: PassiveSignIn]

    init(_ addresses: DemoAddresses, _ assembly: ServiceAssembly, feed: DemoFeed) throws {
      self.addresses = addresses
      self.feed = feed
      transport = try AsyncHTTPClientTransport()
      providers = ClaimSources(assembly.file)
      let keys = try assembly.keys.namespaceKeys()
      var signIns: [String: PassiveSignIn] = [:]
      let used = MemoryReplayStore()
      for format in DemoFile.formats {
        let realm = DemoFile.realm(format)
        let issuers = [
          TrustedIssuer(
            addresses.issuer, keys: keys.symmetric.map { [.secret($0)] } ?? [], formats: [.swt]),
          TrustedIssuer(
            addresses.issuer, keys: keys.certificates.map { .certificate($0) },
            formats: [.jwt, .saml11, .saml20]),
        ]
        signIns[format] = PassiveSignIn(
          try AccessControlService(base: HTTPURL(addresses.issuer), realm: realm),
          trust: Trust(issuers: issuers, audiences: .oneOf([realm])), time: SystemTime(), used: used
        )
      }
      self.signIns = signIns
    }

    func listener() throws(TokenError) -> Listener {
      let router = Router(context: BasicRequestContext.self)
      func get(
        _ path: RouterPath,
        _ answer: @escaping @Sendable (WebRequest) throws -> HTTPExchange.HTTPResponse
      ) {
        router.get(path) { request, _ in Response(try answer(WebRequest(head: request))) }
      }
      func post(
        _ path: RouterPath,
        _ answer: @escaping @Sendable (WebRequest) async throws -> HTTPExchange.HTTPResponse
      ) {
        router.post(path) { request, _ in
          Response(try await answer(try await WebRequest(request, bodyLimit: 1 << 20)))
        }
      }
      get("/") { [self] in talks($0) }
      get("you") { [self] in person($0) }
      get("signin") { [self] in returned($0) }
      post("signin") { [self] in await finish($0) }
      post("settings") { [self] in try set($0) }
      post("expire") { [self] in expire($0) }
      post("refuse") { [self] in refuse($0) }
      post("sign-out") { [self] in try signOut($0) }
      for talk in Programme.talks {
        let path = "talks/\(talk.number)"
        get(RouterPath(path)) { [self] in show(talk, $0) }
        get(RouterPath(path + "/share")) { [self] in try compose(talk, $0) }
        post(RouterPath(path + "/share")) { [self] in try await share(talk, $0) }
        get(RouterPath(path + "/sign-in")) { [self] in try begin(talk, $0) }
      }
      return try Listener(
        router.buildResponder(), at: addresses.applicationListener, connections: 64,
        logger: .server(of: "acs"))
    }

    // MARK: Signing in

    /// The cookies of the application.
    enum CookieName {
      /// Names the visit.
      static let visit = "speakeasy-session"
      /// The format of token that the person set.
      static let format = "speakeasy-format"
      /// Belongs to the sign-in that the browser is at.
      static let signIn = "speakeasy-browser"
      /// The format of that sign-in.
      static let asked = "speakeasy-asked"
      /// The number of the talk that it is for.
      static let talk = "speakeasy-talk"
    }

    static func cookie(_ name: String, _ value: String) -> SetCookie {
      SetCookie(name: name, value: Secret(value), maximumAge: nil, sameSite: .lax)
    }

    /// `GET /talks/1/sign-in?with=…`: to the issuer, and back to the talk.
    ///
    /// - Parameter provider: The identity provider; nil lets the person choose.
    func begin(_ talk: Talk, _ request: WebRequest) throws -> HTTPExchange.HTTPResponse {
      let format = format(request)
      guard let signIn = signIns[format] else { return responder.nothing(for: request) }
      let provider = try request.parameters["with"]
      let (address, browser) = try signIn.begin(
        PassiveRequest(whr: provider),
        returningTo: ReturnPath(Self.path(talk) + "/share?told=signed-in"))
      return responder.redirect(
        address.text,
        cookies: [
          Self.cookie(CookieName.signIn, browser.revealed),
          Self.cookie(CookieName.asked, DemoFile.slug(format)),
          Self.cookie(CookieName.talk, "\(talk.number)"),
        ])
    }

    /// `POST /signin`: what the issuer says.
    func finish(_ request: WebRequest) async -> HTTPExchange.HTTPResponse {
      let talk = talk(of: request)
      let asked = request.cookies[CookieName.asked]?.revealed
      guard let format = DemoFile.formats.first(where: { DemoFile.slug($0) == asked }),
        let signIn = signIns[format]
      else {
        return refused(
          "This browser began no sign-in here.", talk, TokenError.Code.clientState.rawValue)
      }
      do throws(TokenError) {
        let browser = request.cookies[CookieName.signIn]
        switch try await signIn.receive(request, browser: browser) {
        case .signedIn(let token, let path):
          let session = try token.session(scheme: .bearer, at: SystemTime().now)
          let id = visits.begin(
            session, format: format, after: request.cookies[CookieName.visit]?.revealed)
          return responder.redirect(
            path?.text ?? "/", cookies: [Self.cookie(CookieName.visit, id)])
        case .cancelled: return responder.redirect(Self.path(talk) + "?told=cancelled")
        case .failed(let failure):
          let provider = providers.name(of: failure.identityProvider)
          return refused(
            "\(provider) answered with an error, and Access Control Service passed it on.", talk,
            failure.error.code.rawValue, failure.codes.first?.description)
        case .signOutCleanup: return returned(request)
        }
      } catch {
        return refused(
          "What the issuer sent was not taken: \(error.code.summary).", talk,
          error.code.rawValue)
      }
    }

    /// The talk that the browser's sign-in is for; the first one where it has none.
    private func talk(of request: WebRequest) -> Talk? {
      request.cookies[CookieName.talk].flatMap { Int($0.revealed) }.flatMap(Programme.talk)
    }

    static func path(_ talk: Talk?) -> String { talk.map { "/talks/\($0.number)" } ?? "/" }

    // MARK: Signing out

    /// `POST /sign-out`: here, and at the issuer.
    func signOut(_ request: WebRequest) throws -> HTTPExchange.HTTPResponse {
      let id = request.cookies[CookieName.visit]?.revealed
      let format = visits[id]?.format ?? format(request)
      if let id { visits.end(id) }
      guard let service = signIns[format]?.service else { return responder.nothing(for: request) }
      let address = try service.signOutAddress(wreply: HTTPURL(addresses.application + "signin"))
      return responder.redirect(
        address.text,
        cookies: [.removing(CookieName.visit, .lax), .removing(CookieName.talk, .lax)])
    }

    /// `GET /signin`: the issuer's sign-out reaches this browser by a picture; without `wa` it is the way back.
    func returned(_ request: WebRequest) -> HTTPExchange.HTTPResponse {
      guard (try? request.parameters["wa"]) != nil else {
        return responder.redirect(Self.path(talk(of: request)))
      }
      if let id = request.cookies[CookieName.visit]?.revealed { visits.end(id) }
      return PassiveSignIn.cleanupAnswer
    }

    // MARK: The setting

    /// The format that the person set, or the first.
    func format(_ request: WebRequest) -> String {
      let slug = request.cookies[CookieName.format]?.revealed
      return DemoFile.formats.first { DemoFile.slug($0) == slug } ?? DemoFile.formats[0]
    }

    /// `POST /settings`: the format of the next token.
    private func set(_ request: WebRequest) throws -> HTTPExchange.HTTPResponse {
      let wanted = try request.form(passingOver: .nothing)["format"]
      guard let format = DemoFile.formats.first(where: { DemoFile.slug($0) == wanted }) else {
        return responder.nothing(for: request)
      }
      return responder.redirect(
        "/?told=set", cookies: [Self.cookie(CookieName.format, DemoFile.slug(format))])
    }
  }
#endif
