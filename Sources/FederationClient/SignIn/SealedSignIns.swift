import Claims
public import Instants
import Octets
import SecurityKeys
public import TokenErrors

/// The sign-ins that were begun here: each can be finished once, in time, by the browser that began it.
///
/// Its browser keeps a sign-in, sealed, and nobody else does: however many strangers begin, nobody loses
/// a place. What is remembered, in a `ReplayStore`, are the ones that were finished.
public struct SealedSignIns: Sendable {
  /// A sign-in that was begun.
  public struct Begun: Sendable {
    /// For the service to hand back (`wctx`, `state`).
    public let state: String
    /// For a short-lived cookie of this browser alone (`Secure; HttpOnly; SameSite=None`): the answer
    /// comes by a form from another site.
    public let browser: Secret
  }

  /// A sign-in as its browser brought it back.
  struct Answered: Sendable {
    let state: String
    let returnPath: ReturnPath?
    let expires: Instant
  }

  private let key: SealingKey?
  private let random: RandomOctets
  private let lifetime: Int64

  /// For one process: the key ends with it.
  /// - Parameter lifetime: Seconds for one sign-in.
  public init(lifetime: Int64 = 600, random: RandomOctets = RandomOctets()) {
    self.init(SealingKey(SystemRandom.octets(SealingKey.length)), lifetime, random)
  }

  /// For several processes that serve one return address.
  /// - Parameters:
  ///   - key: What they share; no passphrase.
  ///   - lifetime: Seconds for one sign-in.
  /// - Throws: `session.store-key-source`.
  public init(
    key: StoreKey, lifetime: Int64 = 600, random: RandomOctets = RandomOctets()
  ) throws(TokenError) {
    guard let sealing = try key.sealingKey() else {
      throw TokenError(
        .sessionStoreKeySource, node: "passphrase", expected: "a file or an environment variable")
    }
    self.init(sealing, lifetime, random)
  }

  private init(_ key: SealingKey?, _ lifetime: Int64, _ random: RandomOctets) {
    self.key = key
    self.lifetime = lifetime
    self.random = random
  }

  /// Begins one.
  /// - Parameters:
  ///   - purpose: Whose answer it waits for. Another purpose cannot finish it.
  ///   - returnPath: Where on this site the person goes afterwards. The service never sees it.
  public func begin(
    _ purpose: String, returningTo returnPath: ReturnPath? = nil, at now: Instant
  ) -> Begun {
    let state = random.hex(20)
    let text = "\(now.advanced(bySeconds: lifetime).seconds)\n\(returnPath?.text ?? "")"
    // Where OpenSSL does not seal there is no cookie that opens.
    let sealed = key?.seal(Array(text.utf8), context: Self.context(purpose, state)) ?? []
    return Begun(state: state, browser: Secret(Base64.encode(sealed, .url)))
  }

  /// The sign-in that an answer belongs to. It is not used up by this: an answer that turns out to be
  /// none leaves it to the right one.
  /// - Parameter browser: What the browser's cookie says.
  /// - Throws: `client.state`.
  func find(
    _ purpose: String, _ state: String?, browser: Secret?, at now: Instant
  ) throws(TokenError) -> Answered {
    guard let state, let key, let browser,
      let sealed = try? Base64.decode(browser.revealed.utf8, .url),
      let octets = key.open(sealed, context: Self.context(purpose, state)),
      let end = octets.firstIndex(of: ASCII.lineFeed),
      let seconds = Int64(String(decoding: octets[..<end], as: UTF8.self))
    else { throw TokenError(.clientState) }
    let expires = Instant(secondsSinceEpoch: seconds)
    guard expires > now else { throw TokenError(.clientState) }
    let path = String(decoding: octets[(end + 1)...], as: UTF8.self)
    return Answered(
      state: state, returnPath: path.isEmpty ? nil : try ReturnPath(path), expires: expires)
  }

  /// Uses the sign-in up. Of two answers at once, one wins.
  /// - Throws: `client.state`, and what the store throws.
  func finish(
    _ answered: Answered, in used: any ReplayStore, at now: Instant
  ) async throws(TokenError) {
    let identity = TokenIdentity(signIn: answered.state)
    guard try await used.remember(identity, until: answered.expires, at: now) else {
      throw TokenError(.clientState)
    }
  }

  private static func context(_ purpose: String, _ state: String) -> [UInt8] {
    Array("sign-in\n\(state)\n\(purpose)".utf8)
  }
}
