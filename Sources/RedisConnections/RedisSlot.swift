#if Redis
  import NIOSSL
  import RedisStores
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

    private let settings: RedisSettings
    private let tls: NIOSSLContext?
    private let state = Mutex<State>(.none)

    private static let firstPause = Duration.milliseconds(50)
    private static let longestPause = Duration.seconds(1)

    init(_ settings: RedisSettings, _ tls: NIOSSLContext?) {
      self.settings = settings
      self.tls = tls
    }

    func replies(to commands: [RESPCommand]) async throws(TokenError) -> [RESPReply] {
      try await connection().send(commands)
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
  }
#endif
