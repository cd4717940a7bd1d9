public import Instants
import Octets
import SecurityKeys
import TokenErrors

/// The sign-ins that were begun here and are not finished: each can be finished once, in time, by the
/// browser that began it.
public actor PendingSignIns {
  /// A sign-in that was begun.
  public struct Begun: Sendable {
    /// For the service to hand back (`wctx`, `state`).
    public let state: String
    /// For a short-lived cookie of this browser alone (`Secure; HttpOnly; SameSite=None`): the answer
    /// comes by a form from another site.
    public let browser: Secret
  }

  private struct Pending {
    let browser: Secret
    let returnPath: ReturnPath?
    let expires: Instant
  }

  private let time: any TimeSource
  private let random: RandomOctets
  private let lifetime: Int64
  private let limit: Int
  private var pending: [String: Pending] = [:]

  /// - Parameters:
  ///   - lifetime: Seconds for one sign-in.
  ///   - limit: How many are kept; the oldest make room.
  public init(
    time: any TimeSource, random: RandomOctets = RandomOctets(), lifetime: Int64 = 600,
    limit: Int = 10_000
  ) {
    self.time = time
    self.random = random
    self.lifetime = lifetime
    self.limit = limit
  }

  /// Begins one.
  /// - Parameter returnPath: Where on this site the person goes afterwards. It stays here: the service
  ///   never sees it.
  public func begin(returningTo returnPath: ReturnPath? = nil) -> Begun {
    let now = time.now
    pending = pending.filter { $0.value.expires > now }
    if pending.count >= limit, let oldest = pending.min(by: { $0.value.expires < $1.value.expires })
    {
      pending[oldest.key] = nil
    }
    let begun = Begun(state: random.hex(20), browser: Secret(random.hex(20)))
    pending[begun.state] = Pending(
      browser: begun.browser, returnPath: returnPath, expires: now.advanced(bySeconds: lifetime))
    return begun
  }

  /// Finishes one. Of two that come at once with the same state, one wins.
  /// - Parameter browser: What the browser's cookie says; nil only where there is no browser but the
  ///   program itself.
  /// - Returns: Where the person goes.
  /// - Throws: `client.state`.
  func finish(_ state: String?, browser: Secret?) throws(TokenError) -> ReturnPath? {
    guard let state, let known = pending[state], known.expires > time.now,
      let browser,
      ConstantTime.areEqual(Array(browser.revealed.utf8), Array(known.browser.revealed.utf8))
    else { throw TokenError(.clientState) }
    pending[state] = nil
    return known.returnPath
  }
}
