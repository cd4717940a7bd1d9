#if Client
  public import HTTPExchange
  import HTTPTypes
  import Hummingbird
  import Logging
  import NIOCore
  public import SimulatedService

  /// A simulator on a loopback port that the system chooses, as long as a closure runs.
  public struct SimulatorHost: Sendable {
    // Not the address at which other tests release and reuse a port.
    #if os(Linux)
      private static let address = "127.0.0.2"
    #else
      private static let address = "127.0.0.1"
    #endif

    /// Such as `http://127.0.0.2:PORT/`.
    public let base: HTTPURL
    public let journal: Journal

    public var port: Int { base.origin.port }

    /// Serves while `body` runs.
    public static func serving<Value: Sendable>(
      _ make: @escaping @Sendable (_ base: HTTPURL) throws -> any Simulator,
      _ body: @escaping @Sendable (SimulatorHost) async throws -> Value
    ) async throws -> Value {
      let journal = Journal()
      let (ports, port) = AsyncStream<Int>.makeStream()
      let started = Started()
      let app = Application(
        responder: Responder(started: started, journal: journal),
        configuration: .init(address: .hostname(address, port: 0)),
        onServerRunning: { channel in port.yield(channel.localAddress?.port ?? 0) },
        logger: Logger(label: "simulator") { _ in SwiftLogNoOpLogHandler() })
      return try await withThrowingTaskGroup(of: Value?.self) { group in
        group.addTask {
          try await app.run()
          return nil
        }
        defer { group.cancelAll() }
        var iterator = ports.makeAsyncIterator()
        guard let number = await iterator.next() else { throw CancellationError() }
        let base = try HTTPURL("http://\(address):\(number)/")
        started.begin(try make(base))
        group.addTask { try await body(SimulatorHost(base: base, journal: journal)) }
        while let value = try await group.next() {
          if let value { return value }
        }
        throw CancellationError()
      }
    }
  }
#endif
