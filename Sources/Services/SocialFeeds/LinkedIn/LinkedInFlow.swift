public import HTTPExchange
import Octets
public import TokenErrors

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
