import COpenSSL

/// OpenSSL's pairs of functions from and to DER.
enum DER {
  /// What `decode` reads from `octets`, all of which must be read: OpenSSL ignores trailing bytes.
  /// The caller owns the result.
  static func decode(
    _ octets: [UInt8],
    with decode: (UnsafeMutablePointer<UnsafePointer<UInt8>?>, Int) -> OpaquePointer?,
    freeing free: (OpaquePointer) -> Void
  ) -> OpaquePointer? {
    unsafe octets.withUnsafeBufferPointer { bytes -> OpaquePointer? in
      var cursor = bytes.baseAddress
      guard let end = unsafe cursor.map({ unsafe $0 + bytes.count }),
        let decoded = unsafe decode(&cursor, bytes.count)
      else { return nil }
      guard unsafe cursor == end else {
        unsafe free(decoded)
        return nil
      }
      return unsafe decoded
    }
  }

  /// What `encode` writes; empty when it fails.
  static func encode(
    with encode: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>) -> Int32
  ) -> [UInt8] {
    var encoded: UnsafeMutablePointer<UInt8>?
    let length = unsafe encode(&encoded)
    guard length > 0, let encoded = unsafe encoded else { return [] }
    defer { unsafe cossl_free(encoded) }
    return unsafe Array(UnsafeBufferPointer(start: encoded, count: Int(length)))
  }
}
