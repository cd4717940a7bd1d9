import COpenSSL
import Octets
public import TokenBasics

/// A private key that signs or decrypts: RSA, EC on a NIST curve, Ed25519, Ed448 or X25519. It cannot be read back or printed.
public struct PrivateKey: Sendable {
  /// The public half.
  public let publicKey: PublicKey
  let storage: Storage

  /// An unencrypted key in PEM (PKCS #8 or the traditional form) or DER. PEM may contain a
  /// certificate or parameters beside it, not a second private key.
  ///
  /// - Throws: `key.unreadable`, `key.several`, `key.unsupported`, `key.weak`.
  public init(pemOrDER bytes: [UInt8]) throws(TokenError) {
    defer { ErrorQueue.clear() }
    do throws(TokenError) {
      var der = bytes
      if let block = try PEM.onlyBlock(of: bytes, labelled: { $0.hasSuffix("PRIVATE KEY") }) {
        der = block.bytes
      }
      try self.init(Storage(der: der))
    } catch {
      throw KeyFile.error(error, bytes, at: .privateKey)
    }
  }

  init(_ storage: Storage?) throws(TokenError) {
    guard let storage else {
      throw TokenError(.unreadableKey, expected: "an unencrypted private key")
    }
    self.storage = storage
    publicKey = try PublicKey(der: storage.subjectPublicKeyInfo())
  }

  /// The signature of a message with this digest; ECDSA as r‖s of fixed width (RFC 4050, 3.3).
  ///
  /// RSA PKCS #1 v1.5 gives the same octets every time; PSS and ECDSA are randomised by OpenSSL.
  ///
  /// - Returns: nil when the key is not of the algorithm's type or OpenSSL refuses.
  package func sign(digest: [UInt8], _ algorithm: SignatureAlgorithm) -> [UInt8]? {
    guard publicKey.accepts(algorithm), digest.count == algorithm.digest.length else { return nil }
    defer { ErrorQueue.clear() }
    guard let signature = storage.sign(digest, algorithm) else { return nil }
    guard case .ec(let width) = publicKey.kind else { return signature }
    return Storage.fixedWidth(signature, width: width)
  }

  /// The Ed25519 or Ed448 signature of `message` (RFC 8032, 5.1.6 and 5.2.6), the same octets every time; nil for a key of
  /// another kind.
  package func sign(message: [UInt8]) -> [UInt8]? {
    guard let length = publicKey.kind.edwardsSignatureLength else { return nil }
    defer { ErrorQueue.clear() }
    return storage.signMessage(message, length)
  }

  /// The signature of `message`; ECDSA as r‖s of fixed width. A key of an Edwards curve has one algorithm, whatever is
  /// named.
  ///
  /// - Returns: nil when the key is not of the algorithm's type or OpenSSL refuses.
  package func sign(_ message: [UInt8], _ algorithm: SignatureAlgorithm) -> [UInt8]? {
    if publicKey.kind.signsMessages { return sign(message: message) }
    return algorithm.digest.digest(of: message).flatMap { sign(digest: $0, algorithm) }
  }

  /// Owns one `EVP_PKEY`, immutable once made, hence Sendable.
  @safe final class Storage: @unchecked Sendable {
    let pointer: OpaquePointer
    private let pool = ContextPool<SignatureAlgorithm, SignatureContext>()

    init?(takingOwnershipOf pointer: OpaquePointer?) {
      guard let pointer = unsafe pointer else { return nil }
      unsafe self.pointer = pointer
    }

    init?(der: [UInt8]) {
      let pointer = unsafe DER.decode(
        der, with: { unsafe d2i_AutoPrivateKey(nil, $0, $1) },
        freeing: { unsafe EVP_PKEY_free($0) })
      guard let pointer = unsafe pointer else { return nil }
      unsafe self.pointer = pointer
    }

    deinit { unsafe EVP_PKEY_free(pointer) }

    func subjectPublicKeyInfo() -> [UInt8] {
      unsafe DER.encode { unsafe i2d_PUBKEY(pointer, $0) }
    }

    func sign(_ digest: [UInt8], _ algorithm: SignatureAlgorithm) -> [UInt8]? {
      var context = pool.take(algorithm)
      if context == nil { unsafe context = SignatureContext(pointer, algorithm, for: .signing) }
      guard let context else { return nil }
      defer { pool.give(context, for: algorithm) }
      return context.sign(digest)
    }

    func signMessage(_ message: [UInt8], _ expected: Int) -> [UInt8]? {
      guard let context = unsafe EVP_MD_CTX_new() else { return nil }
      defer { unsafe EVP_MD_CTX_free(context) }
      var length = expected
      var signature = [UInt8](repeating: 0, count: length)
      guard unsafe EVP_DigestSignInit(context, nil, nil, nil, pointer) == 1,
        unsafe EVP_DigestSign(context, &signature, &length, message, message.count) == 1,
        length == expected
      else { return nil }
      return signature
    }

    /// Converts DER to r‖s.
    static func fixedWidth(_ der: [UInt8], width: Int) -> [UInt8]? {
      let pair = unsafe der.withUnsafeBufferPointer { bytes in
        var cursor = bytes.baseAddress
        return unsafe d2i_ECDSA_SIG(nil, &cursor, bytes.count)
      }
      guard let pair = unsafe pair else { return nil }
      defer { unsafe ECDSA_SIG_free(pair) }
      var result = [UInt8](repeating: 0, count: 2 * width)
      let written = unsafe result.withUnsafeMutableBufferPointer { buffer in
        guard let start = buffer.baseAddress else { return false }
        return unsafe BN_bn2binpad(ECDSA_SIG_get0_r(pair), start, Int32(width)) == Int32(width)
          && BN_bn2binpad(ECDSA_SIG_get0_s(pair), start + width, Int32(width)) == Int32(width)
      }
      return written ? result : nil
    }
  }
}

extension PrivateKey {
  /// Modulus and public exponent of an RSA key, big-endian without leading zeros (RFC 7518, 6.3.1); nil
  /// for other keys.
  package var rsaComponents: (modulus: [UInt8], exponent: [UInt8])? {
    guard let modulus = storage.number(OSSL_PKEY_PARAM_RSA_N),
      let exponent = storage.number(OSSL_PKEY_PARAM_RSA_E)
    else { return nil }
    return (modulus, exponent)
  }

  /// The key itself in DER, for a store of secrets; empty when OpenSSL refuses.
  package var exportedDER: [UInt8] { storage.privateKeyInfo() }
}

extension PrivateKey.Storage {
  fileprivate func privateKeyInfo() -> [UInt8] {
    defer { ErrorQueue.clear() }
    return unsafe DER.encode { unsafe i2d_PrivateKey(pointer, $0) }
  }

  fileprivate func number(_ name: String) -> [UInt8]? {
    unsafe KeyParameter.octets(name, of: pointer)
  }
}

/// What messages say of a text that may be a secret: enough to tell which one it was, not to use it.
package enum SecretMark {
  /// `a text of 595 octets, sha256 1a2b3c4d`
  package static func of(_ text: String) -> String {
    let octets = Array(text.utf8)
    return "a text of \(octets.count) octet\(octets.count == 1 ? "" : "s"), \(digest(octets))"
  }

  /// `sha256` and the first 8 hexadecimal digits of the digest.
  package static func digest(_ octets: [UInt8]) -> String {
    let digest = DigestAlgorithm.sha256.digest(of: octets) ?? []
    return "sha256 \(Hex.encode(digest.prefix(4)))"
  }
}
