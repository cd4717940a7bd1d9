import COpenSSL
package import TokenBasics

extension Certificate {
  /// A certificate of `key`, signed with it (RFC 5280, 4.1, without extensions): for whoever trusts keys
  /// and no chains, such as the readers of SAML metadata.
  ///
  /// - Parameters:
  ///   - key: An RSA or EC key.
  ///   - name: The common name of subject and issuer.
  /// - Throws: `key.unreadable` when OpenSSL refuses.
  package init(
    selfSigning key: PrivateKey, name: String, notBefore: Instant, notAfter: Instant
  ) throws(TokenError) {
    defer { ErrorQueue.clear() }
    let der = unsafe Self.sign(key.storage.pointer, name, notBefore, notAfter)
    guard let der else { throw TokenError(.unreadableKey, expected: "an RSA or EC key") }
    try self.init(der: der)
  }

  private static func sign(
    _ key: OpaquePointer, _ name: String, _ notBefore: Instant, _ notAfter: Instant
  ) -> [UInt8]? {
    guard let certificate = unsafe X509_new() else { return nil }
    defer { unsafe X509_free(certificate) }
    let subject = unsafe X509_get_subject_name(certificate)
    let start = unsafe X509_getm_notBefore(certificate)
    let end = unsafe X509_getm_notAfter(certificate)
    let text = Array(name.utf8)
    let isComplete =
      // 2: version 3.
      unsafe X509_set_version(certificate, 2) == 1
      && ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate), .random(in: 1...(.max >> 1)))
        == 1
      && ASN1_TIME_set(start, time_t(notBefore.seconds)) != nil
      && ASN1_TIME_set(end, time_t(notAfter.seconds)) != nil
      && X509_NAME_add_entry_by_txt(
        subject, "CN", MBSTRING_UTF8, text, Int32(clamping: text.count), -1, 0) == 1
      && X509_set_issuer_name(certificate, subject) == 1
      && X509_set_pubkey(certificate, key) == 1
      && X509_sign(certificate, key, EVP_sha256()) > 0
    guard isComplete else { return nil }
    return unsafe DER.encode { unsafe i2d_X509(certificate, $0) }
  }
}
