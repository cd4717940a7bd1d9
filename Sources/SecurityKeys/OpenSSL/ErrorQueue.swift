import COpenSSL

/// OpenSSL's per-thread error queue.
///
/// A failed call leaves entries that a later, unrelated call on the same thread could trip over, so
/// every operation that can fail ends with ``clear()``.
enum ErrorQueue {
  static func clear() { ERR_clear_error() }
}
