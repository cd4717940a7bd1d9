import Octets

/// A symmetric cipher that encrypts the data itself (XML Encryption 1.1, 5.2).
public enum ContentCipher: String, CaseIterable, Hashable, Sendable {
  /// AES in GCM with a key of 16 bytes (XML Encryption 1.1, 5.2.4).
  case aes128GCM = "aes128-gcm"
  /// AES in GCM with a key of 24 bytes (XML Encryption 1.1, 5.2.4).
  case aes192GCM = "aes192-gcm"
  /// AES in GCM with a key of 32 bytes (XML Encryption 1.1, 5.2.4).
  case aes256GCM = "aes256-gcm"
  /// AES in CBC with a key of 16 bytes (XML Encryption 1.1, 5.2.2); not authenticated.
  case aes128CBC = "aes128-cbc"
  /// AES in CBC with a key of 24 bytes (XML Encryption 1.1, 5.2.2); not authenticated.
  case aes192CBC = "aes192-cbc"
  /// AES in CBC with a key of 32 bytes (XML Encryption 1.1, 5.2.2); not authenticated.
  case aes256CBC = "aes256-cbc"
  /// Triple DES in CBC (XML Encryption 1.1, 5.2.1); used only where it is allowed by name.
  case tripleDES = "3des"

  /// The name that policies and reports use.
  public var name: String { rawValue }

  /// The `Algorithm` URI of `xenc:EncryptionMethod`.
  public var uri: String {
    switch self {
    case .aes128GCM, .aes192GCM, .aes256GCM: "http://www.w3.org/2009/xmlenc11#" + name
    case .aes128CBC, .aes192CBC, .aes256CBC: "http://www.w3.org/2001/04/xmlenc#" + name
    case .tripleDES: "http://www.w3.org/2001/04/xmlenc#tripledes-cbc"
    }
  }

  /// The length of a key in bytes.
  package var keyLength: Int {
    switch self {
    case .aes128GCM, .aes128CBC: 16
    case .aes192GCM, .aes192CBC, .tripleDES: 24
    case .aes256GCM, .aes256CBC: 32
    }
  }

  /// Whether a changed ciphertext is detected. CBC detects no change.
  package var isAuthenticated: Bool {
    switch self {
    case .aes128GCM, .aes192GCM, .aes256GCM: true
    default: false
    }
  }

  /// What must be allowed by name before the cipher may be used.
  package var exception: LegacyException? { self == .tripleDES ? .tripleDES : nil }

  /// The plaintext of `octets`: IV, ciphertext and, for GCM, the tag, as CipherValue carries them.
  ///
  /// - Returns: nil for every failure alike: a key of another length, too few octets, a wrong tag,
  ///   impossible padding.
  package func decrypt(_ octets: [UInt8], key: [UInt8]) -> [UInt8]? {
    guard key.count == keyLength else { return nil }
    defer { ErrorQueue.clear() }
    return isAuthenticated
      ? decryptGCM(octets, key) : decryptCBC(octets, key, isPaddingStrict: false)
  }

  /// XML Encryption 1.1, 5.2.4: 12 bytes of IV, then the ciphertext, then 16 bytes of tag. The lengths
  /// are fixed here: OpenSSL would accept a tag of one byte.
  private func decryptGCM(_ octets: [UInt8], _ key: [UInt8]) -> [UInt8]? {
    guard octets.count >= ivLength + tagLength else { return nil }
    let context = CipherContext(
      .decrypting, implementation, key: key, iv: Array(octets.prefix(ivLength)))
    return context?.decrypt(
      Array(octets.dropFirst(ivLength).dropLast(tagLength)), tag: Array(octets.suffix(tagLength)))
  }

  /// XML Encryption 1.1, 5.2.2 and 5.2: a block of IV, then whole blocks. Only the last byte of the
  /// padding has a meaning, its other bytes are arbitrary; OpenSSL's own rule would reject them.
  ///
  /// - Parameter isPaddingStrict: Whether every byte of the padding is its length, as PKCS #7 demands (RFC 5652, 6.3).
  func decryptCBC(_ octets: [UInt8], _ key: [UInt8], isPaddingStrict: Bool) -> [UInt8]? {
    let block = ivLength
    guard octets.count >= 2 * block, octets.count % block == 0,
      let context = CipherContext(
        .decrypting, implementation, key: key, iv: Array(octets.prefix(block))),
      let padded = context.decrypt(Array(octets.dropFirst(block)), tag: nil),
      let padding = padded.last.map(Int.init), (1...block).contains(padding),
      padding <= padded.count,
      !isPaddingStrict || padded.suffix(padding).allSatisfy({ Int($0) == padding })
    else { return nil }
    return Array(padded.dropLast(padding))
  }

  /// The length of the IV in bytes; with CBC a block.
  var ivLength: Int {
    switch self {
    case .aes128GCM, .aes192GCM, .aes256GCM: 12
    case .aes128CBC, .aes192CBC, .aes256CBC: 16
    case .tripleDES: 8
    }
  }

  /// The length of the tag in bytes; 0 with CBC.
  var tagLength: Int { isAuthenticated ? 16 : 0 }

  var implementation: CipherContext.Implementation {
    switch self {
    case .aes128GCM: .aes128GCM
    case .aes192GCM: .aes192GCM
    case .aes256GCM: .aes256GCM
    case .aes128CBC: .aes128CBC
    case .aes192CBC: .aes192CBC
    case .aes256CBC: .aes256CBC
    case .tripleDES: .tripleDES
    }
  }
}

extension ContentCipher {
  /// A key of this cipher from the system's generator.
  package func newKey() -> [UInt8] { SystemRandom.octets(keyLength) }

  /// IV, ciphertext and, with GCM, the tag, as CipherValue carries them; nil when OpenSSL refuses.
  ///
  /// The IV is new each time: two messages under one key and IV break GCM's authentication.
  /// - Parameter allowsLegacy: Whether the cipher may be one that has to be allowed by name, for a message
  ///   that is made like another one.
  package func encrypt(
    _ plaintext: [UInt8], key: [UInt8], allowsLegacy: Bool = false
  ) -> [UInt8]? {
    guard key.count == keyLength, allowsLegacy || exception == nil else { return nil }
    let iv = SystemRandom.octets(ivLength)
    defer { ErrorQueue.clear() }
    let octets = isAuthenticated ? plaintext : padded(plaintext)
    let context = CipherContext(.encrypting, implementation, key: key, iv: iv)
    guard let value = context?.encrypt(octets, tagLength: Int32(tagLength)) else { return nil }
    return iv + value
  }

  /// XML Encryption 1.1, 5.2: up to a whole block. Each byte is the count of padding bytes, as
  /// readers of PKCS #7 require, too.
  func padded(_ plaintext: [UInt8]) -> [UInt8] {
    let count = ivLength - plaintext.count % ivLength
    return plaintext + [UInt8](repeating: UInt8(truncatingIfNeeded: count), count: count)
  }
}
