import COpenSSL

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension CryptographyLibrary {
  /// Begins, on a thread of its own, what the first key of a process would wait for: OpenSSL reads its
  /// configuration then and looks up what decodes keys and verifies. For commands, which have their
  /// arguments to read meanwhile; every call of OpenSSL waits for what it needs of it.
  package static func startEarly() {
    // The process may end before the thread does, so nobody tidies up behind it.
    OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil)
    var attributes = pthread_attr_t()
    var thread = pthread_t()
    unsafe pthread_attr_init(&attributes)
    unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    _ = unsafe pthread_create(
      &thread, &attributes,
      { _ in
        CryptographyLibrary.useOnce()
        return nil
      }, nil)
    unsafe pthread_attr_destroy(&attributes)
  }

  /// A key that is nobody's is read, written, and refuses a signature.
  private static func useOnce() {
    let der = PublicKey.rsaDER(modulus: [UInt8](repeating: 0xC7, count: 128), exponent: [1, 0, 1])
    let digest = DigestAlgorithm.sha256.value(of: der.span)
    let key = PublicKey.Storage(subjectPublicKeyInfo: der)
    _ = key?.subjectPublicKeyInfo()
    if let digest { _ = key?.verify(der.span, digest, .rsaSHA256) }
    ErrorQueue.clear()
  }
}
