import COpenSSL

/// An `EVP_PKEY_CTX` prepared for one algorithm. Used by one thread at a time, hence Sendable.
@safe final class SignatureContext: @unchecked Sendable {
  /// What it is good for.
  enum Use {
    case signing
    case verifying
  }

  private let pointer: OpaquePointer

  init?(_ key: OpaquePointer, _ algorithm: SignatureAlgorithm, for use: Use) {
    guard let pointer = unsafe EVP_PKEY_CTX_new(key, nil) else { return nil }
    unsafe self.pointer = pointer
    let digest = unsafe algorithm.digest.implementation.pointer
    var isReady =
      unsafe (use == .signing ? EVP_PKEY_sign_init(pointer) : EVP_PKEY_verify_init(pointer)) == 1
    switch algorithm.family {
    case .rsaPKCS1:
      isReady = unsafe isReady && EVP_PKEY_CTX_set_rsa_padding(pointer, RSA_PKCS1_PADDING) == 1
    case .rsaPSS:
      isReady = unsafe isReady && EVP_PKEY_CTX_set_rsa_padding(pointer, RSA_PKCS1_PSS_PADDING) == 1
    case .ecdsa, .hmac, .ed25519, .ed448, .mlDSA44, .mlDSA65, .mlDSA87:
      break
    }
    isReady = unsafe isReady && EVP_PKEY_CTX_set_signature_md(pointer, digest) == 1
    if algorithm.family == .rsaPSS {
      // RFC 9231, 2.3.10: MGF1 with the same digest, salt as long as the digest.
      isReady =
        unsafe isReady && EVP_PKEY_CTX_set_rsa_mgf1_md(pointer, digest) == 1
        && EVP_PKEY_CTX_set_rsa_pss_saltlen(pointer, RSA_PSS_SALTLEN_DIGEST) == 1
    }
    guard isReady else { return nil }
  }

  deinit { unsafe EVP_PKEY_CTX_free(pointer) }

  /// The signature of a message with this digest, ECDSA in DER; nil where OpenSSL refuses.
  func sign(_ digest: [UInt8]) -> [UInt8]? {
    var length = 0
    guard unsafe EVP_PKEY_sign(pointer, nil, &length, digest, digest.count) == 1, length > 0 else {
      return nil
    }
    var signature = [UInt8](repeating: 0, count: length)
    guard unsafe EVP_PKEY_sign(pointer, &signature, &length, digest, digest.count) == 1 else {
      return nil
    }
    return Array(signature.prefix(length))
  }

  /// Only 1 is success: OpenSSL returns 0 for a wrong signature and a negative number for other errors.
  func verify(_ signature: Span<UInt8>, _ digest: Digest) -> Bool {
    digest.withBytes { digest in
      unsafe signature.withUnsafeBufferPointer { signature in
        unsafe digest.withUnsafeBufferPointer { digest in
          unsafe EVP_PKEY_verify(
            pointer, signature.baseAddress, signature.count, digest.baseAddress, digest.count) == 1
        }
      }
    }
  }
}
