import COpenSSL
import Octets

/// A key that seals octets with AES-256-GCM (NIST SP 800-38D): nobody without it reads them or changes
/// them unnoticed. Its bytes cannot be read back, printed or logged.
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

  /// Eight octets that tell one key from another and nothing about it.
  package var checkValue: [UInt8] {
    let key = try? SymmetricKey(bytes: bytes)
    let text = Array("which sealing key".utf8)
    return Array((key?.authenticate(text.span, with: .sha256) ?? []).prefix(8))
  }

  /// Nonce, ciphertext and tag of `octets`; nil when OpenSSL refuses. The nonce is random: 2^32
  /// sealings by one key are safe.
  ///
  /// - Parameter context: octets that are not in the result but without which it cannot be opened.
  package func seal(_ octets: [UInt8], context: [UInt8]) -> [UInt8]? {
    defer { ErrorQueue.clear() }
    let nonce = SystemRandom.octets(Self.nonceLength)
    guard let cipher = unsafe CipherContext.Implementation.aes256GCM.pointer,
      let pointer = unsafe EVP_CIPHER_CTX_new(),
      let count = Int32(exactly: octets.count), let contextCount = Int32(exactly: context.count)
    else { return nil }
    defer { unsafe EVP_CIPHER_CTX_free(pointer) }
    var output = [UInt8](repeating: 0, count: octets.count + 16)
    var tag = [UInt8](repeating: 0, count: Self.tagLength)
    var written: Int32 = 0
    var ignored: Int32 = 0
    let isDone = unsafe output.withUnsafeMutableBufferPointer { output in
      guard let start = output.baseAddress else { return false }
      return unsafe EVP_EncryptInit_ex2(pointer, cipher, bytes, nonce, nil) == 1
        && EVP_EncryptUpdate(pointer, nil, &ignored, context, contextCount) == 1
        && EVP_EncryptUpdate(pointer, start, &written, octets, count) == 1
        && EVP_EncryptFinal_ex(pointer, start + Int(written), &ignored) == 1
        && EVP_CIPHER_CTX_ctrl(pointer, EVP_CTRL_AEAD_GET_TAG, Int32(Self.tagLength), &tag) == 1
    }
    guard isDone, written == count else { return nil }
    return nonce + output.prefix(octets.count) + tag
  }

  /// The octets that ``seal(_:context:)`` sealed; nil for a changed byte anywhere, another context or
  /// another key.
  package func open(_ sealed: [UInt8], context: [UInt8]) -> [UInt8]? {
    defer { ErrorQueue.clear() }
    guard sealed.count >= Self.nonceLength + Self.tagLength else { return nil }
    let nonce = Array(sealed.prefix(Self.nonceLength))
    var tag = Array(sealed.suffix(Self.tagLength))
    let octets = Array(sealed.dropFirst(Self.nonceLength).dropLast(Self.tagLength))
    guard let cipher = unsafe CipherContext.Implementation.aes256GCM.pointer,
      let pointer = unsafe EVP_CIPHER_CTX_new(),
      let count = Int32(exactly: octets.count), let contextCount = Int32(exactly: context.count)
    else { return nil }
    defer { unsafe EVP_CIPHER_CTX_free(pointer) }
    var output = [UInt8](repeating: 0, count: octets.count + 16)
    var written: Int32 = 0
    var ignored: Int32 = 0
    let isRight = unsafe output.withUnsafeMutableBufferPointer { output in
      guard let start = output.baseAddress else { return false }
      return unsafe EVP_DecryptInit_ex2(pointer, cipher, bytes, nonce, nil) == 1
        && EVP_CIPHER_CTX_ctrl(pointer, EVP_CTRL_AEAD_SET_TAG, Int32(Self.tagLength), &tag) == 1
        && EVP_DecryptUpdate(pointer, nil, &ignored, context, contextCount) == 1
        && EVP_DecryptUpdate(pointer, start, &written, octets, count) == 1
        && EVP_DecryptFinal_ex(pointer, start + Int(written), &ignored) == 1
    }
    guard isRight, written == count else { return nil }
    return Array(output.prefix(octets.count))
  }
}
