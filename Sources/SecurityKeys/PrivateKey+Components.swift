import COpenSSL

extension PrivateKey {
  /// Modulus and public exponent of an RSA key, big-endian without leading zeros (RFC 7518, 6.3.1); nil
  /// for other keys.
  package var rsaComponents: (modulus: [UInt8], exponent: [UInt8])? {
    guard let modulus = storage.number(OSSL_PKEY_PARAM_RSA_N),
      let exponent = storage.number(OSSL_PKEY_PARAM_RSA_E)
    else { return nil }
    return (modulus, exponent)
  }

  /// The key itself in DER, for a store of secrets; empty when OpenSSL refuses.
  package var exportedDER: [UInt8] { storage.privateKeyInfo() }
}

extension PrivateKey.Storage {
  fileprivate func privateKeyInfo() -> [UInt8] {
    defer { ErrorQueue.clear() }
    return unsafe DER.encode { unsafe i2d_PrivateKey(pointer, $0) }
  }

  fileprivate func number(_ name: String) -> [UInt8]? {
    unsafe KeyParameter.octets(name, of: pointer)
  }
}
