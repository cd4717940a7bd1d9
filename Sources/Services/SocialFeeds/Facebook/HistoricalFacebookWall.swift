public import HTTPExchange
public import TokenBasics

/// `POST /me/feed` as it was until 2018, for self-hosted simulators and for reading old code.
///
/// The samples of the time wrote the token and the text into the address, unescaped. Graph accepted them
/// in the body too, which logs do not record; they are sent there.
public struct HistoricalFacebookWall: FeedService {
  /// The name in errors and logs: `facebook`.
  public let name = "facebook"
  private let address: HTTPURL
  private let token: Secret

  /// Posts to the wall of the token's owner.
  ///
  /// - Parameters:
  ///   - graph: The host and, if any, the version.
  ///   - accessToken: A token of the wall's owner.
  /// - Throws: `transport.malformed-address`.
  public init(graph: HTTPURL, accessToken: Secret) throws(TokenError) {
    address = try graph.appending(["me", "feed"])
    token = accessToken
  }

  /// The access token.
  public var secrets: [Secret] { [token] }

  /// Rejects a post with an image.
  /// - Throws: `feed.rejected`.
  public func check(_ post: FeedPost) throws(FeedError) {
    guard post.image == nil else {
      throw FeedError(.rejected, service: name, expected: "text or a link", found: "an image")
    }
  }

  /// The single request of a post. Never throws.
  public func flow(
    for post: FeedPost, _ attempt: PostAttempt
  ) throws(FeedError) -> any FeedFlow {
    var fields: [(name: String, value: String)] = [("access_token", token.revealed)]
    if !post.text.isEmpty { fields.append(("message", post.text)) }
    if let link = post.link { fields.append(("link", link.url.text)) }
    return PublicationFlow(
      self,
      .publication(
        try FeedAnswer.request(
          .post, address, [("Content-Type", FormBody.mediaType)], FormBody.encode(fields)),
        repeatedAs: nil)
    ) { reader, answer throws(FeedError) in
      let json = try reader.json(answer, after: .publication)
      return FeedReceipt(id: try reader.string("id", in: json, after: .publication))
    }
  }

  /// The meaning of an error response, by Graph's `code` and `error_subcode`, else by its status.
  public func refusal(_ answer: HTTPResponse, now: Instant) -> FeedError {
    FacebookRefusal.read(answer, FeedAnswer(self), now)
  }

  /// A made-up response with an identifier.
  public func rehearsedAnswer(to request: FeedRequest) -> HTTPResponse {
    HTTPResponse(status: 200, body: Array(#"{"id":"rehearsed"}"#.utf8))
  }
}
