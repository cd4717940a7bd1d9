import Octets

/// A key that seals octets with AES-256-GCM (NIST SP 800-38D): without it they cannot be read or
/// changed undetected. Its bytes cannot be read back, printed or logged.
package struct SealingKey: Sendable {
  private let bytes: [UInt8]

  /// Bytes of a key: 32.
  package static let length = 32
  private static let nonceLength = 12
  private static let tagLength = 16

  /// Nil unless there are ``length`` bytes.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count == Self.length else { return nil }
    self.bytes = bytes
  }

  /// Eight octets that distinguish one key from another and reveal nothing about it.
  package var checkValue: [UInt8] {
    let key = try? SymmetricKey(bytes: bytes)
    let text = Array("which sealing key".utf8)
    return Array((key?.authenticate(text.span, with: .sha256) ?? []).prefix(8))
  }

  /// A code that nobody makes without the key (HMAC-SHA256), for a form that comes back; empty when OpenSSL refuses.
  package func code(for text: String) -> [UInt8] {
    let key = try? SymmetricKey(bytes: bytes)
    let octets = Array("code:\(text)".utf8)
    return key?.authenticate(octets.span, with: .sha256) ?? []
  }

  /// Nonce, ciphertext and tag of `octets`; nil when OpenSSL refuses. The nonce is random: 2^32
  /// sealings by one key are safe.
  ///
  /// - Parameter context: octets that are not in the result but without which it cannot be opened.
  package func seal(_ octets: [UInt8], context: [UInt8]) -> [UInt8]? {
    defer { ErrorQueue.clear() }
    let nonce = SystemRandom.octets(Self.nonceLength)
    let cipher = CipherContext(.encrypting, .aes256GCM, key: bytes, iv: nonce)
    return cipher?.encrypt(octets, tagLength: Int32(Self.tagLength), associated: context)
      .map { nonce + $0 }
  }

  /// The octets that ``seal(_:context:)`` sealed; nil for a changed byte anywhere, another context or
  /// another key.
  package func open(_ sealed: [UInt8], context: [UInt8]) -> [UInt8]? {
    defer { ErrorQueue.clear() }
    guard sealed.count >= Self.nonceLength + Self.tagLength else { return nil }
    let nonce = Array(sealed.prefix(Self.nonceLength))
    let octets = Array(sealed.dropFirst(Self.nonceLength).dropLast(Self.tagLength))
    let cipher = CipherContext(.decrypting, .aes256GCM, key: bytes, iv: nonce)
    return cipher?.decrypt(
      octets, tag: Array(sealed.suffix(Self.tagLength)), associated: context)
  }
}
