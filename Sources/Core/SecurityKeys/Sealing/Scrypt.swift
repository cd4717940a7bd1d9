import COpenSSL
import Octets

/// The password-based key derivation function scrypt (RFC 7914).
package struct Scrypt: Hashable, Sendable {
  /// The cost N, a power of two; N · 1 KiB of memory at a block size of 8.
  package let cost: Int
  package let salt: [UInt8]

  /// r of RFC 7914.
  package static let blockSize = 8
  /// 2^17: 128 MiB and a third of a second, which OWASP recommends.
  package static let defaultCost = 1 << 17
  /// Below it a passphrase is guessed too fast, above it a file could exhaust the memory.
  package static let costRange = 1 << 10...1 << 20

  /// Nil for a cost that is no power of two or outside ``costRange``, and for a salt under 16 bytes.
  package init?(cost: Int = Scrypt.defaultCost, salt: [UInt8] = SystemRandom.octets(16)) {
    guard Self.costRange.contains(cost), cost & (cost - 1) == 0, (16...64).contains(salt.count)
    else { return nil }
    self.cost = cost
    self.salt = salt
  }

  /// A key of `count` bytes from a passphrase, or nil when OpenSSL refuses.
  package func derive(_ count: Int, from passphrase: String) -> [UInt8]? {
    defer { ErrorQueue.clear() }
    let text = passphrase.utf8.map { CChar(bitPattern: $0) }
    var output = [UInt8](repeating: 0, count: count)
    // Memory: 128 · N · r octets and a little.
    let memory = UInt64(128 * Self.blockSize) * UInt64(cost) + (1 << 20)
    let status = unsafe EVP_PBE_scrypt(
      text, text.count, salt, salt.count, UInt64(cost), UInt64(Self.blockSize), 1, memory, &output,
      count)
    return status == 1 ? output : nil
  }
}
