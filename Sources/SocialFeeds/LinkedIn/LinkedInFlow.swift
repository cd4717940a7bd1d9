import BrowserExchange
import HTTPExchange
import StrictJSON

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
