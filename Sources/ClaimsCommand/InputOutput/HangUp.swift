import Dispatch

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// SIGHUP, which asks a program that runs long to read its configuration again.
struct HangUp {
  private let source: any DispatchSourceSignal

  /// Calls `body` at every SIGHUP, on a thread of its own, until ``stop()``. The signal ends nothing.
  init(_ body: @escaping @Sendable () -> Void) {
    signal(SIGHUP, SIG_IGN)
    source = DispatchSource.makeSignalSource(signal: SIGHUP, queue: .global())
    source.setEventHandler(handler: body)
    source.resume()
  }

  func stop() { source.cancel() }
}
