/// One step of a ``FeedFlow``.
public enum FeedStep: Sendable {
  case send(FeedRequest)
  /// Send after a while: the service is still working on an upload.
  case wait(Duration, FeedRequest)
  case posted(FeedReceipt)
}
