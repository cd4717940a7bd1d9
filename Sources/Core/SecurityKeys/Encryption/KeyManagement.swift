/// How the key of the content of a JSON Web Encryption reaches its recipient: its `alg` (RFC 7518, 4.1; RFC 8037,
/// 3.2). Those of passwords (PBES2) are none: who guesses one pays less than who reads the token.
public enum KeyManagement: String, CaseIterable, Hashable, Sendable {
  /// RSA-OAEP with SHA-1 (RFC 7518, 4.3). OAEP does not depend on collision resistance.
  case rsaOAEP = "RSA-OAEP"
  /// RSA-OAEP with SHA-256 (RFC 7518, 4.3).
  case rsaOAEP256 = "RSA-OAEP-256"
  /// RSA PKCS #1 v1.5 (RFC 7518, 4.2): prone to padding oracles, and used only where it is allowed by name.
  case rsaPKCS1 = "RSA1_5"
  /// The key that both sides derive (RFC 7518, 4.6), on P-256, P-384, P-521 or X25519.
  case ecdhES = "ECDH-ES"
  /// The same key, which wraps that of the content with AES-128.
  case ecdhESA128KW = "ECDH-ES+A128KW"
  /// The same with AES-192.
  case ecdhESA192KW = "ECDH-ES+A192KW"
  /// The same with AES-256.
  case ecdhESA256KW = "ECDH-ES+A256KW"
  /// AES key wrap with a shared secret of 16 bytes (RFC 7518, 4.4).
  case a128KW = "A128KW"
  /// AES key wrap with a shared secret of 24 bytes.
  case a192KW = "A192KW"
  /// AES key wrap with a shared secret of 32 bytes.
  case a256KW = "A256KW"
  /// AES in GCM with a shared secret of 16 bytes (RFC 7518, 4.7).
  case a128GCMKW = "A128GCMKW"
  /// AES in GCM with a shared secret of 24 bytes.
  case a192GCMKW = "A192GCMKW"
  /// AES in GCM with a shared secret of 32 bytes.
  case a256GCMKW = "A256GCMKW"
  /// The shared secret itself encrypts the content (RFC 7518, 4.5).
  case direct = "dir"

  /// The name of the standard, such as `RSA-OAEP-256`.
  public var name: String { rawValue }

  /// What the content's key goes through.
  package enum Method: Hashable, Sendable {
    case transport(KeyTransport)
    /// An agreement whose key is that of the content, or wraps it.
    case agreement(KeyWrap?)
    case wrap(KeyWrap)
    /// AES in GCM, with an IV and a tag in the header.
    case sealed(ContentEncryption)
    case direct
  }

  /// What the content's key goes through.
  package var method: Method {
    switch self {
    case .rsaOAEP: .transport(.oaep(digest: .sha1, mask: .sha1, label: []))
    case .rsaOAEP256: .transport(.oaep(digest: .sha256, mask: .sha256, label: []))
    case .rsaPKCS1: .transport(.pkcs1)
    case .ecdhES: .agreement(nil)
    case .ecdhESA128KW: .agreement(.aes128)
    case .ecdhESA192KW: .agreement(.aes192)
    case .ecdhESA256KW: .agreement(.aes256)
    case .a128KW: .wrap(.aes128)
    case .a192KW: .wrap(.aes192)
    case .a256KW: .wrap(.aes256)
    case .a128GCMKW: .sealed(.aes128GCM)
    case .a192GCMKW: .sealed(.aes192GCM)
    case .a256GCMKW: .sealed(.aes256GCM)
    case .direct: .direct
    }
  }

  /// What must be allowed by name before it may be used.
  package var exception: LegacyException? {
    if case .transport(let transport) = method { transport.exception } else { nil }
  }

  /// Whether the token holds no key, since both sides have it.
  package var hasNoEncryptedKey: Bool { self == .direct || self == .ecdhES }

  /// Whether it encrypts to a public key of this kind.
  package func accepts(_ kind: PublicKey.Kind) -> Bool {
    switch (method, kind) {
    case (.transport, .rsa): true
    case (.agreement, _): kind.agrees
    default: false
    }
  }

  /// Whether it encrypts to a public key, and not by the looser padding of old.
  package var isOfPublicKeys: Bool {
    switch method {
    case .transport, .agreement: exception == nil
    case .wrap, .sealed, .direct: false
    }
  }

  /// The length in bytes of a shared secret; nil where it takes none.
  package func secretLength(_ encryption: ContentEncryption) -> Int? {
    switch method {
    case .wrap(let wrap): wrap.keyLength
    case .sealed(let cipher): cipher.keyLength
    case .direct: encryption.keyLength
    case .transport, .agreement: nil
    }
  }
}

/// Which algorithms an encrypted JSON Web Token may use: of what its header names, it picks among these.
public struct EncryptionAlgorithms: Hashable, Sendable {
  /// The accepted `alg`.
  public var keyManagement: Set<KeyManagement>
  /// The accepted `enc`.
  public var content: Set<ContentEncryption>

  /// Those named; by default all, of which ``KeyManagement/rsaPKCS1`` has to be allowed by name as well.
  public init(
    keyManagement: Set<KeyManagement> = Set(KeyManagement.allCases),
    content: Set<ContentEncryption> = Set(ContentEncryption.allCases)
  ) {
    self.keyManagement = keyManagement
    self.content = content
  }
}
