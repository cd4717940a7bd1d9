#if Server
  import Synchronization

  /// Runs work for which the caller waits no longer than a limit.
  enum WaitLimit {
    /// What `body` returns; nil where that takes longer than `limit`. It then goes on by itself.
    static func value<Value: Sendable>(
      within limit: Duration, _ body: @escaping @Sendable () async -> Value
    ) async -> Value? {
      let (values, continuation) = AsyncStream<Value?>.makeStream(
        bufferingPolicy: .bufferingOldest(1))
      Task { continuation.yield(await body()) }
      let timer = Task {
        try? await Task.sleep(for: limit)
        continuation.yield(nil)
      }
      defer { timer.cancel() }
      for await value in values { return value }
      return nil
    }
  }
#endif
