public import Foundation
import Synchronization

/// A program that a test starts, with the members of Foundation's `Process` that the tests use.
///
/// `Process.run()` of Swift 6.3 reads `/proc/self/fd` past the end of a buffer (swift-corelibs-foundation #5472): beside
/// tests that hold more than a thousand descriptors it ends the whole run now and then.
public final class ChildProcess: @unchecked Sendable {
  public enum Failure: Error {
    case notStarted(path: String, errno: Int32)
  }

  // Set before `run`, by one thread.
  public var executableURL: URL?
  public var arguments: [String] = []
  public var environment = ProcessInfo.processInfo.environment
  public var currentDirectoryURL: URL?
  public var standardInput: Stream = .inherited
  public var standardOutput: Stream = .inherited
  public var standardError: Stream = .inherited

  /// Called on a thread of its own when the program has ended.
  public var terminationHandler: (@Sendable () -> Void)?

  public private(set) var processIdentifier: pid_t = 0
  private let end = DispatchGroup()
  private let status = Mutex<Int32?>(nil)

  public init() {}

  /// What the program reads from or writes to.
  public enum Stream {
    case inherited, null
    case file(FileHandle)
    case pipe(Pipe)
  }

  public var isRunning: Bool { processIdentifier != 0 && status.withLock { $0 == nil } }

  /// Whether the program ended by itself, and not by a signal.
  public var hasExited: Bool { status.withLock { $0.map { $0 & 0x7f == 0 } } ?? false }

  /// The exit code, or the number of the signal that ended it.
  public var terminationStatus: Int32 {
    let status = status.withLock { $0 } ?? 0
    return status & 0x7f == 0 ? status >> 8 & 0xff : status & 0x7f
  }

  public func run() throws {
    var command = [executableURL?.path() ?? ""] + arguments
    if let currentDirectoryURL {
      command = ["/usr/bin/env", "-C", currentDirectoryURL.path()] + command
    }
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    for (stream, descriptor) in streams {
      switch stream {
      case .inherited: break
      case .null:
        unsafe posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
      case .file(let handle):
        unsafe posix_spawn_file_actions_adddup2(&actions, handle.fileDescriptor, descriptor)
      case .pipe(let pipe):
        unsafe posix_spawn_file_actions_adddup2(
          &actions, Self.end(of: pipe, descriptor).fileDescriptor, descriptor)
      }
    }
    for descriptor in try Self.openDescriptors() {
      unsafe posix_spawn_file_actions_addclose(&actions, descriptor)
    }
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    // The threads of the test process block signals; a program that a shell starts does not.
    var unblocked = sigset_t()
    unsafe sigemptyset(&unblocked)
    unsafe posix_spawnattr_setsigmask(&attributes, &unblocked)
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    let words = unsafe command.map { unsafe strdup($0) }
    let variables = unsafe environment.map { unsafe strdup("\($0.key)=\($0.value)") }
    defer { unsafe (words + variables).forEach { unsafe free($0) } }
    let failure = unsafe posix_spawn(
      &processIdentifier, command[0], &actions, &attributes, words + [nil], variables + [nil])
    guard failure == 0 else { throw Failure.notStarted(path: command[0], errno: failure) }
    for case (.pipe(let pipe), let descriptor) in streams {
      try? Self.end(of: pipe, descriptor).close()
    }
    reap(processIdentifier)
  }

  public func waitUntilExit() { end.wait() }

  public func terminate() { kill(processIdentifier, SIGTERM) }

  private var streams: [(Stream, Int32)] {
    [(standardInput, 0), (standardOutput, 1), (standardError, 2)]
  }

  /// The program's end of a pipe.
  private static func end(of pipe: Pipe, _ descriptor: Int32) -> FileHandle {
    descriptor == 0 ? pipe.fileHandleForReading : pipe.fileHandleForWriting
  }

  /// Of this process, without the three of a terminal: another test's pipe would not end while a program holds it.
  private static func openDescriptors() throws -> [Int32] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
      .compactMap { Int32($0) }.filter { $0 > 2 }
  }

  private func reap(_ process: pid_t) {
    end.enter()
    Thread.detachNewThread { [self] in
      var ended: Int32 = 0
      while unsafe waitpid(process, &ended, 0) == -1, errno == EINTR {}
      status.withLock { $0 = ended }
      end.leave()
      terminationHandler?()
    }
  }
}
