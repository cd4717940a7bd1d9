public import HTTPExchange

/// The way from a post to its receipt, request by request. A value without a socket.
public protocol FeedFlow: Sendable {
  /// What to do next. `answer` is the answer to the request of the step before, a success.
  mutating func next(after answer: HTTPResponse?) throws(FeedError) -> FeedStep
}
