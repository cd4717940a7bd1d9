public import BrowserExchange
public import HTTPExchange
public import Instants

/// A service with a feed: makes its requests and interprets its responses.
public protocol FeedService: Sendable {
  /// The name in errors: `facebook`, `mastodon`…
  var name: String { get }
  /// The credentials to mask in errors and previews.
  var secrets: [Secret] { get }
  /// Checks the post without the network, above all its length as the service counts it.
  /// - Throws: `feed.too-long`, `feed.rejected`.
  func check(_ post: FeedPost) throws(FeedError)
  /// The requests of a post that passed ``check(_:)``.
  func flow(for post: FeedPost, _ attempt: PostAttempt) throws(FeedError) -> any FeedFlow
  /// The error for a response with a status outside 2xx; `now` is the base of relative times.
  func refusal(_ answer: HTTPResponse, now: Instant) -> FeedError
  /// A made-up response to a request of the service's flow, so that ``Feed/rehearsal(of:attempt:)`` can show
  /// the requests that follow.
  func rehearsedAnswer(to request: FeedRequest) -> HTTPResponse
}
