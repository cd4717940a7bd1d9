public import HTTPExchange
import Octets
public import SecurityKeys
public import TokenBasics

/// The feed of a Facebook page (Graph API, `/{page}/feed`).
///
/// Posting to a personal profile ended in 2018; ``HistoricalFacebookWall`` implements its format.
public struct FacebookPage: FeedService {
  /// The provider whose access tokens the service accepts.
  public static let provider = TokenProvider.facebook
  /// The name in errors and logs: `facebook`.
  public let name = "facebook"
  private let endpoint: HTTPURL
  private let page: String
  private let token: Secret
  private let proof: Secret?

  /// The feed of one page.
  ///
  /// - Parameters:
  ///   - graph: The host, such as `https://graph.facebook.com`.
  ///   - version: Such as `v23.0`. A version is supported for about two years.
  ///   - page: The identifier of the page.
  ///   - accessToken: A page token with `pages_manage_posts`.
  ///   - appSecret: Adds `appsecret_proof` to each request. Do not ship it in an app that people install.
  /// - Throws: `transport.malformed-address`; `key.hmac-length` for an empty secret.
  public init(
    graph: HTTPURL, version: String, page: String, accessToken: Secret,
    appSecret: SymmetricKey? = nil
  ) throws(TokenError) {
    endpoint = try graph.appending([version])
    _ = try endpoint.appending([page])
    self.page = page
    token = accessToken
    proof = try appSecret.map { key throws(TokenError) in
      Secret(try FacebookProof.proof(of: accessToken, key))
    }
  }

  /// The page token and the `appsecret_proof`.
  public var secrets: [Secret] { [token] + (proof.map { [$0] } ?? []) }

  /// Checks the limit of 63,206 UTF-16 code units.
  /// - Throws: `feed.too-long`.
  public func check(_ post: FeedPost) throws(FeedError) {
    let limit = 63_206
    let count = (post.image == nil ? post.text : post.textWithLink).utf16.count
    guard count <= limit else {
      throw FeedError(
        .tooLong, service: name, expected: "at most \(limit) characters", found: "\(count)")
    }
  }

  /// The requests of a post: an upload if there is an image, then the post. Never throws.
  public func flow(
    for post: FeedPost, _ attempt: PostAttempt
  ) throws(FeedError) -> any FeedFlow {
    FacebookFlow(service: self, post: post, boundary: attempt.key)
  }

  /// The meaning of an error response, by Graph's `code` and `error_subcode`, else by its status.
  public func refusal(_ answer: HTTPResponse, now: Instant) -> FeedError {
    FacebookRefusal.read(answer, FeedAnswer(self), now)
  }

