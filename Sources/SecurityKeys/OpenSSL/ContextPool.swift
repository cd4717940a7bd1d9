import Synchronization

/// Prepared OpenSSL contexts that wait for their next use.
///
/// A context serves one thread at a time; taking one out of the pool makes the taker its owner. The
/// pool holds as many as were ever in use at once, which is the number of threads.
final class ContextPool<Purpose: Equatable & Sendable, Context: AnyObject & Sendable>: Sendable {
  private struct Entry {
    let purpose: Purpose
    let context: Context
  }

  // As a rule a key serves one purpose, so the last entry is the one that is wanted.
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
