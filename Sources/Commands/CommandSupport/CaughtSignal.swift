package import Dispatch

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A signal that does not end the process, but makes a pipe readable.
///
/// By a handler of its own: a signal source of libdispatch comes into force some time after it is made, and loses what
/// arrives before.
package struct CaughtSignal: Sendable {
  /// The end of a pipe that can be read from the signal on. It does not wait.
  package let descriptor: Int32

  /// Catches the signal from here on; nil where the system has no pipe left.
  package init?(_ number: Int32) {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { return nil }
    // A handler must not wait: a pipe that is full has all that there is to say.
    for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    descriptor = ends[0]
    unsafe Self.writingEnds[Int(number)] = ends[1]
    _ = signal(number) { number in
      let before = errno
      var octet: UInt8 = 0
      _ = unsafe write(CaughtSignal.writingEnds[Int(number)], &octet, 1)
      errno = before
    }
    // What started the process may have blocked it.
    var taken = sigset_t()
    unsafe sigemptyset(&taken)
    unsafe sigaddset(&taken, number)
    unsafe pthread_sigmask(SIG_UNBLOCK, &taken, nil)
  }

  /// A source that has an event on ``queue`` while the pipe can be read.
  package func source() -> any DispatchSourceRead {
    DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: Self.queue)
  }

  /// Where signals are handled. It is serial, and so has a thread when it needs one: those of the global queue may all wait
  /// for the work that the signal is to end.
  package static let queue = DispatchQueue(label: "signals")

  /// By the number of the signal, in memory that a handler may read.
  nonisolated(unsafe) private static let writingEnds: UnsafeMutablePointer<Int32> = {
    let count = 65
    let ends = UnsafeMutablePointer<Int32>.allocate(capacity: count)
    unsafe ends.initialize(repeating: -1, count: count)
    return unsafe ends
  }()
}
