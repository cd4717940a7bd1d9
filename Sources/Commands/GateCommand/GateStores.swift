#if Server
  import CommandServer
  import CommandSupport
  import GateService
  import LocalFiles
  import RedisStores
  import SQLiteSessions

  /// Where a gate keeps sessions and used tokens.
  struct GateStores {
    let sessions: any SessionStore
    let used: any ReplayStore
    /// Tickets, and the sessions of applications on hosts of their own.
    let values: any ValueStore
    /// The server that several gates share; nil for a store of this one.
    let shared: SharedStores?

    /// - Parameters:
    ///   - isBeside: Whether the gate may be running beside this process, and owns a file of sessions.
    ///   - observer: Hears of what a store cannot use.
    /// - Throws: `signin.session-store` and others of it, `store.address`, `signin.configuration`.
    init(
      _ file: GateFile, isBeside: Bool = false, observer: any ActivityObserver = NoObserver()
    ) throws(TokenError) {
      try self.init(file, isBeside: isBeside, shared: nil, observer: observer)
    }

    /// The stores of a gate that takes the place of another one with the same store. What is in memory or in a file of
    /// SQLite depends on nothing else of the gate's file; sessions in a shared server have the keys and the times of this
    /// file.
    ///
    /// - Throws: As ``init(_:isBeside:observer:)``.
    init(
      _ file: GateFile, replacing former: GateStores, observer: any ActivityObserver
    ) throws(TokenError) {
      guard let shared = former.shared else {
        self = former
        return
      }
      try self.init(file, isBeside: false, shared: shared, observer: observer)
    }

    private init(
      _ file: GateFile, isBeside: Bool, shared former: SharedStores?,
      observer: any ActivityObserver
    ) throws(TokenError) {
      let configuration = file.configuration
      switch configuration.store {
      case .memory:
        (sessions, used) = (MemorySessionStore(), MemoryReplayStore(capacity: 1_000_000))
        (values, shared) = (MemoryValueStore(), nil)
      case .sqlite(let path):
        let path = file.located(path)
        shared = nil
        if isBeside {
          let store = try SQLiteSessionStore(path: path, isShared: true)
          (sessions, used) = (store, store)
          values = try SQLiteValueStore(path: path)
        } else {
          let store = try SQLiteStores.sessions(path: path)
          (sessions, used) = (store, store)
          values = try SQLiteStores.values(path: path)
        }
      case .shared(let store):
        let stores = try SharedStores(
          store, file, origin: configuration.origin, sealing: file.cookieKeys() ?? [],
          lifetime: Int64(configuration.lifetime), idle: Int64(configuration.idle),
          replacing: former, observer: observer)
        (sessions, used, shared) = (stores.sessions, stores.used, stores)
        values = RedisValueStore(stores.client, namespace: store.namespace)
      }
    }

    /// Reads all that the stores of a gate need, and neither opens nor makes one of them.
    ///
    /// - Throws: As the stores would.
    init(checking file: GateFile) throws(TokenError) {
      switch file.configuration.store {
      case .memory: break
      case .sqlite(let path): try SQLiteSessionStore.check(path: file.located(path))
      // Connections are made when something is asked.
      case .shared: _ = try GateStores(file)
      }
      (sessions, used) = (MemorySessionStore(), MemoryReplayStore(capacity: 1))
      (values, shared) = (MemoryValueStore(capacity: 1), nil)
    }
  }
#endif
