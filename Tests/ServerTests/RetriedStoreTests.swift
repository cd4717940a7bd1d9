#if Server
  import Foundation
  import GRDB
  @testable import SQLiteSessions
  import SignIn
  import TestSupport
  import Testing

  @Suite("Files that cannot be opened or written for a moment")
  struct RetriedStoreTests {
    private let now = Instant(secondsSinceEpoch: 1_893_499_200)
    private let path = FileManager.default.temporaryDirectory
      .appending(path: "retried-\(UUID().uuidString).db").path()

    /// Another program that holds the file's lock.
    private func lock() throws -> DatabaseQueue {
      var configuration = Configuration()
      configuration.allowsUnsafeTransactions = true
      let other = try DatabaseQueue(path: path, configuration: configuration)
      try other.writeWithoutTransaction { try $0.execute(sql: "BEGIN EXCLUSIVE") }
      return other
    }

    private func unlock(_ other: DatabaseQueue) throws {
      try other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
    }

    private var session: SignedInSession {
      SignedInSession(
        principal: FederatedPrincipal(
          issuer: "urn:issuer", subject: "ada", claims: ClaimSet(), format: .saml20,
          issuerSession: IssuerSession(), warnings: []),
        provider: "campus", begun: now, end: now.advanced(bySeconds: 3600), lastUse: now)
    }

    @Test("A file that is locked at start refuses until it is free, and then works")
    func locked() async throws {
      _ = try SQLiteValueStore(path: path)
      let other = try lock()
      let store = try SQLiteStores.values(path: path, patience: 0.01)
      let name = ValueName("a")
      await #expect(throws: TokenError.self) {
        try await store.keep([1], under: name, until: now.advanced(bySeconds: 60), at: now)
      }
      try unlock(other)
      while true {
        do {
          try await store.keep([1], under: name, until: now.advanced(bySeconds: 60), at: now)
          break
        } catch { await Task.yield() }
      }
      #expect(try await store.value(under: name, at: now) == [1])
    }

    @Test("A folder that does not exist is an error of the configuration at once")
    func missing() {
      let error = #expect(throws: TokenError.self) {
        try SQLiteStores.values(path: path + "/none/a.db")
      }
      #expect(error?.code == .signInSessionStore)
      let sessions = #expect(throws: TokenError.self) {
        try SQLiteStores.sessions(path: path + "/none/a.db")
      }
      #expect(sessions?.code == .signInSessionStore)
    }

    @Test(
      "Who is in memory is found while another program has the file locked, and noting a use fails nobody"
    )
    func checks() async throws {
      let store = try SQLiteSessionStore(path: path, patience: 60, foreignInterval: .zero)
      let id = SessionID.make().id
      try await store.insert(session, id)
      #expect(try await store.session(id) != nil)
      let other = try lock()
      // A sign-in waits for the lock meanwhile.
      let waiting = SessionID.make().id
      let signIn = Task { [session] in try await store.insert(session, waiting) }
      for _ in 0..<20 { #expect(try await store.session(id) != nil) }
      let later = now.advanced(bySeconds: 120)
      try await store.use(id, at: later)
      #expect(try await store.session(id)?.lastUse == later)
      try unlock(other)
      try await signIn.value
      #expect(try await store.session(waiting) != nil)
    }
  }
#endif
