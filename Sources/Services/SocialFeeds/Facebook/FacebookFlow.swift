import HTTPExchange
import Octets

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
