public import HTTPExchange
public import TokenBasics

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

/// One of the requests that publish a post.
public struct FeedRequest: Sendable {
  /// Whether the post can exist after the request.
  public enum Purpose: Hashable, Sendable {
    /// Prepares: an upload, a look-up. The post does not exist after it.
    case preparation
    /// Makes the post visible.
    case publication
  }

  /// Whether the request prepares or publishes.
  public let purpose: Purpose
  /// The request to send first.
  public let http: HTTPRequest
  /// The request to send when it is unknown whether the first one arrived; nil when a repetition could post
  /// twice.
  public let repetition: HTTPRequest?
  /// Whether the post goes on where the service refuses this request; the flow then gets the refusal as its answer.
  public var isOptional = false

  /// A request that prepares and can be repeated.
  public static func preparation(_ http: HTTPRequest) -> Self {
    Self(purpose: .preparation, http: http, repetition: http)
  }

  /// The request that publishes; nil as `repetition` forbids to repeat it.
  public static func publication(_ http: HTTPRequest, repeatedAs repetition: HTTPRequest?) -> Self {
    Self(purpose: .publication, http: http, repetition: repetition)
  }
}
