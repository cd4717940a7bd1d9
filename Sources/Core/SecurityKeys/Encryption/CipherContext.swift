import COpenSSL

/// An `EVP_CIPHER_CTX` for one encryption or decryption.
@safe struct CipherContext: ~Copyable {
  private let pointer: OpaquePointer

  /// The direction argument of `EVP_CipherInit_ex2`.
  enum Direction: Int32 {
    case decrypting = 0
    case encrypting = 1
  }

  /// - Parameter iv: Empty for ciphers that have a fixed one.
  init?(_ direction: Direction, _ implementation: Implementation, key: [UInt8], iv: [UInt8]) {
    guard let cipher = unsafe implementation.pointer,
      Int(unsafe EVP_CIPHER_get_key_length(cipher)) == key.count,
      let pointer = unsafe EVP_CIPHER_CTX_new()
    else { return nil }
    // OpenSSL allows key wrap only with this flag.
    unsafe EVP_CIPHER_CTX_set_flags(pointer, EVP_CIPHER_CTX_FLAG_WRAP_ALLOW)
    let isFixed = iv.isEmpty
    let isReady = unsafe iv.withUnsafeBufferPointer { iv in
      unsafe EVP_CipherInit_ex2(
        pointer, cipher, key, isFixed ? nil : iv.baseAddress, direction.rawValue, nil) == 1
        && EVP_CIPHER_CTX_set_padding(pointer, 0) == 1
    }
    guard isReady, isFixed || Int(unsafe EVP_CIPHER_CTX_get_iv_length(pointer)) == iv.count else {
      unsafe EVP_CIPHER_CTX_free(pointer)
      return nil
    }
    unsafe self.pointer = pointer
  }

  deinit { unsafe EVP_CIPHER_CTX_free(pointer) }

  /// The plaintext, or nil. With a tag, nothing is returned before the tag is verified.
  ///
  /// - Parameter associated: Octets that the tag covers as well (NIST SP 800-38D).
  consuming func decrypt(
    _ octets: [UInt8], tag: [UInt8]?, associated: [UInt8] = []
  ) -> [UInt8]? {
    if var tag {
      guard let length = Int32(exactly: tag.count),
        unsafe EVP_CIPHER_CTX_ctrl(pointer, EVP_CTRL_AEAD_SET_TAG, length, &tag) == 1
      else { return nil }
    }
    return process(octets, associated)
  }

  /// The ciphertext and after it a tag of the given length, or nil.
  consuming func encrypt(
    _ octets: [UInt8], tagLength: Int32, associated: [UInt8] = []
  ) -> [UInt8]? {
    guard let ciphertext = process(octets, associated) else { return nil }
    guard tagLength > 0 else { return ciphertext }
    var tag = [UInt8](repeating: 0, count: Int(tagLength))
    guard unsafe EVP_CIPHER_CTX_ctrl(pointer, EVP_CTRL_AEAD_GET_TAG, tagLength, &tag) == 1 else {
      return nil
    }
    return ciphertext + tag
  }

  private borrowing func process(_ octets: [UInt8], _ associated: [UInt8]) -> [UInt8]? {
    guard let count = Int32(exactly: octets.count),
      let associatedCount = Int32(exactly: associated.count)
    else { return nil }
    // A block more than needed, since some ciphers require room.
    var output = [UInt8](repeating: 0, count: octets.count + 32)
    var written: Int32 = 0
    var last: Int32 = 0
    if !associated.isEmpty,
      unsafe EVP_CipherUpdate(pointer, nil, &last, associated, associatedCount) != 1
    {
      return nil
    }
    let isRight = unsafe output.withUnsafeMutableBufferPointer { output in
      guard let start = output.baseAddress,
        unsafe EVP_CipherUpdate(pointer, start, &written, octets, count) == 1, written >= 0
      else { return false }
      return unsafe EVP_CipherFinal_ex(pointer, start + Int(written), &last) == 1
    }
    guard isRight else {
      unsafe output.withUnsafeMutableBytes { unsafe OPENSSL_cleanse($0.baseAddress, $0.count) }
      return nil
    }
    return Array(output.prefix(Int(written) + Int(last)))
  }

  /// A fetched `EVP_CIPHER`, retained for the life of the process; immutable.
  @safe struct Implementation: @unchecked Sendable {
    let pointer: OpaquePointer?
    init(_ name: String) { unsafe pointer = EVP_CIPHER_fetch(nil, name, nil) }

    static let aes128GCM = Self("AES-128-GCM")
    static let aes192GCM = Self("AES-192-GCM")
    static let aes256GCM = Self("AES-256-GCM")
    static let aes128CBC = Self("AES-128-CBC")
    static let aes192CBC = Self("AES-192-CBC")
    static let aes256CBC = Self("AES-256-CBC")
    static let tripleDES = Self("DES-EDE3-CBC")
    static let aes128Wrap = Self("AES-128-WRAP")
    static let aes192Wrap = Self("AES-192-WRAP")
    static let aes256Wrap = Self("AES-256-WRAP")
  }
}
