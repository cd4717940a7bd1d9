public import HTTPExchange
public import TokenBasics

/// Posts of an account on X (API v2).
///
/// There is no idempotency key: after an unknown outcome, an attempt that fails with
/// ``FeedError/Reason/duplicate`` shows that the first one was published.
public struct XService: FeedService {
  /// The provider whose access tokens the service accepts.
  public static let provider = TokenProvider.x
  /// The name in errors and logs: `x`.
  public let name = "x"
  private let api: HTTPURL
  private let token: Secret

  /// Posts to the account of the token.
  ///
  /// - Parameters:
  ///   - api: Host and version, such as `https://api.x.com/2`.
  ///   - accessToken: Of a user (scopes `tweet.write tweet.read users.read`, `media.write` for images);
  ///     an app-only token is rejected with `feed.permission`.
  public init(api: HTTPURL, accessToken: Secret) {
    self.api = api
    token = accessToken
  }

  /// The access token.
  public var secrets: [Secret] { [token] }

  /// Checks the weighted length of at most 280 and rejects GIF images.
  /// - Throws: `feed.too-long`, `feed.rejected`.
  public func check(_ post: FeedPost) throws(FeedError) {
    let length = XLength.count(post.textWithLink)
    guard length <= XLength.limit else {
      throw FeedError(
        .tooLong, service: name, expected: "a weighted length of at most \(XLength.limit)",
        found: "\(length)")
    }
    // The single-request upload has no category for animated images.
    guard post.image?.type != .gif else {
      throw FeedError(
        .rejected, service: name, expected: "a JPEG, PNG or WebP image", found: "image/gif")
    }
  }

  /// The requests of a post: upload and description if there is an image, then the post. Never throws.
  public func flow(
    for post: FeedPost, _ attempt: PostAttempt
  ) throws(FeedError) -> any FeedFlow {
    XFlow(service: self, post: post, boundary: attempt.key)
  }

  /// The meaning of an error response, by its status and, for 400 and 403, its message.
  public func refusal(_ answer: HTTPResponse, now: Instant) -> FeedError {
    let reader = FeedAnswer(self)
    let body = reader.body(answer)
    let detail =
      body?["errors"]?.array?.first?["message"]?.string ?? body?["detail"]?.string
      ?? body?["title"]?.string
    let reason: FeedError.Reason =
      switch answer.status {
      case 403 where detail?.mentions("duplicate content") ?? false: .duplicate
      case 400 where detail?.mentions("too long") ?? false,
        403 where detail?.mentions("too long") ?? false:
        .tooLong
      case 403 where detail?.mentions("suspended") ?? false,
        403 where detail?.mentions("locked") ?? false:
        .blocked
      case 429: .rateLimited(until: Self.reset(answer, now))
      default: FeedAnswer.reason(answer.status)
      }
    return reader.refusal(reason, detail ?? "status \(answer.status)")
  }

  /// The daily caps last longer than the window of the request, so an exhausted one takes precedence.
  private static func reset(_ answer: HTTPResponse, _ now: Instant) -> Instant? {
    for cap in ["x-user-limit-24hour", "x-app-limit-24hour"]
    where answer.fields[cap + "-remaining"] == "0" {
      if let reset = RateLimitReset.epoch(cap + "-reset", answer, now) { return reset }
    }
    return RateLimitReset.epoch("x-rate-limit-reset", answer, now)
      ?? RateLimitReset.retryAfter(answer, now)
  }

