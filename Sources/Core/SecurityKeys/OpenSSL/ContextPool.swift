import Synchronization

/// Prepared OpenSSL contexts for reuse.
///
/// A context serves one thread at a time; the thread that takes one out of the pool owns it. The pool
/// holds as many as were ever in use at once, which is the number of threads.
final class ContextPool<Purpose: Equatable & Sendable, Context: AnyObject & Sendable>: Sendable {
  private struct Entry {
    let purpose: Purpose
    let context: Context
  }

  // A key usually serves one purpose, so the last entry matches.
  private let idle = Mutex<[Entry]>([])

  func take(_ purpose: Purpose) -> Context? {
    idle.withLock { idle in
      if idle.last?.purpose == purpose { return idle.popLast()?.context }
      guard let position = idle.lastIndex(where: { $0.purpose == purpose }) else { return nil }
      return idle.remove(at: position).context
    }
  }

  func give(_ context: Context, for purpose: Purpose) {
    idle.withLock { $0.append(Entry(purpose: purpose, context: context)) }
  }
}
