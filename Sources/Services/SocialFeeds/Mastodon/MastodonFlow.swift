import HTTPExchange
import Octets

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
