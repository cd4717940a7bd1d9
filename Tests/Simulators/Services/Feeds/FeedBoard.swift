import Foundation
public import Instants
import SimulatedService
import Synchronization

/// What stands in the feed of a simulated service, who may post there, and what goes wrong next.
public final class FeedBoard: Sendable {
  /// Something that goes wrong once.
  public enum Trouble: Sendable {
    /// The service takes no post before that.
    case rateLimit(until: Instant)
    /// The service breaks before the post stands.
    case breakdown
    /// The service breaks after the post stands: the answer is lost.
    case breakdownAfterPosting
    /// The token may not do this.
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
  /// What was uploaded for its posts.
  public let images = ImageShelf()
  private let state = Mutex(State())

  public init(time: any TimeSource) { self.time = time }

  /// What stands there, in order.
  public var posts: [String] { state.withLock { $0.posts.map(\.text) } }

  /// Lets a token post until its end.
  public func allow(_ token: String, until end: Instant) {
    state.withLock { $0.tokens[token] = end }
  }

  /// Lets these happen to the next posts, in turn.
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

  /// Puts a post up; its number.
  func put(_ text: String, key: String? = nil) -> Int {
    state.withLock { state in
      state.posts.append(Post(key: key, text: text))
      return state.posts.count
    }
  }

  /// The token of `Authorization: Bearer`, exactly so.
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
