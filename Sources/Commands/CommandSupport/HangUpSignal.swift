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
  private let source: (any DispatchSourceRead)?

  /// Calls `body` at SIGHUP, on a thread of its own, until ``stop()``. The signal does not end the process.
  package init(_ body: @escaping @Sendable () -> Void) {
    guard let caught = CaughtSignal(SIGHUP) else {
      signal(SIGHUP, SIG_IGN)
      source = nil
      return
    }
    let source = caught.source()
    source.setEventHandler {
      var octets = [UInt8](repeating: 0, count: 64)
      while unsafe read(caught.descriptor, &octets, octets.count) > 0 {}
      body()
    }
    source.resume()
    self.source = source
  }

  /// Calls it no more.
  package func stop() { source?.cancel() }
}
