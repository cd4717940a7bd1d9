#if Server
  import AccessControl
  import CommandServer
  import HTTPTypes
  import Hummingbird
  import HummingbirdFederation
  import Synchronization

  /// A wall on loopback that takes posts as Facebook's did, with the token of a test person.
  final class DemoFeed: Sendable {
    private let posts = Mutex<[String]>([])

    func listener() throws(TokenError) -> Listener {
      let router = Router(context: BasicRequestContext.self)
      router.post("me/feed") { [self] request, _ in try await post(request) }
      router.get("/") { [self] _, _ in page() }
      return try DemoFile.listener(router.buildResponder(), 8092)
    }

    private struct Post: Decodable {
      let access_token: String
      let message: String
    }

    private func post(_ request: Request) async throws -> Response {
      let buffer = try await request.body.collect(upTo: 1 << 16)
      let post = try URLEncodedFormDecoder().decode(Post.self, from: String(buffer: buffer))
      guard post.access_token.hasPrefix("test-access-token-") else {
        return json(
          .unauthorized,
          #"{"error":{"message":"no such token","type":"OAuthException","code":190}}"#)
      }
      let number = posts.withLock { posts in
        if posts.count >= 100 { posts.removeFirst() }
        posts.append(post.message)
        return posts.count
      }
      return json(.ok, "{\"id\":\"4711_\(number)\"}")
    }

    private func page() -> Response {
      var content = PageContent("The feed")
      let posts = posts.withLock { $0 }
      content.notes = posts.isEmpty ? ["Nobody posted anything yet."] : posts.reversed()
      content.onward = PageContent.Link("To SpeakEasy", to: DemoFile.application + "/")
      return SpeakEasyPages.response(.ok, content, title: "Feed")
    }

    private func json(_ status: HTTPTypes.HTTPResponse.Status, _ text: String) -> Response {
      Response(
        status: status, headers: [.contentType: "application/json"],
        body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
  }
#endif
