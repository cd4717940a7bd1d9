import Octets

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
  private func padded(_ plaintext: [UInt8]) -> [UInt8] {
    let count = ivLength - plaintext.count % ivLength
    return plaintext + [UInt8](repeating: UInt8(truncatingIfNeeded: count), count: count)
  }
}
