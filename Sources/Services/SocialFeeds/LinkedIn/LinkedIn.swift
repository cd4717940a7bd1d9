public import HTTPExchange
public import TokenBasics

/// Posts of a member or an organisation on LinkedIn (Posts API).
public struct LinkedIn: FeedService {
  /// The provider whose access tokens the service accepts.
  public static let provider = TokenProvider.linkedIn
  /// The name in errors and logs: `linkedin`.
  public let name = "linkedin"
  private let api: HTTPURL
  private let version: String
  let author: String
  private let token: Secret
  private let uploadOrigins: Set<HTTPOrigin>

  /// Posts in the name of an author.
  ///
  /// - Parameters:
  ///   - api: Such as `https://api.linkedin.com`.
  ///   - version: The `LinkedIn-Version`, such as `202601`. A version is supported for about a year.
  ///   - author: `urn:li:person:…` or `urn:li:organization:…`.
  ///   - accessToken: With `w_member_social` or `w_organization_social`.
  ///   - uploadOrigins: Origins besides `api` to which an image upload may send the token. Uploads to
  ///     other origins are sent without it.
  public init(
    api: HTTPURL, version: String, author: String, accessToken: Secret,
    uploadOrigins: Set<HTTPOrigin> = []
  ) {
    self.api = api
    self.version = version
    self.author = author
    token = accessToken
    self.uploadOrigins = uploadOrigins.union([api.origin])
  }

  /// The access token.
  public var secrets: [Secret] { [token] }

  /// Checks the limit of 3,000 characters, counted as graphemes, the most lenient count, and rejects WebP.
  /// - Throws: `feed.too-long`, `feed.rejected`.
  public func check(_ post: FeedPost) throws(FeedError) {
    let limit = 3_000
    let count = text(of: post).count
    guard count <= limit else {
      throw FeedError(
        .tooLong, service: name, expected: "at most \(limit) characters", found: "\(count)")
    }
    guard post.image?.type != .webp else {
      throw FeedError(
        .rejected, service: name, expected: "a JPEG, PNG or GIF image", found: "image/webp")
    }
  }

  /// The requests of a post: two for the upload if there is an image, then the post. Never throws.
  public func flow(
    for post: FeedPost, _ attempt: PostAttempt
  ) throws(FeedError) -> any FeedFlow {
    LinkedInFlow(service: self, post: post)
  }

  /// The meaning of an error response, by its status and, for 400 and 422, its message.
  public func refusal(_ answer: HTTPResponse, now: Instant) -> FeedError {
    let reader = FeedAnswer(self)
    let body = reader.body(answer)
    var words = body?["message"]?.string ?? "status \(answer.status)"
    if let code = body?["code"]?.string { words = code + ": " + words }
    let reason: FeedError.Reason =
      switch answer.status {
      case 422 where words.mentions("duplicate"): .duplicate
      case 400 where words.mentions("too long") || words.mentions("exceeds the maximum"),
        422 where words.mentions("too long") || words.mentions("exceeds the maximum"):
        .tooLong
      case 429: .rateLimited(until: RateLimitReset.retryAfter(answer, now))
      default: FeedAnswer.reason(answer.status)
      }
    return reader.refusal(reason, words)
  }

