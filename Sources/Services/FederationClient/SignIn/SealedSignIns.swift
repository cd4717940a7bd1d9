import Claims
public import HTTPExchange
import Octets
import SecurityKeys
public import TokenBasics

/// The sign-ins begun on this site: each can be finished once, in time, by the browser that began it.
///
/// A sign-in is stored encrypted in its browser's cookie and nowhere else, so that any number of begun
/// sign-ins takes no memory. A `ReplayStore` stores the finished ones.
public struct SealedSignIns: Sendable {
  /// A sign-in that was begun.
  public struct Begun: Sendable {
    /// Opaque text that the service returns (`wctx`, `state`).
    public let state: String
    /// The value of a short-lived cookie (`Secure; HttpOnly; SameSite=None`, since the answer is a form
    /// posted from another site).
    public let browser: Secret
  }

  /// A sign-in read from the browser's cookie.
  struct ReturnedSignIn: Sendable {
    let returnPath: ReturnPath?
    /// Its one use.
    let use: TokenUse
  }

  private let cookies: CookieSeal
  private let random: RandomSource
  private let lifetime: Int64

  /// For one process: the key is random and not stored.
  ///
  /// - Parameters:
  ///   - lifetime: Seconds within which a sign-in must be finished.
  ///   - random: The source of random octets; another one in tests alone.
  public init(lifetime: Int64 = 600, random: RandomSource = RandomSource()) {
    let key = SealingKey(SystemRandom.octets(SealingKey.length))
    self.init(CookieSeal(key.map { [$0] } ?? []), lifetime, random)
  }

  /// For several processes that serve one return address.
  ///
  /// - Parameters:
  ///   - key: The shared key; not a passphrase.
  ///   - lifetime: Seconds within which a sign-in must be finished.
  ///   - random: The source of random octets; another one in tests alone.
  /// - Throws: `session.store-key-source`, also for a passphrase.
  public init(
    key: StoreKey, lifetime: Int64 = 600, random: RandomSource = RandomSource()
  ) throws(TokenError) {
    guard let sealing = try key.sealingKey() else {
      throw TokenError(
        .sessionStoreKeySource, node: "passphrase", expected: "a file or an environment variable")
    }
    self.init(CookieSeal([sealing]), lifetime, random)
  }

  private init(_ cookies: CookieSeal, _ lifetime: Int64, _ random: RandomSource) {
    self.cookies = cookies
    self.lifetime = lifetime
    self.random = random
  }

  /// Begins a sign-in.
  ///
  /// - Parameters:
  ///   - purpose: Names the service and realm. An answer for another purpose cannot finish it.
  ///   - returnPath: The path on this site to open afterwards. It is not sent to the service.
  ///   - now: The clock, read once by the caller.
  public func begin(
    _ purpose: String, returningTo returnPath: ReturnPath? = nil, at now: Instant
  ) -> Begun {
    let state = random.hex(20)
    let text = "\(now.seconds)\n\(returnPath?.text ?? "")"
    let cookie = cookies.seal(Array(text.utf8), for: ["sign-in", state, purpose])
    return Begun(state: state, browser: cookie)
  }

  /// The sign-in that an answer belongs to. This does not finish it, so that it stays open if the answer
  /// proves invalid.
  /// - Parameter browser: The value of the browser's cookie.
  /// - Throws: `client.state`.
  func find(
    _ purpose: String, _ state: String?, browser: Secret?, at now: Instant
  ) throws(TokenError) -> ReturnedSignIn {
    guard let state, let browser,
      let octets = cookies.open(browser, for: ["sign-in", state, purpose]),
      let end = octets.firstIndex(of: ASCII.lineFeed),
      let seconds = Int64(String(decoding: octets[..<end], as: UTF8.self))
    else { throw TokenError(.clientState) }
    let begun = Instant(secondsSinceEpoch: seconds)
    let expires = begun.advanced(bySeconds: lifetime)
    guard expires > now else { throw TokenError(.clientState) }
    let path = String(decoding: octets[(end + 1)...], as: UTF8.self)
    return ReturnedSignIn(
      returnPath: path.isEmpty ? nil : try ReturnPath(path),
      use: TokenUse(signIn: state, begun: begun, until: expires))
  }

  /// Finishes the sign-in. Of two concurrent answers, one succeeds.
  /// - Throws: `client.state` for a finished sign-in, and errors of the store.
  func finish(
    _ answered: ReturnedSignIn, in used: any ReplayStore, at now: Instant
  ) async throws(TokenError) {
    guard try await used.remember(answered.use, at: now) else { throw TokenError(.clientState) }
  }
}
