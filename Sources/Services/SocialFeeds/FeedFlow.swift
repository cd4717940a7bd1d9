public import HTTPExchange

/// The requests from a post to its receipt, as a state machine without a socket.
public protocol FeedFlow: Sendable {
  /// The next step.
  /// - Parameter answer: The 2xx response to the request of the previous step; nil at the start.
  /// - Throws: ``FeedError/Reason/failed`` for an unreadable response to a preparation,
  ///   ``FeedError/Reason/unknownOutcome`` to a publication.
  mutating func next(after answer: HTTPResponse?) throws(FeedError) -> FeedStep
}

/// One step of a ``FeedFlow``.
public enum FeedStep: Sendable {
  /// Send the request.
  case send(FeedRequest)
  /// Wait, then send the request: the service is still processing an upload.
  case wait(Duration, FeedRequest)
  /// The post is published; there is no further request.
  case posted(FeedReceipt)
}

/// The result of a published post.
public struct FeedReceipt: Hashable, Sendable {
  /// The service's identifier of the post: an opaque string, even if it looks like a number.
  public let id: String
  /// The address of the post for people, if the response has one. Unchecked text of the service.
  public let address: String?

  /// A receipt with that identifier.
  public init(id: String, address: String? = nil) {
    self.id = id
    self.address = address
  }
}

/// A flow of one request, whose response gives the receipt.
struct PublicationFlow: FeedFlow {
  private let reader: FeedAnswer
  private let request: FeedRequest
  private let receipt: @Sendable (FeedAnswer, HTTPResponse) throws(FeedError) -> FeedReceipt

  init(
    _ service: any FeedService, _ request: FeedRequest,
    receipt: @escaping @Sendable (FeedAnswer, HTTPResponse) throws(FeedError) -> FeedReceipt
  ) {
    reader = FeedAnswer(service)
    self.request = request
    self.receipt = receipt
  }

  mutating func next(after answer: HTTPResponse?) throws(FeedError) -> FeedStep {
    guard let answer else { return .send(request) }
    return .posted(try receipt(reader, answer))
  }
}
