import COpenSSL

extension CryptographyLibrary {
  /// For a process that verifies and ends, which calls this before anything else of OpenSSL. It starts
  /// without the texts of its errors and its table of cipher names, which nobody here asks for, and its
  /// end is the kernel's: a thread may be inside it.
  package static func prepareForBriefUse() {
    OPENSSL_init_crypto(
      UInt64(
        OPENSSL_INIT_NO_LOAD_CRYPTO_STRINGS | OPENSSL_INIT_NO_ADD_ALL_CIPHERS
          | OPENSSL_INIT_NO_ATEXIT), nil)
  }

  /// Has OpenSSL read its configuration and look up what decodes keys and verifies, which the first key
  /// of a process would wait for: a key that is nobody's is read and refuses a signature.
  package static func useOnce() {
    let der = PublicKey.rsaDER(modulus: [UInt8](repeating: 0xC7, count: 128), exponent: [1, 0, 1])
    let digest = DigestAlgorithm.sha256.value(of: der.span)
    let key = PublicKey.Storage(subjectPublicKeyInfo: der)
    if let digest { _ = key?.verify(der.span, digest, .rsaSHA256) }
    ErrorQueue.clear()
  }
}
