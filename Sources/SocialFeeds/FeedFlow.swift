public import HTTPExchange

/// The requests from a post to its receipt, as a state machine without a socket.
public protocol FeedFlow: Sendable {
  /// The next step.
  /// - Parameter answer: The 2xx response to the request of the previous step; nil at the start.
  /// - Throws: ``FeedError/Reason/failed`` for an unreadable response to a preparation,
  ///   ``FeedError/Reason/unknownOutcome`` to a publication.
  mutating func next(after answer: HTTPResponse?) throws(FeedError) -> FeedStep
}
