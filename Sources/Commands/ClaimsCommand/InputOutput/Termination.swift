import CommandSupport
import Dispatch

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// SIGTERM, at which a long run reads no further and answers what it has read. Where nobody takes the answers, it ends
/// without them after eight seconds.
final class Termination: Sendable {
  /// Kept alone: nothing calls it after `init`.
  nonisolated(unsafe) private let source: any DispatchSourceRead
  private let caught: CaughtSignal

  /// The signal does not end the process from here on; nil when the system has no pipe left.
  init?() {
    guard let caught = CaughtSignal(SIGTERM) else { return nil }
    self.caught = caught
    let source = caught.source()
    source.setEventHandler {
      // Once: the pipe stays readable for who reads lines.
      source.cancel()
      Self.watch(writes: Results.writeCount, idleSeconds: 0)
    }
    source.resume()
    unsafe self.source = source
  }

  /// Ends the process once no write has ended for eight seconds: the reader of the output reads no more, and what is
  /// waiting to be written would wait for ever.
  private static func watch(writes: Int, idleSeconds: Int) {
    guard idleSeconds < 8 else {
      // Without the handlers of `exit`, one of which could wait for the writer.
      _exit(ExitStatus.terminated.rawValue)
    }
    CaughtSignal.queue.asyncAfter(deadline: .now() + .seconds(1)) {
      let count = Results.writeCount
      watch(writes: count, idleSeconds: count == writes ? idleSeconds + 1 : 0)
    }
  }

  /// The descriptor that can be read from the signal on.
  var descriptor: Int32 { caught.descriptor }

  /// Whether the signal came.
  var isAsked: Bool {
    var awaited = pollfd(
      fd: descriptor, events: Int16(truncatingIfNeeded: POLLIN), revents: 0)
    return unsafe poll(&awaited, 1, 0) > 0
  }
}
