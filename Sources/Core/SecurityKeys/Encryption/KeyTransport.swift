import COpenSSL

/// How a content key is encrypted to an RSA key (XML Encryption 1.1, 5.5).
package enum KeyTransport: Hashable, Sendable {
  /// RSAES-OAEP (RFC 8017, 7.1) with its three parameters.
  case oaep(digest: DigestAlgorithm, mask: DigestAlgorithm, label: [UInt8])
  /// RSAES-PKCS1-v1_5; used only where it is allowed by name.
  case pkcs1

  /// What must be allowed by name before it may be used.
  package var exception: LegacyException? { self == .pkcs1 ? .rsaPKCS1Encryption : nil }

  /// Sets the padding and its parameters in a context that encrypts or decrypts.
  func prepare(_ context: OpaquePointer) -> Bool {
    switch self {
    case .pkcs1:
      return unsafe EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PADDING) == 1
    case .oaep(let digest, let mask, let label):
      return unsafe EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_OAEP_PADDING) == 1
        && EVP_PKEY_CTX_set_rsa_oaep_md(context, digest.implementation.pointer) == 1
        && EVP_PKEY_CTX_set_rsa_mgf1_md(context, mask.implementation.pointer) == 1
        && Self.setLabel(label, context)
    }
  }

  /// The context owns the label only when this succeeds.
  private static func setLabel(_ label: [UInt8], _ context: OpaquePointer) -> Bool {
    guard !label.isEmpty else { return true }
    guard let count = Int32(exactly: label.count),
      let copy = unsafe cossl_copy(label, label.count)
    else { return false }
    guard unsafe EVP_PKEY_CTX_set0_rsa_oaep_label(context, copy, count) == 1 else {
      unsafe cossl_free(copy)
      return false
    }
    return true
  }
}

/// How the key of an encrypted message is encrypted to its recipient, where this library encrypts.
public enum KeyEncryption: String, CaseIterable, Hashable, Sendable {
  /// RSA-OAEP with SHA-1, which every reader supports. OAEP does not depend on collision resistance,
  /// the only property in which SHA-1 is broken.
  case rsaOAEP = "rsa-oaep-mgf1p"
  /// RSA-OAEP with SHA-256 as its digest and in its mask generation (XML Encryption 1.1, 5.5.2).
  case rsaOAEPSHA256 = "rsa-oaep-sha256"
  /// ECDH with an ephemeral key, ConcatKDF with SHA-256, then AES key wrap (XML Encryption 1.1,
  /// 5.6.4).
  case ecdhES = "ecdh-es"

  /// The name that options and reports use.
  public var name: String { rawValue }

  /// Whether this algorithm encrypts to a key of this kind.
  func accepts(_ kind: PublicKey.Kind) -> Bool {
    switch (self, kind) {
    case (.rsaOAEP, .rsa), (.rsaOAEPSHA256, .rsa), (.ecdhES, .ec): true
    default: false
    }
  }
}
