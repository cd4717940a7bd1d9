#if Server
  import Foundation
  import NIOCore
  import NIOPosix
  import TestSupport

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #else
    import Darwin
  #endif

  /// A program that serves until a test ends it.
  final class RunningProgram {
    private let process = ChildProcess()
    private let errors = Pipe()
    private(set) var talk = ""

    init(_ name: String, _ arguments: [String], in folder: URL) throws {
      process.executableURL = BuiltProgram(name).url
      process.arguments = arguments
      process.currentDirectoryURL = folder
      process.standardInput = .null
      process.standardOutput = .null
      process.standardError = .pipe(errors)
      try process.run()
    }

    deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

    /// Waits until it has said that on standard error; false where it ended before.
    func says(_ text: String) -> Bool {
      while !talk.contains(text) {
        let more = errors.fileHandleForReading.availableData
        guard !more.isEmpty else { return false }
        talk += String(decoding: more, as: UTF8.self)
      }
      return true
    }

    /// Sends it SIGHUP.
    func hangUp() { kill(process.processIdentifier, SIGHUP) }

    /// Tells it to end, and returns its status; what it said is in ``talk``.
    func end() -> Int32 {
      kill(process.processIdentifier, SIGTERM)
      talk += String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      return process.terminationStatus
    }

    /// A port of loopback that was free a moment ago.
    static func freePort() async throws -> Int {
      let probe = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .bind(host: "127.0.0.1", port: 0).get()
      defer { probe.close(promise: nil) }
      return probe.localAddress?.port ?? 0
    }
  }
#endif
