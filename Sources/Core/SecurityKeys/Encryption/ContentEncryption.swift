import Octets

/// How the content of a JSON Web Encryption is encrypted: its `enc` (RFC 7518, 5.1). Each notices any change of
/// ciphertext and header.
public enum ContentEncryption: String, CaseIterable, Hashable, Sendable {
  /// AES-128 in CBC with HMAC-SHA-256 (RFC 7518, 5.2.3).
  case aes128CBCHMAC = "A128CBC-HS256"
  /// AES-192 in CBC with HMAC-SHA-384 (RFC 7518, 5.2.4).
  case aes192CBCHMAC = "A192CBC-HS384"
  /// AES-256 in CBC with HMAC-SHA-512 (RFC 7518, 5.2.5).
  case aes256CBCHMAC = "A256CBC-HS512"
  /// AES-128 in GCM (RFC 7518, 5.3).
  case aes128GCM = "A128GCM"
  /// AES-192 in GCM (RFC 7518, 5.3).
  case aes192GCM = "A192GCM"
  /// AES-256 in GCM (RFC 7518, 5.3).
  case aes256GCM = "A256GCM"

  /// The name of the standard, such as `A256GCM`.
  public var name: String { rawValue }

  /// Ciphertext with what its cipher needs beside the key.
  package struct Sealed: Sendable {
    package let iv: [UInt8]
    package let ciphertext: [UInt8]
    package let tag: [UInt8]

    package init(iv: [UInt8], ciphertext: [UInt8], tag: [UInt8]) {
      self.iv = iv
      self.ciphertext = ciphertext
      self.tag = tag
    }
  }

  private var cipher: ContentCipher {
    switch self {
    case .aes128CBCHMAC: .aes128CBC
    case .aes192CBCHMAC: .aes192CBC
    case .aes256CBCHMAC: .aes256CBC
    case .aes128GCM: .aes128GCM
    case .aes192GCM: .aes192GCM
    case .aes256GCM: .aes256GCM
    }
  }

  /// The digest of the HMAC beside CBC.
  private var digest: DigestAlgorithm? {
    switch self {
    case .aes128CBCHMAC: .sha256
    case .aes192CBCHMAC: .sha384
    case .aes256CBCHMAC: .sha512
    case .aes128GCM, .aes192GCM, .aes256GCM: nil
    }
  }

  /// The length of a key in bytes: with CBC one half for the HMAC, the other for the cipher.
  package var keyLength: Int { digest?.length ?? cipher.keyLength }
  /// The length of the initialisation vector in bytes.
  package var ivLength: Int { cipher.ivLength }
  /// The length of the tag in bytes.
  package var tagLength: Int { digest.map { $0.length / 2 } ?? cipher.tagLength }

  /// A key from the system's generator.
  package func newKey() -> [UInt8] { SystemRandom.octets(keyLength) }

  /// The plaintext, or nil for every failure alike: a key, IV or tag of another length, a wrong tag, padding that is
  /// none. Nothing is decrypted by CBC before the tag is verified (RFC 7518, 5.2.2.2).
  ///
  /// - Parameter associated: Octets that the tag covers as well: the header as received.
  package func decrypt(_ sealed: Sealed, key: [UInt8], associated: [UInt8]) -> [UInt8]? {
    // OpenSSL would accept a tag of one byte.
    guard key.count == keyLength, sealed.iv.count == ivLength, sealed.tag.count == tagLength else {
      return nil
    }
    defer { ErrorQueue.clear() }
    guard let digest else {
      return CipherContext(.decrypting, cipher.implementation, key: key, iv: sealed.iv)?
        .decrypt(sealed.ciphertext, tag: sealed.tag, associated: associated)
    }
    let half = keyLength / 2
    guard
      let mac = Self.mac(
        Array(key.prefix(half)), associated, sealed.iv + sealed.ciphertext, digest,
        length: tagLength),
      ConstantTime.areEqual(mac, sealed.tag)
    else { return nil }
    return cipher.decryptCBC(
      sealed.iv + sealed.ciphertext, Array(key.suffix(half)), isPaddingStrict: true)
  }

  /// The ciphertext of `plaintext` under a new IV; nil for a key of another length, or when OpenSSL refuses.
  package func encrypt(_ plaintext: [UInt8], key: [UInt8], associated: [UInt8]) -> Sealed? {
    guard key.count == keyLength else { return nil }
    let iv = SystemRandom.octets(ivLength)
    defer { ErrorQueue.clear() }
    guard let digest else {
      let context = CipherContext(.encrypting, cipher.implementation, key: key, iv: iv)
      guard
        let sealed = context?.encrypt(
          plaintext, tagLength: Int32(tagLength), associated: associated)
      else { return nil }
      return Sealed(
        iv: iv, ciphertext: Array(sealed.dropLast(tagLength)), tag: Array(sealed.suffix(tagLength)))
    }
    let half = keyLength / 2
    let context = CipherContext(
      .encrypting, cipher.implementation, key: Array(key.suffix(half)), iv: iv)
    guard let ciphertext = context?.encrypt(cipher.padded(plaintext), tagLength: 0),
      let tag = Self.mac(
        Array(key.prefix(half)), associated, iv + ciphertext, digest, length: tagLength)
    else { return nil }
    return Sealed(iv: iv, ciphertext: ciphertext, tag: tag)
  }

  /// The first half of the HMAC over header, IV, ciphertext and the number of bits of the header (RFC 7518, 5.2.2.1).
  private static func mac(
    _ key: [UInt8], _ associated: [UInt8], _ content: [UInt8], _ digest: DigestAlgorithm,
    length: Int
  ) -> [UInt8]? {
    let bits = UInt64(associated.count) &* 8
    let count = (0..<8).map { UInt8(truncatingIfNeeded: bits >> UInt64(56 - 8 * $0)) }
    let message = associated + content + count
    guard let secret = try? SymmetricKey(bytes: key) else { return nil }
    return secret.authenticate(message.span, with: digest).map { Array($0.prefix(length)) }
  }
}
