#if Server
  import AccessControl
  import CommandServer
  import FederationClient
  import FederationNetwork
  import HTTPExchange
  import HTTPTypes
  import Hummingbird
  import HummingbirdFederation
  import SecurityKeys
  import SocialFeeds
  import Synchronization

  /// The application of the demonstration: talks, of which a signed-in person shares some. It knows the issuer by its
  /// keys alone, as a foreign application would.
  final class SpeakEasy: Sendable {
    private static let talks = [
      "Tokens without tears", "What a signature covers", "The clock on the wall is wrong",
    ]
    private let signIns: [String: PassiveSignIn]
    private let sessions = Mutex<[String: Session]>([:])
    private let transport: AsyncHTTPClientTransport
    /// The types of claims that each identity provider sends.
    private let sent: [String: Set<ClaimType>]

    init(_ assembly: ServiceAssembly) throws {
      transport = try AsyncHTTPClientTransport()
      let keys = try assembly.keys.namespaceKeys()
      var signIns: [String: PassiveSignIn] = [:]
      let used = MemoryReplayStore()
      for format in DemoFile.formats {
        let realm = DemoFile.realm(format)
        let issuers = [
          TrustedIssuer(
            DemoFile.issuer, keys: keys.symmetric.map { [.secret($0)] } ?? [], formats: [.swt]),
          TrustedIssuer(
            DemoFile.issuer, keys: keys.certificates.map { .certificate($0) },
            formats: [.jwt, .saml11, .saml20]),
        ]
        signIns[DemoFile.slug(format)] = PassiveSignIn(
          try AccessControlService(base: HTTPURL(DemoFile.issuer), realm: realm),
          trust: Trust(issuers: issuers, audiences: .oneOf([realm])), time: SystemTime(), used: used
        )
      }
      self.signIns = signIns
      sent = Dictionary(
        assembly.file.providers.map { provider in
          guard case .testPeople(let people) = provider.kind else { return (provider.id, []) }
          return (provider.id, Set(people.flatMap { $0.claims.map(\.type) }))
        }, uniquingKeysWith: { first, _ in first })
    }

    func listener() throws(TokenError) -> Listener {
      let router = Router(context: BasicRequestContext.self)
      router.get("/") { [self] request, _ in home(request) }
      router.get("sign-in") { [self] request, _ in try begin(request) }
      router.post("signin") { [self] request, _ in try await finish(request) }
      router.get("signin") { [self] request, _ in cleanup(request) }
      router.post("share") { [self] request, _ in try await share(request) }
      router.post("expire") { [self] request, _ in expire(request) }
      router.post("sign-out") { [self] request, _ in try signOut(request) }
      return try DemoFile.listener(router.buildResponder(), 8091)
    }

    // MARK: Signing in

    private func begin(_ request: Request) throws -> Response {
      guard let slug = request.uri.queryParameters["format"].map(String.init),
        let signIn = signIns[slug]
      else { throw HTTPError(.notFound) }
      let (address, browser) = try signIn.begin()
      return SpeakEasyPages.redirect(
        address.text,
        cookies: [
          Self.cookie("speakeasy-browser", browser.revealed), Self.cookie("speakeasy-format", slug),
        ])
    }

    private func finish(_ request: Request) async throws -> Response {
      let site = try await WebRequest(request, bodyLimit: 1 << 20)
      let cookies = site.cookies
      guard let slug = cookies["speakeasy-format"]?.revealed, let signIn = signIns[slug] else {
        return refused("client.state", "This browser began no sign-in here.")
      }
      do throws(TokenError) {
        switch try await signIn.receive(site, browser: cookies["speakeasy-browser"]) {
        case .signedIn(let token, returnPath: _):
          let session = try token.session(scheme: .bearer, at: SystemTime().now)
          let id = TokenDraft.unpredictableID()
          sessions.withLock { $0[id] = session }
          return SpeakEasyPages.redirect("/", cookies: [Self.cookie("speakeasy-session", id)])
        case .cancelled:
          return refused("session.cancelled", "You cancelled at the identity provider.")
        case .failed(let failure):
          return refused(
            failure.error.code.rawValue,
            "The issuer says: \(failure.error.found ?? failure.error.message).",
            failure.error.node)
        case .signOutCleanup: return cleanup(request)
        }
      } catch {
        return refused(error.code.rawValue, error.code.summary + ".")
      }
    }

    private func refused(_ code: String, _ text: String, _ number: String? = nil) -> Response {
      var content = PageContent("You are not signed in", notes: [text])
      content.details = (code, number)
      content.nextLink = PageContent.Link("Try again", to: "/")
      return SpeakEasyPages.response(.badRequest, content)
    }

    // MARK: Pages

    private func session(_ request: Request) -> (id: String, session: Session)? {
      guard let id = WebRequest(head: request).cookies["speakeasy-session"]?.revealed else {
        return nil
      }
      return sessions.withLock { $0[id] }.map { (id, $0) }
    }

    private func home(_ request: Request) -> Response {
      guard let (_, session) = session(request) else {
        var content = PageContent(
          "Talks", notes: Self.talks + ["Sign in to share a talk. Choose the format of the token:"])
        content.links = DemoFile.formats.map {
          PageContent.Link($0, to: "/sign-in?format=" + DemoFile.slug($0))
        }
        return SpeakEasyPages.response(.ok, content)
      }
      guard session.expires.map({ SystemTime().now < $0 }) ?? true else {
        var content = PageContent(
          "Your session has expired", notes: ["Sign in again to go on where you were."])
        content.links = DemoFile.formats.map {
          PageContent.Link($0, to: "/sign-in?format=" + DemoFile.slug($0))
        }
        return SpeakEasyPages.response(.unauthorized, content)
      }
      return signedIn(session)
    }

    private func signedIn(_ session: Session) -> Response {
      let tokens = session.providerTokens
      var content = PageContent(
        "Talks",
        notes: [
          "You are \(session.claims.single(.name) ?? session.principal.subject), by "
            + "\(session.provider ?? "nobody").",
          tokens.isEmpty
            ? "Your provider sent no token to post with."
            : "Your provider's token was taken out of the claims; sharing a talk uses it.",
        ])
      content.tables = [
        PageContent.Table(
          "Claims", heads: ["Type", "Value", "From"],
          rows: session.claims.map {
            [$0.type.name, $0.value, source(of: $0.type, session)]
          })
      ]
      content.forms =
        (tokens.isEmpty
          ? []
          : Self.talks.enumerated().map { number, talk in
            PageContent.Form(
              to: "/share", fields: [(name: "talk", value: "\(number)")],
              button: "Share \u{201C}\(talk)\u{201D}")
          }) + [
          PageContent.Form(to: "/expire", button: "Let the session expire"),
          PageContent.Form(to: "/sign-out", button: "Sign out"),
        ]
      return SpeakEasyPages.response(.ok, content)
    }

    /// The provider for what it sent; a rule of the issuer, or the issuer itself, for the rest.
    private func source(of type: ClaimType, _ session: Session) -> String {
      guard let provider = session.provider, sent[provider]?.contains(type) == true else {
        return "Access Control Service"
      }
      return provider
    }

    // MARK: What a signed-in person does

    private func share(_ request: Request) async throws -> Response {
      guard let (_, session) = session(request) else { return SpeakEasyPages.redirect("/") }
      let site = try await WebRequest(request, bodyLimit: 1 << 12)
      guard let text = try? FormReader(site.body)["talk"], let number = Int(text),
        Self.talks.indices.contains(number), let token = session.providerTokens.first
      else { throw HTTPError(.badRequest) }
      let wall = try HistoricalFacebookWall(
        graph: HTTPURL(DemoFile.feed), accessToken: Secret(token.reveal()))
      let receipt = try await Feed(wall, over: transport).post(
        FeedPost("I heard \u{201C}\(Self.talks[number])\u{201D}."))
      var content = PageContent("Shared", notes: ["The feed has it as \(receipt.id)."])
      content.links = [
        PageContent.Link("Look at the feed", to: DemoFile.feed),
        PageContent.Link("Back to the talks", to: "/"),
      ]
      return SpeakEasyPages.response(.ok, content)
    }

    private func expire(_ request: Request) -> Response {
      if let (id, session) = session(request) {
        var over = session
        over.expires = SystemTime().now.advanced(bySeconds: -1)
        sessions.withLock { $0[id] = over }
      }
      return SpeakEasyPages.redirect("/")
    }

    private func signOut(_ request: Request) throws -> Response {
      let slug = WebRequest(head: request).cookies["speakeasy-format"]?.revealed ?? "swt"
      if let (id, _) = session(request) { sessions.withLock { $0[id] = nil } }
      let back =
        DemoFile.issuer + "v2/wsfederation?wa=wsignout1.0&wtrealm="
        + HTTPURL.percentEncoded("urn:speakeasy:" + slug) + "&wreply="
        + HTTPURL.percentEncoded(DemoFile.application + "/signin")
      return SpeakEasyPages.redirect(
        back, cookies: ["speakeasy-session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax"])
    }

    /// The issuer's sign-out reaches this browser too; without `wa` it is the way back.
    private func cleanup(_ request: Request) -> Response {
      if let (id, _) = session(request) { sessions.withLock { $0[id] = nil } }
      guard request.uri.queryParameters["wa"] == nil else {
        return Response(PassiveSignIn.cleanupAnswer)
      }
      return SpeakEasyPages.redirect("/")
    }

    private static func cookie(_ name: String, _ value: String) -> String {
      "\(name)=\(value); Path=/; HttpOnly; SameSite=Lax"
    }
  }

  /// Pages of the demonstration as responses.
  enum SpeakEasyPages {
    static func response(
      _ status: HTTPTypes.HTTPResponse.Status, _ content: PageContent, title: String = "SpeakEasy",
      cookies: [String] = []
    ) -> Response {
      let (html, policy) = MustachePages(title: title).html(.content(content))
      var headers = HTTPTypes.HTTPFields()
      headers[.contentType] = "text/html; charset=utf-8"
      headers[.contentSecurityPolicy] = policy
      headers[.cacheControl] = "no-store"
      for cookie in cookies { headers.append(HTTPField(name: .setCookie, value: cookie)) }
      return Response(
        status: status, headers: headers,
        body: ResponseBody(byteBuffer: ByteBuffer(bytes: Array(html.utf8))))
    }

    static func redirect(_ address: String, cookies: [String] = []) -> Response {
      var headers: HTTPTypes.HTTPFields = [.location: address]
      for cookie in cookies { headers.append(HTTPField(name: .setCookie, value: cookie)) }
      return Response(status: .seeOther, headers: headers)
    }
  }
#endif
