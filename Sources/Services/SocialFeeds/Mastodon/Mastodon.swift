public import HTTPExchange
public import Instants
import Octets

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
