#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// SIGHUP, which asks a program that runs long to read its configuration again.
enum HangUp {
  /// From now on `body` is done at every SIGHUP, on a thread of its own, and the signal ends nothing.
  /// To be called while there is one thread: later ones inherit that they do not get the signal.
  static func whenever(_ body: @escaping @Sendable () -> Void) {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGHUP)
    guard unsafe pthread_sigmask(SIG_BLOCK, &signals, nil) == 0 else { return }
    EarlyThread.start {
      var awaited = sigset_t()
      unsafe sigemptyset(&awaited)
      unsafe sigaddset(&awaited, SIGHUP)
      var signal: Int32 = 0
      while unsafe sigwait(&awaited, &signal) == 0 { body() }
    }
  }
}
