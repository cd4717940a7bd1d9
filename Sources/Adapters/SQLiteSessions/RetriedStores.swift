#if Server
  public import SignIn
  import Synchronization

  /// A store whose file could not be opened for a reason that passes, such as a full disk or a locked file. While that lasts
  /// every use throws the error at once; a use causes a further attempt, at most one per second.
  final class RetriedStore<Store: Sendable>: Sendable {
    private enum State {
      case opened(Store)
      case closed(TokenError, tried: ContinuousClock.Instant, isTrying: Bool)
    }

    private let open: @Sendable () throws(TokenError) -> Store
    private let pause: Duration
    private let state: Mutex<State>

    /// - Parameters:
    ///   - error: Why the first attempt failed.
    ///   - pause: The time between two attempts.
    ///   - open: Opens the file, and waits for no lock for longer than a moment.
    init(
      after error: TokenError, pause: Duration = .seconds(1),
      _ open: @escaping @Sendable () throws(TokenError) -> Store
    ) {
      self.open = open
      self.pause = pause
      state = Mutex(.closed(error, tried: .now, isTrying: false))
    }

    /// The store.
    ///
    /// - Throws: The error of the last attempt.
    func opened() throws(TokenError) -> Store {
      let (store, error, isDue) = state.withLock { state -> (Store?, TokenError?, Bool) in
        switch state {
        case .opened(let store): return (store, nil, false)
        case .closed(let error, let tried, let isTrying):
          let isDue = !isTrying && ContinuousClock.now >= tried + pause
          if isDue { state = .closed(error, tried: tried, isTrying: true) }
          return (nil, error, isDue)
        }
      }
      if isDue { Task.detached { self.attempt() } }
      if let store { return store }
      throw error ?? TokenError(.signInSessionStore)
    }

    private func attempt() {
      let next: State
      do throws(TokenError) {
        next = .opened(try open())
      } catch {
        next = .closed(error, tried: .now, isTrying: false)
      }
      state.withLock { $0 = next }
    }
  }

  /// Opens the files of a service, which starts although a fault that passes keeps a file from being opened.
  public enum SQLiteStores {
    /// The most seconds that an attempt waits for a lock while requests are refused.
    private static let shortPatience = 0.1

    /// The sessions and used tokens in a file of this process.
    ///
    /// - Throws: As ``SQLiteSessionStore/init(path:isShared:capacity:patience:foreignInterval:)`` for a fault that does not pass
    ///   by itself.
    public static func sessions(
      path: String, patience: Double = 5
    ) throws(TokenError) -> any SessionStore & ReplayStore {
      do throws(TokenError) {
        return try SQLiteSessionStore(path: path, patience: patience)
      } catch {
        guard error.reason == .passing else { throw error }
        return RetriedSessionStore(
          RetriedStore(after: error) { () throws(TokenError) in
            try SQLiteSessionStore(path: path, opening: shortPatience)
          })
      }
    }

    /// The values in a file.
    ///
    /// - Throws: As ``SQLiteValueStore/init(path:patience:)`` for a fault that does not pass by itself.
    public static func values(
      path: String, patience: Double = 5
    ) throws(TokenError) -> any ValueStore & ReplayStore {
      do throws(TokenError) {
        return try SQLiteValueStore(path: path, patience: patience)
      } catch {
        guard error.reason == .passing else { throw error }
        return RetriedValueStore(
          RetriedStore(after: error) { () throws(TokenError) in
            _ = try SQLiteValueStore(path: path, patience: shortPatience)
            return try SQLiteValueStore(path: path, patience: patience)
          })
      }
    }
  }

  struct RetriedSessionStore: SessionStore, ReplayStore {
    private let retried: RetriedStore<SQLiteSessionStore>

    init(_ retried: RetriedStore<SQLiteSessionStore>) { self.retried = retried }

    func insert(_ session: SignedInSession, _ id: SessionID) async throws(TokenError) {
      try await retried.opened().insert(session, id)
    }

    func session(_ id: SessionID) async throws(TokenError) -> SignedInSession? {
      try await retried.opened().session(id)
    }

    func replace(_ session: SignedInSession, _ id: SessionID) async throws(TokenError) {
      try await retried.opened().replace(session, id)
    }

    func use(_ id: SessionID, at now: Instant) async throws(TokenError) {
      try await retried.opened().use(id, at: now)
    }

    func remove(_ id: SessionID) async throws(TokenError) { try await retried.opened().remove(id) }

    func remove(_ ended: EndedSessions) async throws(TokenError) -> Int {
      try await retried.opened().remove(ended)
    }

    func sweep(at now: Instant, idle: Int64) async throws(TokenError) {
      try await retried.opened().sweep(at: now, idle: idle)
    }

    func remember(
      _ identity: TokenIdentity, until end: Instant, at now: Instant
    ) async throws(TokenError) -> Bool {
      try await retried.opened().remember(identity, until: end, at: now)
    }
  }

  struct RetriedValueStore: ValueStore, ReplayStore {
    private let retried: RetriedStore<SQLiteValueStore>

    init(_ retried: RetriedStore<SQLiteValueStore>) { self.retried = retried }

    func keep(
      _ value: [UInt8], under name: ValueName, until end: Instant, at now: Instant
    ) async throws(TokenError) {
      try await retried.opened().keep(value, under: name, until: end, at: now)
    }

    func value(under name: ValueName, at now: Instant) async throws(TokenError) -> [UInt8]? {
      try await retried.opened().value(under: name, at: now)
    }

    func take(_ name: ValueName, at now: Instant) async throws(TokenError) -> [UInt8]? {
      try await retried.opened().take(name, at: now)
    }

    func remove(_ name: ValueName) async throws(TokenError) {
      try await retried.opened().remove(name)
    }

    func sweep(at now: Instant) async throws(TokenError) {
      try await retried.opened().sweep(at: now)
    }

    func remember(
      _ identity: TokenIdentity, until end: Instant, at now: Instant
    ) async throws(TokenError) -> Bool {
      try await retried.opened().remember(identity, until: end, at: now)
    }
  }
#endif
