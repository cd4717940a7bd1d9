import COpenSSL

/// Octets from OpenSSL's generator; nil when it has none to give.
enum RandomOctets {
  /// Octets that everybody may see.
  static func open(_ count: Int) -> [UInt8]? {
    var octets = [UInt8](repeating: 0, count: count)
    guard let length = Int32(exactly: count), unsafe RAND_bytes(&octets, length) == 1 else {
      ErrorQueue.clear()
      return nil
    }
    return octets
  }

  /// Octets of a key, from a generator whose output is never shown.
  static func secret(_ count: Int) -> [UInt8]? {
    var octets = [UInt8](repeating: 0, count: count)
    guard let length = Int32(exactly: count), unsafe RAND_priv_bytes(&octets, length) == 1 else {
      ErrorQueue.clear()
      return nil
    }
    return octets
  }
}
