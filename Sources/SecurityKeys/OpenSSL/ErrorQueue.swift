import COpenSSL

/// OpenSSL's per-thread error queue.
///
/// A failed call leaves entries that a later, unrelated call on the same thread could trip over, so
/// every operation that can fail ends with ``clear()``.
enum ErrorQueue {
  static func clear() {
    // Looking costs less than clearing a queue that is empty.
    if ERR_peek_error() != 0 { ERR_clear_error() }
  }
}
