import Dispatch

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// SIGHUP, which makes a long-running program load its configuration again.
package struct HangUpSignal {
  private let source: any DispatchSourceSignal

  /// Calls `body` at every SIGHUP, on its own thread, until ``stop()``. The signal does not end the process.
  package init(_ body: @escaping @Sendable () -> Void) {
    signal(SIGHUP, SIG_IGN)
    source = DispatchSource.makeSignalSource(signal: SIGHUP, queue: .global())
    source.setEventHandler(handler: body)
    source.resume()
  }

  /// Calls it no more.
  package func stop() { source.cancel() }
}
