import HTTPExchange
import Octets

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
