import Foundation
import SimulatedService
import Synchronization
public import TokenBasics

/// The posts of a simulated service, the tokens that may post, and the next failures.
public final class FeedBoard: Sendable {
  /// A failure that happens once.
  public enum Trouble: Sendable {
    /// The service accepts no post before that time.
    case rateLimit(until: Instant)
    /// The service fails before it publishes.
    case breakdown
    /// The service fails after it has published: the response is lost.
    case breakdownAfterPosting
    /// The token lacks the permission.
    case permission
  }

  struct Post: Sendable {
    let key: String?
    let text: String
  }

  private struct State {
    var tokens: [String: Instant] = [:]
    var posts: [Post] = []
    var trouble: [Trouble] = []
  }

  public let time: any TimeSource
  /// The uploaded images.
  public let images = ImageShelf()
  private let state = Mutex(State())

  public init(time: any TimeSource) { self.time = time }

  /// The posts, in order.
  public var posts: [String] { state.withLock { $0.posts.map(\.text) } }

  /// Lets a token post until its expiry.
  public func allow(_ token: String, until end: Instant) {
    state.withLock { $0.tokens[token] = end }
  }

  /// Sets the failures of the next posts, in turn.
  public func expect(_ trouble: Trouble...) { state.withLock { $0.trouble += trouble } }

  func takes(_ token: String) -> Bool {
    let now = time.now
    return state.withLock { $0.tokens[token].map { now < $0 } ?? false }
  }

  func nextTrouble() -> Trouble? {
    state.withLock { $0.trouble.isEmpty ? nil : $0.trouble.removeFirst() }
  }

  func has(text: String) -> Bool { state.withLock { $0.posts.contains { $0.text == text } } }

  /// The number of the post with that key.
  func number(ofKey key: String) -> Int? {
    state.withLock { $0.posts.firstIndex { $0.key == key }.map { $0 + 1 } }
  }

  /// Publishes a post and returns its number.
  func put(_ text: String, key: String? = nil) -> Int {
    state.withLock { state in
      state.posts.append(Post(key: key, text: text))
      return state.posts.count
    }
  }

  /// The token of `Authorization: Bearer`, in exactly this form.
  static func bearer(_ request: ServerRequest) throws(Refusal) -> String {
    guard request.query?.contains("access_token") != true else {
      throw Refusal(400, "a token in an address")
    }
    guard let field = request["Authorization"], field.hasPrefix("Bearer "),
      !field.dropFirst(7).contains(" ")
    else { throw Refusal(400, "Authorization: Bearer is wanted") }
    return String(field.dropFirst(7))
  }
}
