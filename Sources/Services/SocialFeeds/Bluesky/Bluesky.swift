public import HTTPExchange
public import TokenBasics

/// Posts to an account on Bluesky (AT Protocol).
///
/// The client chooses the record key, so that a repeated request overwrites the post with itself instead
/// of posting twice.
public struct Bluesky: FeedService {
  /// The name in errors and logs: `bluesky`.
  public let name = "bluesky"
  private let server: HTTPURL
  private let session: BlueskySession

  /// The account of `session` on its server (PDS), which the DID document names.
  public init(server: HTTPURL, session: BlueskySession) {
    self.server = server
    self.session = session
  }

  /// The access and refresh token of the session.
  public var secrets: [Secret] { [session.accessToken, session.refreshToken] }

  /// Checks the limits of 300 graphemes and 3,000 bytes of UTF-8.
  /// - Throws: `feed.too-long`.
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

  /// The requests of a post: a look-up for each account that is mentioned, an upload if there is an image, then the
  /// record. Never throws.
  public func flow(
    for post: FeedPost, _ attempt: PostAttempt
  ) throws(FeedError) -> any FeedFlow {
    BlueskyFlow(service: self, post: post, attempt: attempt)
  }

  /// The meaning of an error response, by `error` of its body, else by its status.
  public func refusal(_ answer: HTTPResponse, now: Instant) -> FeedError {
    let reader = FeedAnswer(self)
    let body = reader.body(answer)
    let error = body?["error"]?.string
    var words = error ?? "status \(answer.status)"
    if let message = body?["message"]?.string { words += ": " + message }
    let reason: FeedError.Reason =
      switch (answer.status, error) {
      case (_, "AccountTakedown"), (_, "AccountDeactivated"), (_, "AccountSuspended"): .blocked
      // An expired token has status 400 here.
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

  /// A made-up response: an identifier for a look-up, a blob for an upload, a record URI for a post.
  public func rehearsedAnswer(to request: FeedRequest) -> HTTPResponse {
    if request.isOptional {
      return HTTPResponse(status: 200, body: Array(#"{"did":"did:plc:rehearsed"}"#.utf8))
    }
    let body =
      request.purpose == .publication
      ? #"{"uri":"at://rehearsed/app.bsky.feed.post/rehearsed","cid":"rehearsed"}"#
      : #"{"blob":{"$type":"blob","ref":{"$link":"rehearsed"},"mimeType":"image/png","size":1}}"#
    return HTTPResponse(status: 200, body: Array(body.utf8))
  }

  /// The text with the link, unless the link becomes a card: one with a title and no image beside it.
  static func text(of post: FeedPost) -> String {
    post.link?.title != nil && post.image == nil ? post.text : post.textWithLink
  }

  /// Asks whose handle it is (`com.atproto.identity.resolveHandle`). A handle without an account stays text.
  func lookUp(_ handle: String) throws(FeedError) -> FeedRequest {
    let method = try FeedAnswer.url(server, ["xrpc", "com.atproto.identity.resolveHandle"])
    var request = FeedRequest.preparation(
      try FeedAnswer.request(.get, method.adding([("handle", handle)]), [authorization]))
    request.isOptional = true
    return request
  }

  func upload(_ image: FeedImage) throws(FeedError) -> FeedRequest {
    .preparation(
      try FeedAnswer.request(
        .post, try FeedAnswer.url(server, ["xrpc", "com.atproto.repo.uploadBlob"]),
        [authorization, ("Content-Type", image.type.rawValue)], image.bytes))
  }

  /// Sends `createRecord`, and on repetition, or where the attempt is one, `putRecord` with the same key and content.
  func publication(
    _ post: FeedPost, blob: [UInt8]?, accounts: [String: String], _ attempt: PostAttempt
  ) throws(FeedError) -> FeedRequest {
    let body = BlueskyRecord.body(
      post, blob: blob, repository: session.did, key: attempt.recordKey,
      createdAt: attempt.startedAt, accounts: accounts)
    func request(_ method: String) throws(FeedError) -> HTTPRequest {
      try FeedAnswer.request(
        .post, try FeedAnswer.url(server, ["xrpc", method]),
        [authorization, ("Content-Type", "application/json")], body)
    }
    return .publication(
      try request("com.atproto.repo.\(attempt.isRepeated ? "put" : "create")Record"),
      repeatedAs: try request("com.atproto.repo.putRecord"))
  }

  private var authorization: (String, String) {
    ("Authorization", "Bearer " + session.accessToken.revealed)
  }
}

/// Looks up the accounts that are mentioned, uploads the image if there is one, then posts.
struct BlueskyFlow: FeedFlow {
  private enum State {
    case start
    case lookedUp(String)
    case uploaded
    case published
  }

  let service: Bluesky
  let post: FeedPost
  let attempt: PostAttempt
  private var state = State.start
  /// Handles that are not looked up yet.
  private var handles: [String]
  /// Identifiers by handle.
  private var accounts: [String: String] = [:]

  /// The most accounts that one post mentions; further handles stay text.
  private static let mostAccounts = 10

  init(service: Bluesky, post: FeedPost, attempt: PostAttempt) {
    self.service = service
    self.post = post
    self.attempt = attempt
    let mentioned = Set(BareDomains.handles(in: Bluesky.text(of: post)).map(\.handle))
    handles = Array(mentioned.sorted().prefix(Self.mostAccounts))
  }

  mutating func next(after answer: HTTPResponse?) throws(FeedError) -> FeedStep {
    let reader = FeedAnswer(service)
    guard let answer else { return try prepare() }
    switch state {
    case .start: return try prepare()
    case .lookedUp(let handle):
      if answer.isSuccess, let account = reader.body(answer)?["did"]?.string,
        account.hasPrefix("did:")
      {
        accounts[handle] = account
      }
      return try prepare()
    case .uploaded:
      let json = try reader.json(answer, after: .preparation)
      guard let blob = json["blob"], blob.members != nil else {
        throw reader.unreadable(JSONAnswer.malformed("an object blob"), after: .preparation)
      }
      // The record holds the server's own description of the blob, byte for byte.
      return try publish(blob: Array(answer.body[blob.range]))
    case .published:
      let json = try reader.json(answer, after: .publication)
      return .posted(FeedReceipt(id: try reader.string("uri", in: json, after: .publication)))
    }
  }

  private mutating func prepare() throws(FeedError) -> FeedStep {
    if let handle = handles.popLast() {
      state = .lookedUp(handle)
      return .send(try service.lookUp(handle))
    }
    if let image = post.image {
      state = .uploaded
      return .send(try service.upload(image))
    }
    return try publish(blob: nil)
  }

  private mutating func publish(blob: [UInt8]?) throws(FeedError) -> FeedStep {
    state = .published
    return .send(try service.publication(post, blob: blob, accounts: accounts, attempt))
  }
}
