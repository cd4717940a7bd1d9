/// AES key wrap (RFC 3394; XML Encryption 1.1, 5.7.2).
package enum KeyWrap: String, CaseIterable, Hashable, Sendable {
  case aes128 = "kw-aes128"
  case aes192 = "kw-aes192"
  case aes256 = "kw-aes256"

  package var name: String { rawValue }
  package var uri: String { "http://www.w3.org/2001/04/xmlenc#" + name }

  /// The length of the wrapping key in bytes.
  package var keyLength: Int {
    switch self {
    case .aes128: 16
    case .aes192: 24
    case .aes256: 32
    }
  }

  /// The key inside `octets`, or nil: RFC 3394 checks the wrapping key.
  package func unwrap(_ octets: [UInt8], with key: [UInt8]) -> [UInt8]? {
    // Two to eight blocks of 64 bits and the check block; no cipher has a longer key.
    guard key.count == keyLength, (24...72).contains(octets.count), octets.count % 8 == 0 else {
      return nil
    }
    defer { ErrorQueue.clear() }
    return CipherContext(.decrypting, implementation, key: key, iv: [])?.decrypt(octets, tag: nil)
  }

  /// `octets`, a content key, wrapped; or nil.
  package func wrap(_ octets: [UInt8], with key: [UInt8]) -> [UInt8]? {
    guard key.count == keyLength, (16...64).contains(octets.count), octets.count % 8 == 0 else {
      return nil
    }
    defer { ErrorQueue.clear() }
    return CipherContext(.encrypting, implementation, key: key, iv: [])?
      .encrypt(octets, tagLength: 0)
  }

  private var implementation: CipherContext.Implementation {
    switch self {
    case .aes128: .aes128Wrap
    case .aes192: .aes192Wrap
    case .aes256: .aes256Wrap
    }
  }
}
