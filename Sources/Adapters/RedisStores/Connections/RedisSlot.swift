#if Redis
  import NIOSSL
  import Synchronization

  /// The place of one connection.
  final class RedisSlot: Sendable {
    private enum State {
      case none
      case connecting(Task<Result<RedisConnection, TokenError>, Never>)
      case connected(RedisConnection)
      /// Until then no request connects again, so that a server that is away is not run into by every one of them.
      case failed(TokenError, until: ContinuousClock.Instant, pause: Duration)
    }

    /// When a connection that works was last replaced, and how long the next replacement waits.
    private struct Replacement {
      var isUnderWay = false
      var last: ContinuousClock.Instant?
      var pause = RedisSlot.firstPause
    }

    private let settings: RedisSettings
    private let tls: NIOSSLContext?
    private let state = Mutex<State>(.none)
    private let replacement = Mutex(Replacement())

    private static let firstPause = Duration.milliseconds(50)
    private static let longestPause = Duration.seconds(1)

    init(_ settings: RedisSettings, _ tls: NIOSSLContext?) {
      self.settings = settings
      self.tls = tls
    }

    func replies(to commands: [RESPCommand]) async throws(TokenError) -> [RESPReply] {
      let connection = try await connection()
      let replies = try await connection.send(commands)
      if replies.contains(where: \.namesAnotherServer) { replace(connection) }
      return replies
    }

    /// Whether a command would fail at once, since the last attempt to connect did.
    var isPausing: Bool {
      state.withLock { state in
        guard case .failed(_, let until, _) = state else { return false }
        return ContinuousClock.now < until
      }
    }

    func close() {
      state.withLock { state in
        if case .connected(let connection) = state { connection.close() }
        state = .none
      }
    }

    // MARK: Connecting

    private func connection() async throws(TokenError) -> RedisConnection {
      let (known, task) = try state.withLock { state throws(TokenError) in
        var pause = Self.firstPause
        switch state {
        case .connected(let connection) where connection.isOpen:
          return (connection as RedisConnection?, nil as Connecting?)
        case .connecting(let task): return (nil, task)
        case .failed(let error, let until, let last):
          guard ContinuousClock.now >= until else { throw error }
          pause = min(last * 2, Self.longestPause)
        case .connected, .none: break
        }
        let task = connecting(pause)
        state = .connecting(task)
        return (nil, task)
      }
      if let known { return known }
      guard let task else { throw TokenError(.storeUnavailable) }
      return try await task.value.get()
    }

    private typealias Connecting = Task<Result<RedisConnection, TokenError>, Never>

    /// Connects for all who wait, whichever of them gives up.
    private func connecting(_ pause: Duration) -> Connecting {
      Task.detached { [self] in
        do throws(TokenError) {
          let connection = try await RedisConnection(settings, tls: tls)
          state.withLock { $0 = .connected(connection) }
          return .success(connection)
        } catch {
          state.withLock {
            $0 = .failed(error, until: ContinuousClock.now + pause, pause: pause)
          }
          return .failure(error)
        }
      }
    }

    // MARK: Replacing

    /// Ends a connection to a server that is the wrong one to ask now, once another one stands in its place: behind the
    /// address there may be another server by then. What the old one can still do, such as reading, goes on meanwhile.
    private func replace(_ old: RedisConnection) {
      let mayBegin = replacement.withLock { replacement in
        let now = ContinuousClock.now
        if let last = replacement.last {
          guard !replacement.isUnderWay, now >= last + replacement.pause else { return false }
          // Again so soon: the new one is no better.
          replacement.pause =
            now < last + Self.longestPause * 10
            ? min(replacement.pause * 2, Self.longestPause) : Self.firstPause
        }
        replacement.isUnderWay = true
        replacement.last = now
        return true
      }
      guard mayBegin else { return }
      Task.detached { [self] in
        if let new = try? await RedisConnection(settings, tls: tls) {
          let isPlaced = state.withLock { state in
            guard case .connected(let current) = state, current.isSame(as: old) else {
              return false
            }
            state = .connected(new)
            return true
          }
          if isPlaced { old.finish() } else { new.close() }
        }
        replacement.withLock { $0.isUnderWay = false }
      }
    }
  }
#endif
