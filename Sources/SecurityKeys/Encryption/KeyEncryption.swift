/// How the key of an encrypted message gets to its recipient, where this library encrypts.
public enum KeyEncryption: String, CaseIterable, Hashable, Sendable {
  /// RSA-OAEP with SHA-1, the form that every reader knows. OAEP does not rest on collisions, in which
  /// alone SHA-1 is broken.
  case rsaOAEP = "rsa-oaep-mgf1p"
  /// RSA-OAEP with SHA-256 as its digest and in its mask (XML Encryption 1.1, 5.5.2).
  case rsaOAEPSHA256 = "rsa-oaep-sha256"
  /// ECDH with a key of one message, ConcatKDF with SHA-256, then AES key wrap (XML Encryption 1.1,
  /// 5.6.4).
  case ecdhES = "ecdh-es"

  /// The name that options and reports use.
  public var name: String { rawValue }

  /// Whether a key of this kind can be encrypted to so.
  func accepts(_ kind: PublicKey.Kind) -> Bool {
    switch (self, kind) {
    case (.rsaOAEP, .rsa), (.rsaOAEPSHA256, .rsa), (.ecdhES, .ec): true
    default: false
    }
  }
}
