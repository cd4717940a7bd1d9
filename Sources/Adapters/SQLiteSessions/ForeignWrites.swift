#if Server
  import GRDB
  import SignIn
  import Synchronization

  /// Tells whether another process wrote to the file, on a connection of its own: it waits for no write, and for no lock of
  /// another process.
  final class ForeignWrites: Sendable {
    /// What a look at the file tells.
    enum Finding {
      /// No other process wrote since the last look.
      case none
      /// Another process wrote.
      case foreign
      /// This process wrote, and another one may have.
      case unclear
    }

    private struct State {
      /// The version of the file at the last look.
      var version: Int64?
      /// Writes of this process, and how many there were at the last look.
      var own = 0
      var ownAtLook = 0
    }

    private let reader: DatabaseQueue
    private let state = Mutex(State())

    /// - Throws: Errors of SQLite.
    init(path: String) throws {
      var configuration = Configuration()
      configuration.readonly = true
      reader = try DatabaseQueue(path: path, configuration: configuration)
      _ = try look()
    }

    /// Notes a write of this process, once it is in the file.
    func noteOwn() { state.withLock { $0.own += 1 } }

    /// - Throws: Errors of SQLite.
    func look() throws -> Finding {
      // Counted before the version is read: a write in between counts as foreign, which costs a read and hides nothing.
      let own = state.withLock { $0.own }
      let version = try reader.unsafeRead { try SQLiteSessionStore.foreignWrites($0) }
      return state.withLock { state in
        defer {
          state.version = version
          state.ownAtLook = own
        }
        if version == state.version { return .none }
        return own == state.ownAtLook ? .foreign : .unclear
      }
    }
  }

  extension SQLiteSessionStore {
    /// Forgets what is in memory where another process wrote to the file.
    func noticeOthers(_ owned: Owned) async throws(TokenError) {
      let now = ContinuousClock.now
      let isDue = owned.recent.asked.withLock { asked in
        if let last = asked.foreign, now < last + owned.foreignInterval { return false }
        asked.foreign = now
        return true
      }
      guard isDue else { return }
      do {
        switch try owned.foreign.look() {
        case .none: return
        case .foreign: owned.recent.sessions.withLock { $0.forget() }
        case .unclear: await compareWrites(owned)
        }
      } catch {
        throw Self.failure(error, path)
      }
    }

    /// Asks the connection that writes, which does not count its own changes. Where it is busy for longer than a moment, the
    /// sessions are read from the file again.
    private func compareWrites(_ owned: Owned) async {
      let count = await WaitLimit.value(within: Self.useWait) { [database] in
        try? await database.writeWithoutTransaction { try Self.foreignWrites($0) }
      }
      owned.recent.sessions.withLock { recent in
        if let count, let count { recent.note(foreignWrites: count) } else { recent.forget() }
      }
    }
  }
#endif
