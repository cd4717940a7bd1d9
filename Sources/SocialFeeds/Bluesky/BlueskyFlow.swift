import FederationClient
import HTTPExchange
import StrictJSON

/// Uploads the image if there is one, then posts.
struct BlueskyFlow: FeedFlow {
  let service: Bluesky
  let post: FeedPost
  let attempt: PostAttempt
  private var hasPublished = false

  init(service: Bluesky, post: FeedPost, attempt: PostAttempt) {
    self.service = service
    self.post = post
    self.attempt = attempt
  }

  mutating func next(after answer: HTTPResponse?) throws(FeedError) -> FeedStep {
    let reader = FeedAnswer(service)
    guard let answer else {
      if let image = post.image { return .send(try service.upload(image)) }
      return try publish(blob: nil)
    }
    guard hasPublished else {
      let json = try reader.json(answer, after: .preparation)
      guard let blob = json["blob"], blob.members != nil else {
        throw reader.unreadable(JSONAnswer.malformed("an object blob"), after: .preparation)
      }
      // The record holds the server's own description of the blob, byte for byte.
      return try publish(blob: Array(answer.body[blob.range]))
    }
    let json = try reader.json(answer, after: .publication)
    return .posted(FeedReceipt(id: try reader.string("uri", in: json, after: .publication)))
  }

  private mutating func publish(blob: [UInt8]?) throws(FeedError) -> FeedStep {
    hasPublished = true
    return .send(try service.publication(post, blob: blob, attempt))
  }
}
