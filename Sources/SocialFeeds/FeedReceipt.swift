/// The proof that a post stands in the feed.
public struct FeedReceipt: Hashable, Sendable {
  /// The service's name of the post: an opaque string, also where it looks like a number.
  public let id: String
  /// Where a person can look at it, if the service says so. Text of the service; not checked.
  public let address: String?

  public init(id: String, address: String? = nil) {
    self.id = id
    self.address = address
  }
}
