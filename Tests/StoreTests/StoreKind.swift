@testable import ArticleExamples
import Foundation
import RedisStores

#if Redis
#endif
#if Server
  import SQLiteSessions
#endif

/// The stores that the suite of promises runs on.
enum StoreKind: String, CaseIterable, Sendable {
  case memory
  /// That of the article on writing a store.
  case article
  case sqlite
  case simulatedRedis
  case redis

  /// Those that this build and this machine have.
  static let available: [Self] = {
    var kinds: [Self] = [.memory, .article, .simulatedRedis]
    #if Server
      kinds.append(.sqlite)
    #endif
    #if Redis
      if RedisProcess.program != nil {
        kinds.append(.redis)
      } else {
        print("redis-server is not installed: the promises of stores are not tried on it")
      }
    #endif
    return kinds
  }()

  /// Runs a test on an empty store; `reopen` gives the store that another process, or the next one, sees.
  func with(
    _ test:
      @Sendable (_ store: Stores, _ reopen: @Sendable () async throws -> Stores) async throws ->
      Void
  ) async throws {
    switch self {
    case .memory:
      let stores = Stores(MemorySessionStore(), MemoryReplayStore(capacity: 2_000_000))
      try await test(stores) { stores }
    case .article:
      let store = TableStore()
      try await test(Stores(store, store)) { Stores(store, store) }
    case .simulatedRedis:
      let server = SimulatedRedis()
      let open: @Sendable () async throws -> Stores = { try Stores(server) }
      try await test(try await open(), open)
    case .sqlite:
      #if Server
        let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path()
        defer {
          for end in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: path + end)
          }
        }
        let open: @Sendable () async throws -> Stores = {
          let store = try SQLiteSessionStore(path: path, isShared: true)
          return Stores(store, store)
        }
        try await test(try await open(), open)
      #endif
    case .redis:
      #if Redis
        try await RedisProcess.serving { settings in
          let open: @Sendable () async throws -> Stores = { try Stores(RedisClient(settings)) }
          try await test(try await open(), open)
        }
      #endif
    }
  }
}

/// Sessions and used tokens in one place.
struct Stores: Sendable {
  let sessions: any SessionStore
  let used: any ReplayStore

  init(_ sessions: any SessionStore, _ used: any ReplayStore) {
    self.sessions = sessions
    self.used = used
  }

  init(_ commands: any RedisCommands) throws {
    self.init(
      try RedisSessionStore(
        commands, origin: HTTPURL("https://rp.example/").origin,
        sealing: [[UInt8](repeating: 1, count: 32)], lifetime: 28_800, idle: 1_800),
      RedisReplayStore(commands))
  }
}
