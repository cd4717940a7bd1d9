import COpenSSL

/// The SubjectPublicKeyInfo of keys whose form is simple, without OpenSSL's encoders, which it loads for the first key of a process
/// and sets up for each.
enum KeyEncoding {
  /// That of an RSA key without restrictions; nil for other keys.
  static func rsa(_ key: OpaquePointer) -> [UInt8]? {
    guard unsafe EVP_PKEY_get_base_id(key) == EVP_PKEY_RSA,
      let modulus = unsafe KeyParameter.octets(OSSL_PKEY_PARAM_RSA_N, of: key),
      let exponent = unsafe KeyParameter.octets(OSSL_PKEY_PARAM_RSA_E, of: key)
    else { return nil }
    return PublicKey.rsaDER(modulus: modulus, exponent: exponent)
  }

  /// That of an EC key on a named curve, with the whole point even where it was compressed, in 3 µs; OpenSSL's encoder takes
  /// 50. Nil for other keys.
  static func ec(_ key: OpaquePointer) -> [UInt8]? {
    guard unsafe EVP_PKEY_get_base_id(key) == EVP_PKEY_EC,
      let width = unsafe curve(key).flatMap({ coordinateBytes[$0] })
    else { return nil }
    var octets: UnsafeMutablePointer<UInt8>?
    let count = unsafe EVP_PKEY_get1_encoded_public_key(key, &octets)
    guard let octets = unsafe octets else { return nil }
    defer { unsafe cossl_free(octets) }
    let point = unsafe Array(UnsafeBufferPointer(start: octets, count: count))
    return count == 2 * width + 1 ? PublicKey.info(ofPoint: point) : nil
  }

  /// OpenSSL's name of the curve; nil for parameters without a name.
  static func curve(_ key: OpaquePointer) -> String? {
    var name = [CChar](repeating: 0, count: 64)
    var length = 0
    guard unsafe EVP_PKEY_get_group_name(key, &name, name.count, &length) == 1 else { return nil }
    return String(decoding: name.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Octets of a coordinate, by curve.
  static let coordinateBytes = ["prime256v1": 32, "secp384r1": 48, "secp521r1": 66]
}