  /// A made-up response: an upload address for an image, an identifier for a post.
  public func rehearsedAnswer(to request: FeedRequest) -> HTTPResponse {
    let upload = api.origin.description + "/rehearsed-upload"
    let fields = try? HTTPFields([("x-restli-id", "urn:li:share:rehearsed")])
    return HTTPResponse(
      status: request.purpose == .publication ? 201 : 200, fields: fields ?? HTTPFields(),
      body: Array(#"{"value":{"uploadUrl":"\#(upload)","image":"urn:li:image:rehearsed"}}"#.utf8))
  }

  /// The text with the link, unless the link becomes a card: one with a title and no image beside it.
  private func text(of post: FeedPost) -> String {
    post.image == nil && post.link?.title != nil ? post.text : post.textWithLink
  }

  func publication(_ post: FeedPost, image: String?) throws(FeedError) -> FeedRequest {
    var json = JSONWriter()
    json.object { json in
      json.member("author", author)
      json.member("commentary", LinkedInEscaping.escape(text(of: post)))
      json.member("visibility", "PUBLIC")
      json.name("distribution")
      json.object { json in
        json.member("feedDistribution", "MAIN_FEED")
        json.name("targetEntities")
        json.array { _ in }
        json.name("thirdPartyDistributionChannels")
        json.array { _ in }
      }
      if let image {
        json.name("content")
        json.object { json in
          json.name("media")
          json.object { json in
            json.member("id", image)
            json.member("altText", post.image?.alternativeText)
          }
        }
      } else if let link = post.link, let title = link.title {
        json.name("content")
        json.object { json in
          json.name("article")
          json.object { json in
            json.member("source", link.url.text)
            json.member("title", title)
            json.member("description", link.summary)
          }
        }
      }
      json.member("lifecycleState", "PUBLISHED")
      json.name("isReshareDisabledByAuthor")
      json.bool(false)
    }
    let url = try FeedAnswer.url(api, ["rest", "posts"])
    return .publication(
      try FeedAnswer.request(.post, url, fields, json.bytes), repeatedAs: nil)
  }

  func announceUpload() throws(FeedError) -> FeedRequest {
    var json = JSONWriter()
    json.object { json in
      json.name("initializeUploadRequest")
      json.object { json in json.member("owner", author) }
    }
    let url = try FeedAnswer.url(api, ["rest", "images"]).adding([("action", "initializeUpload")])
    return .preparation(try FeedAnswer.request(.post, url, fields, json.bytes))
  }

  func upload(_ image: FeedImage, to address: String) throws(FeedError) -> FeedRequest {
    let url: HTTPURL
    do throws(TokenError) {
      url = try UploadAddress.read(address, of: api.origin)
    } catch {
      throw FeedError(.failed, error)
    }
    var fields = [("Content-Type", image.type.rawValue)]
    if uploadOrigins.contains(url.origin) { fields.append(authorization) }
    return .preparation(try FeedAnswer.request(.put, url, fields, image.bytes))
  }

  private var authorization: (String, String) { ("Authorization", "Bearer " + token.revealed) }

  private var fields: [(String, String)] {
    [
      authorization, ("LinkedIn-Version", version), ("X-Restli-Protocol-Version", "2.0.0"),
      ("Content-Type", "application/json"),
    ]
  }
}

/// Announces and uploads the image if there is one, then posts.
struct LinkedInFlow: FeedFlow {
  private enum State {
    case start
    case announced
    case uploaded(image: String)
    case published
  }

  let service: LinkedIn
  let post: FeedPost
  private var state = State.start

  init(service: LinkedIn, post: FeedPost) {
    self.service = service
    self.post = post
  }

  mutating func next(after answer: HTTPResponse?) throws(FeedError) -> FeedStep {
    let reader = FeedAnswer(service)
    guard let answer else {
      guard post.image != nil else { return try publish(image: nil) }
      state = .announced
      return .send(try service.announceUpload())
    }
    switch state {
    case .start, .published:
      // The body is empty; the identifier of the post is in a header field.
      guard let id = answer.fields["x-restli-id"], !id.isEmpty else {
        throw reader.unreadable(JSONAnswer.malformed("a field x-restli-id"), after: .publication)
      }
      return .posted(FeedReceipt(id: id))
    case .announced:
      let value = try reader.json(answer, after: .preparation)["value"]
      let address = try reader.string("uploadUrl", in: value, after: .preparation)
      let id = try reader.string("image", in: value, after: .preparation)
      guard let image = post.image else { return try publish(image: nil) }
      state = .uploaded(image: id)
      return .send(try service.upload(image, to: address))
    case .uploaded(let image):
      return try publish(image: image)
    }
  }

  private mutating func publish(image: String?) throws(FeedError) -> FeedStep {
    state = .published
    return .send(try service.publication(post, image: image))
  }
}

extension LinkedIn {
  /// The author of a user token: `urn:li:person:` and the `sub` of `GET /v2/userinfo`.
  ///
  /// - Throws: `feed.token-expired`; `transport.*`, `input.json-*`.
  public static func author(
    api: HTTPURL, accessToken: Secret, over transport: any HTTPTransport
  ) async throws(TokenError) -> String {
    let response = try await transport.response(
      to: HTTPRequest(
        .get, try api.appending(["v2", "userinfo"]),
        fields: try HTTPFields([("Authorization", "Bearer " + accessToken.revealed)])))
    guard response.isSuccess else {
      throw TokenError(
        response.status == 401 ? .feedTokenExpired : .transportStatus, node: "linkedin",
        found: "status \(response.status)")
    }
    return "urn:li:person:" + (try JSONAnswer.string("sub", in: try JSONAnswer.read(response)))
  }
}

/// LinkedIn's "little text format", in which some characters are syntax: unescaped, they truncate the
/// text.
enum LinkedInEscaping {
  static func escape(_ text: String) -> String {
    var escaped = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if special.contains(scalar) { escaped.append("\\") }
      escaped.append(scalar)
    }
    return String(escaped)
  }

  private static let special = Set("\\|{}@[]()<>#*_~".unicodeScalars)
}
