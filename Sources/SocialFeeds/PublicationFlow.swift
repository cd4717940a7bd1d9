import HTTPExchange

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
