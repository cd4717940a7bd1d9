public import FederationClient
public import HTTPExchange
public import Instants
import StrictJSON

/// The posts of an account on Bluesky (AT Protocol).
///
/// The client chooses the name of the record, so that a repeated request overwrites the post with itself
/// instead of posting twice.
public struct Bluesky: FeedService {
  public let name = "bluesky"
  private let server: HTTPURL
  private let session: BlueskySession

  /// An account on its own server (PDS), which the DID document names.
  public init(server: HTTPURL, session: BlueskySession) {
    self.server = server
    self.session = session
  }

  public var secrets: [Secret] { [session.accessToken, session.refreshToken] }

  /// 300 graphemes and 3,000 bytes of UTF-8.
  public func check(_ post: FeedPost) throws(FeedError) {
    let text = Self.text(of: post)
    guard text.count <= 300 else {
      throw FeedError(
        .tooLong, service: name, expected: "at most 300 graphemes", found: "\(text.count)")
    }
    guard text.utf8.count <= 3_000 else {
      throw FeedError(
        .tooLong, service: name, expected: "at most 3000 bytes", found: "\(text.utf8.count)")
    }
  }

  public func flow(
    for post: FeedPost, _ attempt: PostAttempt
  ) throws(FeedError) -> any FeedFlow {
    BlueskyFlow(service: self, post: post, attempt: attempt)
  }

  public func refusal(_ answer: HTTPResponse, now: Instant) -> FeedError {
    let reader = FeedAnswer(self)
    let body = reader.body(answer)
    let error = body?["error"]?.string
    var words = error ?? "status \(answer.status)"
    if let message = body?["message"]?.string { words += ": " + message }
    let reason: FeedError.Reason =
      switch (answer.status, error) {
      case (_, "AccountTakedown"), (_, "AccountDeactivated"), (_, "AccountSuspended"): .blocked
      // A dead token comes with status 400 here.
      case (_, "ExpiredToken"), (_, "InvalidToken"), (401, _): .tokenExpired
      case (429, _), (_, "RateLimitExceeded"):
        .rateLimited(
          until: RateLimitReset.epoch("ratelimit-reset", answer, now)
            ?? RateLimitReset.retryAfter(answer, now))
      case (400, _) where words.mentions("must not be longer than"): .tooLong
      default: FeedAnswer.reason(answer.status)
      }
    return reader.refusal(reason, words)
  }

  public func rehearsedAnswer(to request: FeedRequest) -> HTTPResponse {
    let body =
      request.purpose == .publication
      ? #"{"uri":"at://rehearsed/app.bsky.feed.post/rehearsed","cid":"rehearsed"}"#
      : #"{"blob":{"$type":"blob","ref":{"$link":"rehearsed"},"mimeType":"image/png","size":1}}"#
    return HTTPResponse(status: 200, body: Array(body.utf8))
  }

  /// A link with a title is a card; without one it stands in the text.
  static func text(of post: FeedPost) -> String {
    post.link?.title != nil && post.image == nil ? post.text : post.textWithLink
  }

  func upload(_ image: FeedImage) throws(FeedError) -> FeedRequest {
    .preparation(
      try FeedAnswer.request(
        .post, try FeedAnswer.url(server, ["xrpc", "com.atproto.repo.uploadBlob"]),
        [authorization, ("Content-Type", image.type.rawValue)], image.bytes))
  }

  /// First `createRecord`; a repetition is `putRecord` under the same name with the same content.
  func publication(
    _ post: FeedPost, blob: [UInt8]?, _ attempt: PostAttempt
  ) throws(FeedError) -> FeedRequest {
    let body = BlueskyRecord.body(
      post, blob: blob, repository: session.did, key: attempt.recordKey,
      createdAt: attempt.startedAt)
    func request(_ method: String) throws(FeedError) -> HTTPRequest {
      try FeedAnswer.request(
        .post, try FeedAnswer.url(server, ["xrpc", method]),
        [authorization, ("Content-Type", "application/json")], body)
    }
    return .publication(
      try request("com.atproto.repo.createRecord"),
      repeatedAs: try request("com.atproto.repo.putRecord"))
  }

  private var authorization: (String, String) {
    ("Authorization", "Bearer " + session.accessToken.revealed)
  }
}
