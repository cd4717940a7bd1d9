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
