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
