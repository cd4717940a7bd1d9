public import FederationClient
public import HTTPExchange
public import Instants

/// A service with a feed: what its requests look like and what its answers mean.
public protocol FeedService: Sendable {
  /// The name in errors: `facebook`, `mastodon`…
  var name: String { get }
  /// What must never be shown.
  var secrets: [Secret] { get }
  /// Checks what can be checked without the network, above all the length as the service counts it.
  func check(_ post: FeedPost) throws(FeedError)
  /// Begins a post that ``check(_:)`` let through.
  func flow(for post: FeedPost, _ attempt: PostAttempt) throws(FeedError) -> any FeedFlow
  /// What an answer outside 2xx means.
  func refusal(_ answer: HTTPResponse, now: Instant) -> FeedError
  /// An answer of the service to a request of its own flow, made up: a rehearsal shows the requests
  /// that follow.
  func rehearsedAnswer(to request: FeedRequest) -> HTTPResponse
}
