public import HTTPExchange

/// One request on the way to a post.
public struct FeedRequest: Sendable {
  public enum Purpose: Hashable, Sendable {
    /// Prepares: an upload, a look-up. Nobody sees a post after it.
    case preparation
    /// Makes the post visible.
    case publication
  }

  public let purpose: Purpose
  public let http: HTTPRequest
  /// What to send when it is not known whether the request arrived; nil when sending again could post
  /// twice.
  public let repetition: HTTPRequest?

  /// A request that prepares and may be sent again.
  public static func preparation(_ http: HTTPRequest) -> Self {
    Self(purpose: .preparation, http: http, repetition: http)
  }

  /// The request that posts.
  public static func publication(_ http: HTTPRequest, repeatedAs repetition: HTTPRequest?) -> Self {
    Self(purpose: .publication, http: http, repetition: repetition)
  }
}
