import Synchronization

/// Prepared OpenSSL contexts that wait for their next use.
///
/// A context serves one thread at a time; taking one out of the pool makes the taker its owner. The
/// pool holds as many as were ever in use at once, which is the number of threads.
final class ContextPool<Purpose: Hashable & Sendable, Context: AnyObject & Sendable>: Sendable {
  private let idle = Mutex<[Purpose: [Context]]>([:])

  func take(_ purpose: Purpose) -> Context? {
    idle.withLock { $0[purpose]?.popLast() }
  }

  func give(_ context: Context, for purpose: Purpose) {
    idle.withLock { $0[purpose, default: []].append(context) }
  }
}
