import COpenSSL

/// The numeric components of a key.
enum KeyParameter {
  /// The number of this name, big-endian without leading zeros; nil for a key that has none.
  static func octets(_ name: String, of key: OpaquePointer) -> [UInt8]? {
    defer { ErrorQueue.clear() }
    var number: OpaquePointer?
    guard unsafe EVP_PKEY_get_bn_param(key, name, &number) == 1 else { return nil }
    defer { unsafe BN_free(number) }
    var octets = [UInt8](repeating: 0, count: (Int(unsafe BN_num_bits(number)) + 7) / 8)
    guard unsafe BN_bn2bin(number, &octets) == Int32(octets.count) else { return nil }
    return octets
  }
}
