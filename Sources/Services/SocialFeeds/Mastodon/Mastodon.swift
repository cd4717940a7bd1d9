public import HTTPExchange
import Octets
public import TokenBasics

/// Statuses of an account on a Mastodon instance, or on software with the same API.
public struct Mastodon: FeedService {
  /// Who can see a status.
  public enum Visibility: String, Hashable, Sendable {
    /// Everyone; listed in public timelines.
    case everyone = "public"
    /// Everyone; not listed in public timelines.
    case unlisted
    /// Followers of the account.
    case followers = "private"
    /// Accounts that the text mentions.
    case direct
  }

  /// The provider whose access tokens the instance accepts: the instance itself.
  public static func provider(of instance: HTTPURL) -> TokenProvider { TokenProvider(at: instance) }
  /// The name in errors and logs: `mastodon`.
  public let name = "mastodon"
  private let instance: HTTPURL
  private let token: Secret
  private let visibility: Visibility
  private let limits: MastodonLimits

  /// Posts to the account of the token.
  ///
  /// - Parameters:
  ///   - instance: Such as `https://social.example.org`.
  ///   - accessToken: With the scope `write:statuses`, and `write:media` for images.
  ///   - visibility: Who sees the posts.
  ///   - limits: The limits of the instance, from ``MastodonLimits/limits(of:over:now:)``.
  public init(
    instance: HTTPURL, accessToken: Secret, visibility: Visibility = .everyone,
    limits: MastodonLimits = MastodonLimits()
  ) {
    self.instance = instance
    token = accessToken
    self.visibility = visibility
    self.limits = limits
  }

  /// The access token.
  public var secrets: [Secret] { [token] }

  /// Checks length and image size against the limits of the instance.
  /// - Throws: `feed.too-long`, `feed.rejected`.
  public func check(_ post: FeedPost) throws(FeedError) {
    let count = MastodonLength.count(post.textWithLink, link: limits.charactersPerLink)
    guard count <= limits.characters else {
      throw FeedError(
        .tooLong, service: name, expected: "at most \(limits.characters) characters",
        found: "\(count)")
    }
    if let image = post.image, let limit = limits.imageBytes, image.bytes.count > limit {
      throw FeedError(
        .rejected, service: name, expected: "an image of at most \(limit) bytes",
        found: "\(image.bytes.count)")
    }
  }

  /// The requests of a post: an upload and its state if there is an image, then the status. Never throws.
  public func flow(
    for post: FeedPost, _ attempt: PostAttempt
  ) throws(FeedError) -> any FeedFlow {
    MastodonFlow(service: self, post: post, attempt: attempt)
  }

  /// The meaning of an error response, by its status and, for 403 and 422, its message.
  public func refusal(_ answer: HTTPResponse, now: Instant) -> FeedError {
    let reader = FeedAnswer(self)
    let words = reader.body(answer)?["error"]?.string
    let reason: FeedError.Reason =
      switch answer.status {
      case 429:
        .rateLimited(
          until: RateLimitReset.dateTime("X-RateLimit-Reset", answer, now)
            ?? RateLimitReset.retryAfter(answer, now))
      case 422 where words?.mentions("character limit") ?? false: .tooLong
      case 403 where words?.mentions("login is currently disabled") ?? false: .blocked
      case 404: .rejected
      default: FeedAnswer.reason(answer.status)
      }
    return reader.refusal(reason, words ?? "status \(answer.status)")
  }

