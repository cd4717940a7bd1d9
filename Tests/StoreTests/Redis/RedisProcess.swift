#if Redis
  import Foundation
  import NIOCore
  import NIOPosix
  import RedisStores
  import TestSupport

  /// A `redis-server` of the machine, for as long as a test runs.
  enum RedisProcess {
    static let program: String? = ["/usr/bin/redis-server", "/usr/bin/valkey-server"].first {
      FileManager.default.isExecutableFile(atPath: $0)
    }

    static func serving(_ body: (RedisSettings) async throws -> Void) async throws {
      try await serving { settings, _ in try await body(settings) }
    }

    /// - Parameter body: Gets the settings for its port, and the path of its socket.
    static func serving(
      _ body: (_ settings: RedisSettings, _ socket: String) async throws -> Void
    ) async throws {
      // A port that was free a moment ago.
      let probe = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .bind(host: "127.0.0.1", port: 0).get()
      let port = probe.localAddress?.port ?? 0
      try await probe.close()
      let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let process = try start(port, folder)
      defer {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
      }
      var settings = RedisSettings(try RedisAddress("redis://127.0.0.1:\(port)"))
      settings.timeout = 20_000
      let client = try RedisClient(settings)
      // Each attempt is one connection that is refused, or a pause of the client.
      while process.isRunning, (try? await client.check()) == nil { await Task.yield() }
      client.close()
      try await body(settings, folder.appending(path: "s").path())
    }

    /// With an append-only file, since a server without one is refused, and a socket beside it.
    static func start(_ port: Int, _ folder: URL) throws -> ChildProcess {
      let process = ChildProcess()
      process.executableURL = URL(filePath: program ?? "")
      process.arguments = [
        "--port", "\(port)", "--bind", "127.0.0.1", "--save", "", "--daemonize", "no",
        "--appendonly", "yes", "--dir", folder.path(), "--unixsocket",
        folder.appending(path: "s").path(),
        "--loglevel", "warning",
      ]
      process.standardOutput = .null
      try process.run()
      return process
    }
  }
#endif
