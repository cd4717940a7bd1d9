#if Server
  import GateService
  import Octets
  import ProviderAssembly
  import SQLiteSessions

  /// Where a gate keeps sessions and used tokens.
  struct GateStores {
    let sessions: any SessionStore
    let used: any ReplayStore
    /// The server that several gates share; nil for a store of this one.
    let shared: SharedStores?

    /// - Throws: `signin.session-store`, `store.address`, `signin.configuration`.
    init(_ file: GateFile) throws(TokenError) {
      let configuration = file.configuration
      switch configuration.store {
      case .memory:
        (sessions, used) = (MemorySessionStore(), MemoryReplayStore(capacity: 1_000_000))
        shared = nil
      case .sqlite(let path):
        let store = try SQLiteSessionStore(path: file.located(path))
        (sessions, used, shared) = (store, store, nil)
      case .shared(let store):
        let stores = try SharedStores(
          store, file, origin: configuration.origin, sealing: Self.cookieKeys(file) ?? [],
          lifetime: Int64(configuration.lifetime), idle: Int64(configuration.idle))
        (sessions, used, shared) = (stores.sessions, stores.used, stores)
      }
    }

    /// The keys of cookies, and of what a shared store keeps; nil for random ones.
    static func cookieKeys(_ file: GateFile) throws(TokenError) -> [[UInt8]]? {
      guard let name = file.configuration.cookieKeys else { return nil }
      var keys: [[UInt8]] = []
      for line in try file.octets(name).split(separator: ASCII.lineFeed) {
        keys.append(try Base64.decode(Array(line).span, whiteSpace: .skipped))
      }
      return keys
    }
  }
#endif
