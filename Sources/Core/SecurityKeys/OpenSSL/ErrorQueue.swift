import COpenSSL

/// OpenSSL's per-thread error queue.
///
/// A failed call leaves entries that a later, unrelated call on the same thread could report, so
/// every operation that can fail ends with ``clear()``.
enum ErrorQueue {
  static func clear() {
    // Peeking is cheaper than clearing an empty queue.
    if ERR_peek_error() != 0 { ERR_clear_error() }
  }
}

/// The version of OpenSSL that is loaded.
package enum CryptographyLibrary {
  package static var version: String {
    guard let text = unsafe OpenSSL_version(OPENSSL_VERSION_STRING) else { return "unknown" }
    return unsafe String(cString: text)
  }
}
