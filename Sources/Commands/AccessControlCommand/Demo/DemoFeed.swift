#if Server
  import CommandServer
  import HTTPTypes
  import Hummingbird
  import HummingbirdFederation
  import SecurityKeys
  import Synchronization
  import TokenBasics

  /// A feed that takes posts with the access tokens of test people, by two interfaces: `POST /me/feed`, as Facebook's
  /// was until 2018, and pages as the Graph API has them today, to which `claims-client post` posts.
  final class DemoFeed: Sendable {
    private struct Post {
      let id: String
      let author: String
      let message: String
      let time: Instant
    }

    private struct State {
      var posts: [Post] = []
      var count = 0
      /// Whether the next post is refused, as if its person had taken the permission back.
      var refusesNext = false
    }

    private let state = Mutex(State())
    /// The names of people by their access tokens.
    private let people: [String: String]
    private let addresses: DemoAddresses
    private let responder = SiteResponder(pages: MustachePages(title: "Feed"), isSecure: false)
    private static let most = 100
    /// The page of each person: its token is the person's with this before it.
    private static let (page, pagePrefix) = ("4711", "page-")

    init(_ addresses: DemoAddresses, people: [String: String]) {
      self.addresses = addresses
      self.people = people
    }

    func listener() throws(TokenError) -> Listener {
      let router = Router(context: BasicRequestContext.self)
      router.get("/") { [self] request, _ in Response(show(request)) }
      router.post("me/feed") { [self] request, _ in Response(try await postToWall(request)) }
      router.get(":version/me/accounts") { [self] request, _ in Response(listPages(request)) }
      router.post(":version/:page/feed") { [self] request, context in
        let page = context.parameters.get("page") ?? ""
        return Response(try await postToPage(request, page))
      }
      return try Listener(
        router.buildResponder(), at: addresses.feedListener, connections: 64,
        logger: .server(of: "acs"))
    }

    /// The next post is refused as if the token had been withdrawn.
    func refuseNext() { state.withLock { $0.refusesNext = true } }

    // MARK: Posts

    /// With the token in the body.
    private func postToWall(_ request: Request) async throws -> HTTPExchange.HTTPResponse {
      let form = try await WebRequest(request, bodyLimit: 1 << 16).form(passingOver: .nothing)
      return post(form["message"], as: people[form["access_token"] ?? ""])
    }

    /// With the page's token in `Authorization`.
    private func postToPage(
      _ request: Request, _ page: String
    ) async throws -> HTTPExchange.HTTPResponse {
      guard page == Self.page else {
        return refusal(404, 100, "There is no page \(Self.page) here")
      }
      let form = try await WebRequest(request, bodyLimit: 1 << 16).form(passingOver: .nothing)
      let token = Self.bearer(request)
      let author =
        token.hasPrefix(Self.pagePrefix)
        ? people[String(token.dropFirst(Self.pagePrefix.count))] : nil
      return post(form["message"], as: author)
    }

    /// The one page of each person.
    private func listPages(_ request: Request) -> HTTPExchange.HTTPResponse {
      let token = Self.bearer(request)
      guard let name = people[token] else { return unknownToken }
      var json = JSONWriter()
      json.object { json in
        json.name("data")
        json.array { json in
          json.object { json in
            json.member("id", Self.page)
            json.member("name", "\(name)'s page")
            json.member("access_token", Self.pagePrefix + token)
            json.name("tasks")
            json.array { $0.string("CREATE_CONTENT") }
          }
        }
      }
      return responder.response(200, "application/json", json.bytes)
    }

    private static func bearer(_ request: Request) -> String {
      let field = request.headers[.authorization] ?? ""
      return field.hasPrefix("Bearer ") ? String(field.dropFirst(7)) : ""
    }

    private func post(_ message: String?, as author: String?) -> HTTPExchange.HTTPResponse {
      guard let author else { return unknownToken }
      guard let message, !message.isEmpty else {
        return refusal(400, 100, "The post has no message")
      }
      let id = state.withLock { state -> String? in
        guard !state.refusesNext else {
          state.refusesNext = false
          return nil
        }
        state.count += 1
        let id = "\(Self.page)_\(state.count)"
        if state.posts.count >= Self.most { state.posts.removeFirst() }
        state.posts.append(
          Post(id: id, author: author, message: message, time: SystemTime().now))
        return id
      }
      guard let id else {
        return refusal(400, 190, "The permission to post was withdrawn")
      }
      var json = JSONWriter()
      json.object { $0.member("id", id) }
      return responder.response(200, "application/json", json.bytes)
    }

    private var unknownToken: HTTPExchange.HTTPResponse {
      refusal(401, 190, "The access token is not one that this feed knows")
    }

    /// An error as the Graph API writes it.
    private func refusal(
      _ status: Int, _ code: Int, _ message: String
    ) -> HTTPExchange.HTTPResponse {
      var json = JSONWriter()
      json.object { json in
        json.name("error")
        json.object { json in
          json.member("message", message)
          json.member("type", "OAuthException")
          json.name("code")
          json.integer(code)
        }
      }
      return responder.response(status, "application/json", json.bytes)
    }

    // MARK: The page

    /// `GET /?post=4711_1`: the newest first, and that post marked.
    private func show(_ request: Request) -> HTTPExchange.HTTPResponse {
      let shown = request.uri.queryParameters["post"].map(String.init)
      let posts = state.withLock { $0.posts }
      var content = PageContent("What people say")
      content.notes = posts.isEmpty ? ["There are no posts yet."] : []
      if posts.contains(where: { $0.id == shown }) { content.outcome = "Your post is in the feed." }
      content.entries = posts.reversed().map { post in
        PageContent.Entry(
          post.author, text: post.message, remarks: [PageTime.clock(post.time), post.id],
          isMarked: post.id == shown)
      }
      content.nextLink = PageContent.Link("Back to the talks", to: addresses.application)
      return responder.page(200, .content(content))
    }
  }
#endif