  /// A made-up response with an identifier.
  public func rehearsedAnswer(to request: FeedRequest) -> HTTPResponse {
    HTTPResponse(status: 200, body: Array(#"{"id":"rehearsed"}"#.utf8))
  }

  func publication(
    _ post: FeedPost, media: String?, _ attempt: PostAttempt
  ) throws(FeedError) -> FeedRequest {
    var fields: [(name: String, value: String)] = [("status", post.textWithLink)]
    if let media { fields.append(("media_ids[]", media)) }
    fields.append(("visibility", visibility.rawValue))
    if let language = post.language { fields.append(("language", language)) }
    let request = try FeedAnswer.request(
      .post, try FeedAnswer.url(instance, ["api", "v1", "statuses"]),
      [
        authorization, ("Idempotency-Key", attempt.key), ("Content-Type", FormBody.mediaType),
        ("Accept", "application/json"),
      ],
      FormBody.encode(fields))
    // The instance returns the same status for the same key.
    return .publication(request, repeatedAs: request)
  }

  func upload(_ image: FeedImage, boundary: String) throws(FeedError) -> FeedRequest {
    var form = MultipartForm(boundary: boundary)
    if !image.alternativeText.isEmpty { form.field("description", image.alternativeText) }
    form.file("file", image)
    return .preparation(
      try FeedAnswer.request(
        .post, try FeedAnswer.url(instance, ["api", "v2", "media"]),
        [authorization, ("Content-Type", form.mediaType), ("Accept", "application/json")],
        form.body))
  }

  func uploadState(_ id: String) throws(FeedError) -> FeedRequest {
    .preparation(
      try FeedAnswer.request(
        .get, try FeedAnswer.url(instance, ["api", "v1", "media", id]),
        [authorization, ("Accept", "application/json")]))
  }

  private var authorization: (String, String) { ("Authorization", "Bearer " + token.revealed) }
}

/// Uploads the image if there is one, waits until it is processed, then posts.
struct MastodonFlow: FeedFlow {
  private enum State {
    case start
    case uploaded
    case processing(id: String, looks: Int)
    case published
  }

  let service: Mastodon
  let post: FeedPost
  let attempt: PostAttempt
  private var state = State.start

  init(service: Mastodon, post: FeedPost, attempt: PostAttempt) {
    self.service = service
    self.post = post
    self.attempt = attempt
  }

  mutating func next(after answer: HTTPResponse?) throws(FeedError) -> FeedStep {
    let reader = FeedAnswer(service)
    guard let answer else {
      guard let image = post.image else { return try publish(media: nil) }
      state = .uploaded
      return .send(try service.upload(image, boundary: attempt.key))
    }
    switch state {
    case .start, .published:
      let json = try reader.json(answer, after: .publication)
      return .posted(
        FeedReceipt(
          id: try reader.string("id", in: json, after: .publication), address: json["url"]?.string))
    case .uploaded:
      let id = try reader.string(
        "id", in: reader.json(answer, after: .preparation), after: .preparation)
      // 202: stored, not yet processed.
      guard answer.status == 202 else { return try publish(media: id) }
      state = .processing(id: id, looks: 1)
      return .wait(.seconds(1), try service.uploadState(id))
    case .processing(let id, let looks):
      // 206: still processing.
      guard answer.status == 206 else { return try publish(media: id) }
      guard looks < 30 else {
        throw FeedError(
          .unavailable, service: service.name, expected: "the image processed within 30 s")
      }
      state = .processing(id: id, looks: looks + 1)
      return .wait(.seconds(1), try service.uploadState(id))
    }
  }

  private mutating func publish(media: String?) throws(FeedError) -> FeedStep {
    state = .published
    return .send(try service.publication(post, media: media, attempt))
  }
}

/// The maximum length of a status and size of an image, which each instance configures.
public struct MastodonLimits: Hashable, Sendable {
  /// Characters of a status; 500 by default.
  public var characters = 500
  /// Characters that a link counts, whatever its length; 23 by default.
  public var charactersPerLink = 23
  /// Bytes of an image; nil if the instance publishes no limit and only rejects larger ones.
  public var imageBytes: Int?

  /// The default limits.
  public init() {}

  /// The limits of an instance (`GET /api/v2/instance`), with the defaults for missing members.
  ///
  /// - Throws: `feed.rate-limited` with the time at which it ends, `feed.unavailable`; `transport.*`,
  ///   `input.json-*`.
  public static func limits(
    of instance: HTTPURL, over transport: any HTTPTransport, now: Instant = SystemTime().now
  ) async throws(TokenError) -> Self {
    let response = try await transport.response(
      to: HTTPRequest(.get, try instance.appending(["api", "v2", "instance"])))
    guard response.isSuccess else {
      if response.status == 429 || response.status >= 500 {
        throw Mastodon(instance: instance, accessToken: Secret("")).refusal(response, now: now)
          .cause
      }
      throw TokenError(.transportStatus, node: "/api/v2/instance", found: "\(response.status)")
    }
    let configuration = try JSONAnswer.read(response)["configuration"]
    let statuses = configuration?["statuses"]
    var limits = Self()
    if let characters = statuses?["max_characters"]?.integer, characters > 0 {
      limits.characters = characters
    }
    if let link = statuses?["characters_reserved_per_url"]?.integer, link > 0 {
      limits.charactersPerLink = link
    }
    let media = configuration?["media_attachments"]
    if let bytes = media?["image_size_limit"]?.integer, bytes > 0 { limits.imageBytes = bytes }
    return limits
  }
}
