/// One step of a ``FeedFlow``.
public enum FeedStep: Sendable {
  /// Send the request.
  case send(FeedRequest)
  /// Wait, then send the request: the service is still processing an upload.
  case wait(Duration, FeedRequest)
  /// The post is published; there is no further request.
  case posted(FeedReceipt)
}
