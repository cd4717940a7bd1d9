#if Server
  import Foundation
  import SQLiteSessions
  import SignIn
  import Testing

  /// What is over would stay in the file for ever. A sweep shows by a clock that is set back: what was forgotten is new.
  @Suite("Used tokens that are over leave the file")
  struct SQLiteSweepTests {
    private let now = Instant(secondsSinceEpoch: 1_893_499_200)
    private let path = FileManager.default.temporaryDirectory
      .appending(path: "swept-\(UUID().uuidString).db").path()

    private func removeFiles() {
      for end in ["", "-wal", "-shm", ".lock"] {
        try? FileManager.default.removeItem(atPath: path + end)
      }
    }

    /// Fills the store, and sweeps it when the tokens are not over yet and when they are.
    private func check(
      _ store: some ReplayStore, count: Int, sweep: (Instant) async throws -> Void
    ) async throws {
      let end = now.advanced(bySeconds: 60)
      for number in 0..<count {
        #expect(
          try await store.remember(TokenIdentity(signIn: "\(number)"), until: end, at: now))
      }
      try await sweep(end)
      #expect(try await !store.remember(TokenIdentity(signIn: "0"), until: end, at: now))
      try await sweep(end.advanced(bySeconds: 1))
      for number in 0..<count {
        #expect(
          try await store.remember(TokenIdentity(signIn: "\(number)"), until: end, at: now),
          "token \(number) stays")
      }
    }

    @Test("The file of sessions drops all of them, however many there are")
    func sessions() async throws {
      defer { removeFiles() }
      let store = try SQLiteSessionStore(path: path)
      try await check(store, count: 401) { try await store.sweep(at: $0, idle: 1_800) }
    }

    @Test("The file of values drops them, too")
    func values() async throws {
      defer { removeFiles() }
      let store = try SQLiteValueStore(path: path)
      try await check(store, count: 3) { try await store.sweep(at: $0) }
    }
  }
#endif