  /// A made-up response with an identifier, for uploads and posts.
  public func rehearsedAnswer(to request: FeedRequest) -> HTTPResponse {
    HTTPResponse(status: 200, body: Array(#"{"id":"rehearsed"}"#.utf8))
  }

  func publication(_ post: FeedPost, photo: String?) throws(FeedError) -> FeedRequest {
    // A photo replaces the link's card, so the link is written into the text.
    let text = photo == nil ? post.text : post.textWithLink
    var fields: [(name: String, value: String)] = text.isEmpty ? [] : [("message", text)]
    if photo == nil, let link = post.link { fields.append(("link", link.url.text)) }
    if let photo {
      fields.append(("attached_media[0]", #"{"media_fbid":"\#(photo)"}"#))
    }
    fields.append(("published", "true"))
    if let proof { fields.append(("appsecret_proof", proof.revealed)) }
    return .publication(
      try FeedAnswer.request(
        .post, try FeedAnswer.url(endpoint, [page, "feed"]),
        [("Authorization", "Bearer " + token.revealed), ("Content-Type", FormBody.mediaType)],
        FormBody.encode(fields)),
      repeatedAs: nil)
  }

  func upload(_ image: FeedImage, boundary: String) throws(FeedError) -> FeedRequest {
    var form = MultipartForm(boundary: boundary)
    form.field("published", "false")
    if !image.alternativeText.isEmpty { form.field("alt_text_custom", image.alternativeText) }
    if let proof { form.field("appsecret_proof", proof.revealed) }
    form.file("source", image)
    return .preparation(
      try FeedAnswer.request(
        .post, try FeedAnswer.url(endpoint, [page, "photos"]),
        [("Authorization", "Bearer " + token.revealed), ("Content-Type", form.mediaType)],
        form.body))
  }
}

/// `appsecret_proof`: proves that the sender of the token also has the app's secret.
enum FacebookProof {
  /// Lower-case hexadecimal HMAC-SHA256 of the token under the app secret.
  /// - Throws: `policy.mint-signature` when OpenSSL fails.
  static func proof(of token: Secret, _ secret: SymmetricKey) throws(TokenError) -> String {
    let message = Array(token.revealed.utf8)
    guard let mac = secret.authenticate(message.span, with: .sha256) else {
      throw TokenError(.mintSignature, found: "hmac-sha256")
    }
    return Hex.encode(mac)
  }
}

/// Uploads the image if there is one, then posts.
struct FacebookFlow: FeedFlow {
  let service: FacebookPage
  let post: FeedPost
  let boundary: String
  private var hasPublished = false

  init(service: FacebookPage, post: FeedPost, boundary: String) {
    self.service = service
    self.post = post
    self.boundary = boundary
  }

  mutating func next(after answer: HTTPResponse?) throws(FeedError) -> FeedStep {
    let reader = FeedAnswer(service)
    guard let answer else {
      if let image = post.image {
        return .send(try service.upload(image, boundary: boundary))
      }
      hasPublished = true
      return .send(try service.publication(post, photo: nil))
    }
    let purpose: FeedRequest.Purpose = hasPublished ? .publication : .preparation
    let id = try reader.string("id", in: reader.json(answer, after: purpose), after: purpose)
    if hasPublished { return .posted(FeedReceipt(id: id)) }
    guard id.utf8.allSatisfy({ ASCII.isDigit($0) || ASCII.isLetter($0) || $0 == 0x5F }) else {
      throw reader.unreadable(JSONAnswer.malformed("an id of a photo"), after: .preparation)
    }
    hasPublished = true
    return .send(try service.publication(post, photo: id))
  }
}

/// Maps Graph's errors by their code; the status is not specific (400 for an expired token).
enum FacebookRefusal {
  static func read(_ answer: HTTPResponse, _ reader: FeedAnswer, _ now: Instant) -> FeedError {
    guard let error = reader.body(answer)?["error"], let code = error["code"]?.integer else {
      return reader.refusal(FeedAnswer.reason(answer.status), "status \(answer.status)")
    }
    let subcode = error["error_subcode"]?.integer
    var words = "code \(code)"
    if let subcode { words += ", subcode \(subcode)" }
    if let message = error["error_user_msg"]?.string ?? error["message"]?.string {
      words += ": " + message
    }
    let isTransient = error["is_transient"]?.bool ?? false
    return reader.refusal(reason(code, subcode, isTransient, answer, now), words)
  }

  private static func reason(
    _ code: Int, _ subcode: Int?, _ isTransient: Bool, _ answer: HTTPResponse, _ now: Instant
  ) -> FeedError.Reason {
    switch (code, subcode) {
    // The person must act on the site before any token works again.
    case (_, 459?), (_, 464?), (368, _): .blocked
    case (190, _), (102, _), (100, 458?), (100, 460?), (100, 463?), (100, 467?), (100, 492?):
      .tokenExpired
    case (4, _), (17, _), (32, _), (341, _), (613, _), (80_000..<81_000, _):
      .rateLimited(until: regain(answer, now))
    case (10, _), (200..<300, _): .permission
    case (506, _): .duplicate
    case (1, _), (2, _): .unavailable
    default: isTransient || answer.status >= 500 ? .unavailable : .rejected
    }
  }

  /// Graph sends no Retry-After. The usage header of a business contains the remaining minutes; the
  /// longest of several applies.
  private static func regain(_ answer: HTTPResponse, _ now: Instant) -> Instant? {
    guard let usage = answer.fields["X-Business-Use-Case-Usage"],
      let businesses = try? JSONParser.parse(Array(usage.utf8)).members
    else { return nil }
    let minutes = businesses.flatMap { $0.value.array ?? [] }
      .compactMap { $0["estimated_time_to_regain_access"]?.integer }
      .filter { (1...44_640).contains($0) }
    guard let longest = minutes.max() else { return nil }
    return RateLimitReset.plausible(now.advanced(bySeconds: Int64(longest) * 60), now)
  }
}
