import Dispatch

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// SIGTERM, at which a long run reads no further and answers what it has read.
final class Termination: Sendable {
  /// Kept alone: nothing calls it after `init`.
  nonisolated(unsafe) private let source: any DispatchSourceSignal
  /// A pipe: readable from the signal on.
  private let ends: (reading: Int32, writing: Int32)

  /// The signal does not end the process from here on; nil when the system has no pipe left.
  init?() {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { return nil }
    self.ends = (ends[0], ends[1])
    signal(SIGTERM, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: SIGTERM, queue: .global())
    let writing = ends[1]
    source.setEventHandler {
      var octet: UInt8 = 0
      _ = unsafe write(writing, &octet, 1)
    }
    source.resume()
    unsafe self.source = source
  }

  /// The descriptor that can be read from the signal on.
  var descriptor: Int32 { ends.reading }

  /// Whether the signal came.
  var isAsked: Bool {
    var awaited = pollfd(
      fd: ends.reading, events: Int16(truncatingIfNeeded: POLLIN), revents: 0)
    return unsafe poll(&awaited, 1, 0) > 0
  }
}
