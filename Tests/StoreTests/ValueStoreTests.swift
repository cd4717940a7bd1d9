import Foundation
import RedisStores
import SignIn
import Testing
import TokenBasics

#if Server
  import SQLiteSessions
#endif

@Suite("The promises of stores of values")
struct ValueStoreTests {
  private static let now = Instant(secondsSinceEpoch: 1_893_455_400)

  /// A store, and what another process sees of it.
  private static func stores(
    _ test: (String, any ValueStore, any ValueStore) async throws -> Void
  ) async throws {
    let memory = MemoryValueStore()
    try await test("memory", memory, memory)
    let server = SimulatedRedis()
    try await test("redis", RedisValueStore(server), RedisValueStore(server))
    #if Server
      let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path()
      defer {
        for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) }
      }
      try await test("sqlite", SQLiteValueStore(path: path), SQLiteValueStore(path: path))
    #endif
  }

  @Test(
    "A value is there until its removal, for every process, and a new one takes its place"
  )
  func values() async throws {
    let now = Self.now
    try await Self.stores { kind, store, other in
      let name = ValueName("code:abc")
      #expect(try await store.value(under: name, at: now) == nil, "\(kind)")
      try await store.keep([1, 2], under: name, until: now.advanced(bySeconds: 60), at: now)
      #expect(try await other.value(under: name, at: now) == [1, 2], "\(kind)")
      #expect(try await other.value(under: ValueName("code:abd"), at: now) == nil, "\(kind)")
      try await other.keep([3], under: name, until: now.advanced(bySeconds: 60), at: now)
      #expect(try await store.value(under: name, at: now) == [3], "\(kind)")
      try await store.sweep(at: now)
      #expect(try await store.value(under: name, at: now) == [3], "\(kind)")
      try await store.remove(name)
      try await store.remove(name)
      #expect(try await other.value(under: name, at: now) == nil, "\(kind)")
    }
  }

  @Test("Of many who take a value at once, at two processes, one gets it")
  func takes() async throws {
    let now = Self.now
    try await Self.stores { kind, store, other in
      let name = ValueName("ticket:abc")
      #expect(try await store.take(name, at: now) == nil, "\(kind)")
      for _ in 0..<10 {
        try await store.keep([1, 2], under: name, until: now.advanced(bySeconds: 60), at: now)
        let taken = try await withThrowingTaskGroup(of: [UInt8]?.self) { group in
          for number in 0..<8 {
            group.addTask { try await (number % 2 == 0 ? store : other).take(name, at: now) }
          }
          return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(taken.compactMap(\.self) == [[1, 2]], "\(kind)")
      }
      guard kind != "redis" else { return }
      try await store.keep([1], under: name, until: now.advanced(bySeconds: 60), at: now)
      #expect(try await store.take(name, at: now.advanced(bySeconds: 60)) == nil, "\(kind)")
    }
  }

  @Test("A value that is over is none, and is dropped")
  func ends() async throws {
    let now = Self.now
    let late = now.advanced(bySeconds: 60)
    // Redis drops what is over by its own clock.
    try await Self.stores { kind, store, _ in
      guard kind != "redis" else { return }
      try await store.keep([1], under: ValueName("a"), until: late, at: now)
      #expect(try await store.value(under: ValueName("a"), at: late) == nil, "\(kind)")
      try await store.keep([1], under: ValueName("a"), until: late, at: now)
      try await store.sweep(at: late)
      #expect(try await store.value(under: ValueName("a"), at: now) == nil, "\(kind)")
    }
  }

  #if Server
    @Test("SVC-8: A token is used once in the file of values, until its end and by whoever asks")
    func usedTokens() async throws {
      let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path()
      defer {
        for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) }
      }
      let (store, other) = (try SQLiteValueStore(path: path), try SQLiteValueStore(path: path))
      let (one, two) = (TokenIdentity(signIn: "one"), TokenIdentity(signIn: "two"))
      let (now, end) = (Self.now, Self.now.advanced(bySeconds: 60))
      #expect(try await store.remember(one, until: end, at: now))
      #expect(try await !other.remember(one, until: end, at: now))
      #expect(try await other.remember(two, until: end, at: now))
      try await store.sweep(at: end)
      #expect(try await !store.remember(one, until: end, at: end))
      #expect(try await !other.remember(two, until: end, at: end))
      let late = end.advanced(bySeconds: 1)
      #expect(try await other.remember(one, until: late.advanced(bySeconds: 60), at: late))
    }
  #endif

  @Test("A full memory refuses a further value and forgets none")
  func full() async throws {
    let store = MemoryValueStore(capacity: 2)
    let end = Self.now.advanced(bySeconds: 60)
    for name in ["a", "b"] {
      try await store.keep([1], under: ValueName(name), until: end, at: Self.now)
    }
    let error = await #expect(throws: TokenError.self) {
      try await store.keep([1], under: ValueName("c"), until: end, at: Self.now)
    }
    #expect(error?.code == .signInSessionsFull)
    try await store.keep([2], under: ValueName("a"), until: end, at: Self.now)
    #expect(try await store.value(under: ValueName("b"), at: Self.now) == [1])
    try await store.keep([1], under: ValueName("c"), until: end.advanced(bySeconds: 60), at: end)
  }
}