  /// A made-up response with an identifier.
  public func rehearsedAnswer(to request: FeedRequest) -> HTTPResponse {
    HTTPResponse(status: 200, body: Array(#"{"data":{"id":"rehearsed"}}"#.utf8))
  }

  func publication(_ post: FeedPost, media: String?) throws(FeedError) -> FeedRequest {
    var json = JSONWriter()
    json.object { json in
      json.name("text")
      json.string(post.textWithLink)
      if let media {
        json.name("media")
        json.object { json in
          json.name("media_ids")
          json.array { json in json.string(media) }
        }
      }
    }
    return .publication(
      try FeedAnswer.request(.post, try FeedAnswer.url(api, ["tweets"]), jsonFields, json.bytes),
      repeatedAs: nil)
  }

  func upload(_ image: FeedImage, boundary: String) throws(FeedError) -> FeedRequest {
    var form = MultipartForm(boundary: boundary)
    form.field("media_category", "tweet_image")
    form.file("media", image)
    return .preparation(
      try FeedAnswer.request(
        .post, try FeedAnswer.url(api, ["media", "upload"]),
        [authorization, ("Content-Type", form.mediaType)], form.body))
  }

  func describe(_ media: String, as text: String) throws(FeedError) -> FeedRequest {
    var json = JSONWriter()
    json.object { json in
      json.name("id")
      json.string(media)
      json.name("metadata")
      json.object { json in
        json.name("alt_text")
        json.object { json in
          json.name("text")
          json.string(text)
        }
      }
    }
    return .preparation(
      try FeedAnswer.request(
        .post, try FeedAnswer.url(api, ["media", "metadata"]), jsonFields, json.bytes))
  }

  private var authorization: (String, String) { ("Authorization", "Bearer " + token.revealed) }
  private var jsonFields: [(String, String)] {
    [authorization, ("Content-Type", "application/json")]
  }
}

/// Uploads and describes the image if there is one, then posts.
struct XFlow: FeedFlow {
  private enum State {
    case start
    case uploaded
    case described(media: String)
    case published
  }

  let service: XService
  let post: FeedPost
  let boundary: String
  private var state = State.start

  init(service: XService, post: FeedPost, boundary: String) {
    self.service = service
    self.post = post
    self.boundary = boundary
  }

  mutating func next(after answer: HTTPResponse?) throws(FeedError) -> FeedStep {
    let reader = FeedAnswer(service)
    guard let answer else {
      guard let image = post.image else { return try publish(media: nil) }
      state = .uploaded
      return .send(try service.upload(image, boundary: boundary))
    }
    switch state {
    case .start, .published:
      let data = try reader.json(answer, after: .publication)["data"]
      return .posted(FeedReceipt(id: try reader.string("id", in: data, after: .publication)))
    case .uploaded:
      let data = try reader.json(answer, after: .preparation)["data"]
      let id = try reader.string("id", in: data, after: .preparation)
      guard let text = post.image?.alternativeText, !text.isEmpty else {
        return try publish(media: id)
      }
      state = .described(media: id)
      return .send(try service.describe(id, as: text))
    case .described(let media):
      return try publish(media: media)
    }
  }

  private mutating func publish(media: String?) throws(FeedError) -> FeedStep {
    state = .published
    return .send(try service.publication(post, media: media))
  }
}

/// The tokens of an account on X, and their renewal.
public struct XTokens: Sendable {
  /// The token for requests.
  public let accessToken: Secret
  /// Valid once: a renewal returns the next one. Store it before the access token is used.
  public let refreshToken: Secret?
  /// When the access token expires; nil if the response has no `expires_in`.
  public let expires: Instant?

  /// New tokens for a refresh token (`POST {api}/oauth2/token`).
  ///
  /// - Throws: `feed.token-expired` when the refresh token is rejected; `transport.*`, `input.json-*`.
  public static func renewed(
    api: HTTPURL, clientID: String, refreshToken: Secret, over transport: any HTTPTransport,
    now: Instant
  ) async throws(TokenError) -> Self {
    let response = try await transport.response(
      to: .form(
        [
          ("grant_type", "refresh_token"), ("refresh_token", refreshToken.revealed),
          ("client_id", clientID),
        ], to: try api.appending(["oauth2", "token"]), fields: []))
    guard response.isSuccess else {
      throw TokenError(
        [400, 401].contains(response.status) ? .feedTokenExpired : .transportStatus, node: "x",
        found: "status \(response.status)")
    }
    let tokens = try BearerTokens(try JSONAnswer.read(response))
    return Self(
      accessToken: tokens.accessToken, refreshToken: tokens.refreshToken,
      expires: tokens.lifetime.map { now.advanced(bySeconds: $0) })
  }
}
