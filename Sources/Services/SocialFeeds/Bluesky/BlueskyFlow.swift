import HTTPExchange
import Octets

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
