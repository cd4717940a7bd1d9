import COpenSSL

/// The Concatenation Key Derivation Function (NIST SP 800-56A, 5.8.1; XML Encryption 1.1, 5.4.1),
/// which OpenSSL calls the single-step KDF.
package struct ConcatKDF: Hashable, Sendable {
  package let digest: DigestAlgorithm
  /// AlgorithmID, PartyUInfo, PartyVInfo, SuppPubInfo and SuppPrivInfo, concatenated.
  package let otherInfo: [UInt8]

  package init(digest: DigestAlgorithm, otherInfo: [UInt8]) {
    self.digest = digest
    self.otherInfo = otherInfo
  }

  /// A key of `count` bytes from a shared secret, or nil when OpenSSL refuses.
  package func derive(_ count: Int, from secret: [UInt8]) -> [UInt8]? {
    defer { ErrorQueue.clear() }
    guard let implementation = unsafe Self.singleStep.pointer,
      let context = unsafe EVP_KDF_CTX_new(implementation)
    else { return nil }
    defer { unsafe EVP_KDF_CTX_free(context) }
    var name = Array(digest.rawValue.utf8CString)
    var secret = secret
    // OpenSSL rejects a null pointer as an empty octet string.
    let infoCount = otherInfo.count
    var info = otherInfo + [0]
    var output = [UInt8](repeating: 0, count: count)
    let status = unsafe name.withUnsafeMutableBufferPointer { name in
      unsafe secret.withUnsafeMutableBytes { secret in
        unsafe info.withUnsafeMutableBytes { info in
          var parameters = unsafe [
            cossl_kdf_digest(name.baseAddress), cossl_kdf_secret(secret.baseAddress, secret.count),
            cossl_kdf_info(info.baseAddress, infoCount),
            OSSL_PARAM_construct_end(),
          ]
          return unsafe EVP_KDF_derive(context, &output, count, &parameters)
        }
      }
    }
    return status == 1 ? output : nil
  }

  /// Fetched once and retained; immutable.
  @safe private struct Implementation: @unchecked Sendable {
    let pointer: OpaquePointer?
  }
  private static let singleStep = unsafe Implementation(pointer: EVP_KDF_fetch(nil, "SSKDF", nil))
}
