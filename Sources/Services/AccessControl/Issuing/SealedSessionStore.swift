import Octets
import SecurityKeys
public import SignIn
import TokenBasics

/// Sessions between a provider's answer and the token, in the store of the service: another process that shares it finishes
/// what this one began. Each is sealed, and the store knows the digest of its identifier.
public struct SealedSessionStore: SessionStore {
  private let values: any ValueStore
  private let key: SealingKey
  private let clock: any TimeSource

  /// A store.
  ///
  /// - Parameters:
  ///   - values: Where sessions are kept.
  ///   - sealing: 32 octets.
  ///   - clock: The clock; another one in tests.
  /// - Throws: `signin.configuration` for a key of another length.
  public init(
    _ values: any ValueStore, sealing: [UInt8], clock: any TimeSource = SystemTime()
  ) throws(TokenError) {
    guard let key = SealingKey(sealing) else {
      throw TokenError(
        .signInConfiguration, node: "sealing", expected: "\(SealingKey.length) octets")
    }
    self.values = values
    self.key = key
    self.clock = clock
  }

  /// Keeps a session.
  ///
  /// - Throws: what the store throws.
  public func insert(_ session: SignedInSession, _ id: SessionID) async throws(TokenError) {
    // A session that its provider could not find would not end with a sign-out there.
    for name in Self.indexes(of: session) {
      // The store has no change of a value: of two sign-ins at once one may write over the other, and looks again.
      for _ in 0..<3 {
        let known = try await listed(name)
        guard !known.contains(id) else { break }
        try await keep(
          Self.list(known.suffix(Self.most - 1) + [id]), name.text, until: session.end)
      }
    }
    try await keep(session.stored, KeptName.arrival(id).text, until: session.end)
  }

  /// The session; nil if there is none.
  ///
  /// - Throws: what the store throws.
  public func session(_ id: SessionID) async throws(TokenError) -> SignedInSession? {
    try await kept(KeptName.arrival(id))
  }

  /// Replaces a session. One that is gone stays gone.
  ///
  /// - Throws: what the store throws.
  public func replace(_ session: SignedInSession, _ id: SessionID) async throws(TokenError) {
    guard try await self.session(id) != nil else { return }
    try await keep(session.stored, KeptName.arrival(id).text, until: session.end)
  }

  /// Notes that the session was used.
  ///
  /// - Throws: what the store throws.
  public func use(_ id: SessionID, at now: Instant) async throws(TokenError) {
    guard var session = try await session(id) else { return }
    session.lastUse = now
    try await keep(session.stored, KeptName.arrival(id).text, until: session.end)
  }

  /// Removes a session.
  ///
  /// - Throws: what the store throws.
  public func remove(_ id: SessionID) async throws(TokenError) {
    try await values.remove(ValueName(KeptName.arrival(id)))
  }

  /// Removes the sessions that a logout message ends.
  ///
  /// - Throws: what the store throws; some of them may be removed then.
  public func remove(_ ended: EndedSessions) async throws(TokenError) -> Int {
    var count = 0
    for id in try await listed(.arrivals(ended.provider, ended.issuer, ended.lookup)) {
      guard let session = try await session(id), ended.contains(session) else { continue }
      try await remove(id)
      count += 1
    }
    return count
  }

  /// Does nothing: the store drops what is over.
  public func sweep(at now: Instant, idle: Int64) async throws(TokenError) {}

  // MARK: What is kept

  private func listed(_ name: KeptName<VisitList>) async throws(TokenError) -> [SessionID] {
    try await kept(name)?.ids.compactMap { text in
      (try? Base64.decode(Array(text.utf8), .url)).flatMap { SessionID(digest: $0) }
    } ?? []
  }

  private static func list(_ ids: [SessionID]) -> [UInt8] {
    VisitList(ids.map { Base64.encode($0.digest, .url) }).stored
  }

  private static func indexes(of session: SignedInSession) -> [KeptName<VisitList>] {
    EndedSessions.lookups(of: session.principal).map {
      .arrivals(session.provider, session.principal.issuer, $0)
    }
  }

  private func kept<Value: StoredValue>(
    _ name: KeptName<Value>
  ) async throws(TokenError) -> Value? {
    try await values.value(under: ValueName(name), at: clock.now)
      .flatMap { key.open($0, context: Array(name.text.utf8)) }
      .flatMap { Value(stored: $0) }
  }

  private func keep(
    _ octets: [UInt8], _ name: String, until end: Instant
  ) async throws(TokenError) {
    guard let sealed = key.seal(octets, context: Array(name.utf8)) else {
      throw TokenError(.signInSessionStore, found: "no random numbers")
    }
    try await values.keep(sealed, under: ValueName(name), until: end, at: clock.now)
  }

  /// As many sessions of one person on the way at once end with a sign-out at the provider.
  private static let most = 100
}
