import CThreads

/// A thread for what a command needs soon and can begin at once.
enum EarlyThread {
  private final class Work: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Does `body` on another thread, soon or, where there is none to be had, never.
  static func start(_ body: @escaping @Sendable () -> Void) {
    let work = unsafe Unmanaged.passRetained(Work(body))
    let status = unsafe cthreads_start(
      { work in
        guard let work = unsafe work else { return }
        unsafe Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body()
      }, work.toOpaque())
    if status != 0 { unsafe work.release() }
  }
}
