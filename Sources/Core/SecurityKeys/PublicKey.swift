import COpenSSL
public import TokenBasics

/// A public key: RSA, EC on a NIST curve, Ed25519, Ed448, or X25519, which verifies nothing and agrees on keys alone.
public struct PublicKey: Sendable {
  /// The kind of key, which decides what it may verify.
  public enum Kind: Hashable, Sendable {
    /// RSA with a modulus of `bits` bits.
    case rsa(bits: Int, hasSmallExponent: Bool)
    /// EC with coordinates of this many bytes: 32 (P-256), 48 (P-384), 66 (P-521).
    case ec(coordinateBytes: Int)
    /// Ed25519.
    case ed25519
    /// Ed448.
    case ed448
    /// X25519 (RFC 7748), for key agreement alone.
    case x25519
  }

  /// The kind of key, which decides what it may verify.
  public let kind: Kind
  /// SHA-256 over the DER of the SubjectPublicKeyInfo.
  package let digest: [UInt8]
  private(set) var storage: Storage

  /// The key of a DER `SubjectPublicKeyInfo` (RFC 5280, 4.1.2.7).
  ///
  /// - Throws: `key.unreadable`, `key.unsupported`, `key.weak`.
  public init(der: [UInt8]) throws(TokenError) {
    try self.init(Storage(subjectPublicKeyInfo: der))
  }

  /// The key of a certificate or public key in PEM or DER, whatever it is for.
  ///
  /// - Throws: `key.unreadable`, `key.several`, `key.unsupported`, `key.weak`.
  package init(pemOrDER bytes: [UInt8]) throws(TokenError) {
    do throws(TokenError) {
      switch try VerificationKey.material(pemOrDER: bytes) {
      case .publicKey(let key): self = key
      case .certificate(let certificate): self = certificate.publicKey
      case .secret, .postQuantum: throw TokenError(.unreadableKey)
      }
    } catch {
      throw KeyFile.error(error, bytes, at: .key)
    }
  }

  /// - Parameters:
  ///   - kind: The kind where making the key has checked all that reading it would.
  ///   - info: The SubjectPublicKeyInfo where it is known, which saves OpenSSL's encoder.
  init(_ storage: Storage?, kind: Kind? = nil, info: [UInt8]? = nil) throws(TokenError) {
    guard let storage else {
      ErrorQueue.clear()
      throw TokenError(.unreadableKey)
    }
    self.storage = storage
    self.kind = if let kind { kind } else { try storage.kind() }
    digest = DigestAlgorithm.sha256.digest(of: info ?? storage.subjectPublicKeyInfo()) ?? []
  }

  /// The same key with contexts of its own.
  func uncontendedCopy() -> Self {
    var copy = self
    copy.storage = storage.uncontendedCopy()
    return copy
  }

  /// The DER of the SubjectPublicKeyInfo.
  package var der: [UInt8] { storage.subjectPublicKeyInfo() }

  /// Whether OpenSSL's full check passes, which takes milliseconds: for RSA also that the modulus is
  /// neither a prime nor the power of one, for EC also the order of the point.
  package var isFullySound: Bool { storage.isFullySound }

  /// Whether both are one key.
  package func isSameKey(as other: PublicKey) -> Bool { digest == other.digest }

  /// Whether the key's type fits `algorithm`.
  package func accepts(_ algorithm: SignatureAlgorithm) -> Bool {
    switch (kind, algorithm.family) {
    case (.rsa, .rsaPKCS1), (.rsa, .rsaPSS), (.ec, .ecdsa), (.ed25519, .ed25519),
      (.ed448, .ed448):
      true
    default: false
    }
  }

  /// What must be allowed by name before the key may be used.
  package var exceptions: [LegacyException] {
    guard case .rsa(let bits, let hasSmallExponent) = kind else { return [] }
    return (bits < 2048 ? [.rsaSmallModulus] : []) + (hasSmallExponent ? [.rsaSmallExponent] : [])
  }

  /// Whether `signature` is this key's over `message`, for a key of an Edwards curve (RFC 8032, 5.1.7 and 5.2.7).
  package func isEdwardsValid(
    _ signature: Span<UInt8>, for message: Span<UInt8>, _ algorithm: SignatureAlgorithm
  ) -> Bool {
    guard accepts(algorithm), signature.count == kind.edwardsSignatureLength else { return false }
    defer { ErrorQueue.clear() }
    return storage.verifyMessage(signature, message)
  }

  /// Whether `signature` is as long as r‖s of this key.
  func hasWidth(of signature: Span<UInt8>) -> Bool {
    guard case .ec(let width) = kind else { return false }
    return signature.count == 2 * width
  }

  /// Whether `signature` is this key's over a message with this digest. ECDSA signatures are r‖s of
  /// fixed width (RFC 4050, 3.3).
  ///
  /// - Parameter isASN1: Whether an ECDSA signature is a DER sequence instead.
  package func isValid(
    _ signature: Span<UInt8>, forDigest digest: Digest, _ algorithm: SignatureAlgorithm,
    isASN1: Bool = false
  ) -> Bool {
    guard accepts(algorithm), digest.count == algorithm.digest.length else { return false }
    defer { ErrorQueue.clear() }
    guard case .ec(let width) = kind else {
      return storage.verify(signature, digest, algorithm)
    }
    if isASN1 { return storage.verify(signature, digest, algorithm) }
    guard signature.count == 2 * width, let der = Self.derEncoding(of: signature) else {
      return false
    }
    return storage.verify(der.span, digest, algorithm)
  }

  /// `octets` encrypted to this key, or nil.
  ///
  /// - Parameter allowsLegacy: Whether the transport may be one that has to be allowed by name, for a
  ///   message that is made like another one.
  package func encrypt(
    _ octets: [UInt8], _ transport: KeyTransport, allowsLegacy: Bool = false
  ) -> [UInt8]? {
    guard case .rsa = kind, allowsLegacy || transport.exception == nil else { return nil }
    defer { ErrorQueue.clear() }
    return storage.encrypt(octets, transport)
  }

  /// Makes this key the other party of a key agreement.
  func isPeer(of context: OpaquePointer) -> Bool { unsafe storage.isPeer(of: context) }

  private static func derEncoding(of signature: Span<UInt8>) -> [UInt8]? {
    let width = Int32(signature.count / 2)
    return unsafe signature.withUnsafeBufferPointer { bytes -> [UInt8]? in
      guard let start = bytes.baseAddress, let pair = unsafe ECDSA_SIG_new() else { return nil }
      defer { unsafe ECDSA_SIG_free(pair) }
      let r = unsafe BN_bin2bn(start, width, nil)
      let s = unsafe BN_bin2bn(start + Int(width), width, nil)
      // set0 takes ownership of both only when it succeeds.
      guard unsafe ECDSA_SIG_set0(pair, r, s) == 1 else {
        unsafe BN_free(r)
        unsafe BN_free(s)
        return nil
      }
      var encoded: UnsafeMutablePointer<UInt8>?
      let length = unsafe i2d_ECDSA_SIG(pair, &encoded)
      guard length > 0, let encoded = unsafe encoded else { return nil }
      defer { unsafe cossl_free(encoded) }
      return unsafe Array(UnsafeBufferPointer(start: encoded, count: Int(length)))
    }
  }
}

extension PublicKey {
  /// Owns one `EVP_PKEY`. A key is immutable once made and OpenSSL counts its references
  /// atomically, hence Sendable.
  @safe final class Storage: @unchecked Sendable {
    private let pointer: OpaquePointer
    private let pool = ContextPool<SignatureAlgorithm, SignatureContext>()

    init?(takingOwnershipOf pointer: OpaquePointer?) {
      guard let pointer = unsafe pointer else { return nil }
      unsafe self.pointer = pointer
    }

    convenience init?(subjectPublicKeyInfo der: [UInt8]) {
      let pointer = unsafe DER.decode(
        der, with: { unsafe d2i_PUBKEY(nil, $0, $1) }, freeing: { unsafe EVP_PKEY_free($0) })
      unsafe self.init(takingOwnershipOf: pointer)
    }

    /// The key that is this uncompressed point; nil for one beside its curve.
    convenience init?(point: [UInt8]) {
      let curve = NamedCurve(coordinateBytes: point.count / 2)
      unsafe self.init(takingOwnershipOf: curve?.key(point))
    }

    /// The key on a curve of Edwards or Montgomery with these octets; `type` is OpenSSL's.
    convenience init?(raw octets: [UInt8], type: Int32) {
      unsafe self.init(
        takingOwnershipOf: EVP_PKEY_new_raw_public_key(type, nil, octets, octets.count))
    }

    /// Another owner of the same key.
    func uncontendedCopy() -> Storage {
      guard unsafe EVP_PKEY_up_ref(pointer) == 1 else { return self }
      return unsafe Storage(takingOwnershipOf: pointer) ?? self
    }

    deinit { unsafe EVP_PKEY_free(pointer) }

    func verify(
      _ signature: Span<UInt8>, _ digest: Digest, _ algorithm: SignatureAlgorithm
    ) -> Bool {
      var context = pool.take(algorithm)
      if context == nil { unsafe context = SignatureContext(pointer, algorithm, for: .verifying) }
      guard let context else { return false }
      defer { pool.give(context, for: algorithm) }
      return context.verify(signature, digest)
    }

    func verifyMessage(_ signature: Span<UInt8>, _ message: Span<UInt8>) -> Bool {
      guard let context = unsafe EVP_MD_CTX_new() else { return false }
      defer { unsafe EVP_MD_CTX_free(context) }
      return unsafe signature.withUnsafeBufferPointer { signature in
        unsafe message.withUnsafeBufferPointer { message in
          unsafe EVP_DigestVerifyInit(context, nil, nil, nil, pointer) == 1
            && EVP_DigestVerify(
              context, signature.baseAddress, signature.count, message.baseAddress, message.count)
              == 1
        }
      }
    }

    func encrypt(_ octets: [UInt8], _ transport: KeyTransport) -> [UInt8]? {
      guard let context = unsafe EVP_PKEY_CTX_new(pointer, nil) else { return nil }
      defer { unsafe EVP_PKEY_CTX_free(context) }
      var length = 0
      guard unsafe EVP_PKEY_encrypt_init(context) == 1, unsafe transport.prepare(context),
        unsafe EVP_PKEY_encrypt(context, nil, &length, octets, octets.count) == 1, length > 0
      else { return nil }
      var output = [UInt8](repeating: 0, count: length)
      guard unsafe EVP_PKEY_encrypt(context, &output, &length, octets, octets.count) == 1 else {
        return nil
      }
      return Array(output.prefix(length))
    }

    /// OpenSSL checks that both are on one curve. That the point is on it was checked when the key was made; the full
    /// check would also multiply it with the order of the curve, as much work as the agreement itself.
    func isPeer(of context: OpaquePointer) -> Bool {
      unsafe EVP_PKEY_derive_set_peer_ex(context, pointer, 0) == 1
    }

    func subjectPublicKeyInfo() -> [UInt8] {
      unsafe KeyEncoding.rsa(pointer) ?? KeyEncoding.ec(pointer)
        ?? DER.encode { unsafe i2d_PUBKEY(pointer, $0) }
    }

    /// The 32 octets of a key on Curve25519.
    var rawOctets: [UInt8]? { rawOctets(32) }

    /// The octets of a key on a curve of Edwards or Montgomery, where there are this many.
    private func rawOctets(_ length: Int) -> [UInt8]? {
      defer { ErrorQueue.clear() }
      var octets = [UInt8](repeating: 0, count: length)
      var count = octets.count
      guard unsafe EVP_PKEY_get_raw_public_key(pointer, &octets, &count) == 1, count == length
      else { return nil }
      return octets
    }

    func number(_ name: String) -> [UInt8]? { unsafe KeyParameter.octets(name, of: pointer) }

    func kind() throws(TokenError) -> Kind {
      defer { ErrorQueue.clear() }
      switch unsafe EVP_PKEY_get_base_id(pointer) {
      case EVP_PKEY_RSA, EVP_PKEY_RSA_PSS:
        return try rsaKind()
      case EVP_PKEY_EC:
        return try ecKind()
      case EVP_PKEY_ED25519:
        return try edwardsKind(.ed25519, "Ed25519", 32)
      case EVP_PKEY_ED448:
        return try edwardsKind(.ed448, "Ed448", 57)
      case EVP_PKEY_X25519:
        return .x25519
      default:
        throw TokenError(
          .unsupportedKey, expected: "RSA, EC on P-256, P-384 or P-521, Ed25519, Ed448 or X25519")
      }
    }

    /// RSA: 1024 to 8192 bits (more only takes time), of a sound modulus, with an odd exponent of 3 or
    /// more: with e = 1 a bare padded hash "verifies".
    private func rsaKind() throws(TokenError) -> Kind {
      let bits = Int(unsafe EVP_PKEY_get_bits(pointer))
      guard bits >= 1024 else {
        throw TokenError(
          .weakKey, expected: "RSA of 2048 bits or more", found: "\(bits) bits", .smallModulus)
      }
      guard bits <= 8192 else {
        throw TokenError(
          .unsupportedKey, expected: "RSA of at most 8192 bits", found: "\(bits) bits")
      }
      guard let exponent = publicExponent() else { throw TokenError(.unreadableKey) }
      guard let modulus = unsafe WeakModulus(pointer) else { throw TokenError(.unreadableKey) }
      guard !modulus.isFromInfineonLibrary else {
        throw TokenError(.weakKey, expected: "a key that CVE-2017-15361 did not make")
      }
      guard exponent >= 3, exponent % 2 == 1 else {
        throw TokenError(
          .weakKey, expected: "a sound RSA key with e of 65537 or more", found: "e = \(exponent)")
      }
      guard !modulus.hasSmallFactor else {
        throw TokenError(
          .weakKey, expected: "a product of two large primes",
          found: "a modulus with a small factor")
      }
      return .rsa(bits: bits, hasSmallExponent: exponent < 65_537)
    }

    /// Ed25519 and Ed448: no point of small order.
    private func edwardsKind(
      _ kind: Kind, _ name: String, _ length: Int
    ) throws(TokenError) -> Kind {
      guard let octets = rawOctets(length) else {
        throw TokenError(.unreadableKey, expected: "an \(name) key of \(length) bytes")
      }
      guard !SmallOrderPoint.isEncoded(by: octets) else {
        throw TokenError(
          .weakKey, expected: "an \(name) key of large order",
          found: "a point of small order, under which a signature is valid for other messages too",
          hint: "no generator makes such a key; ask the issuer for another one")
      }
      return kind
    }

    /// EC: only the three named curves, with the point on the curve.
    private func ecKind() throws(TokenError) -> Kind {
      // OpenSSL maps explicit parameters to the named curve that they equal (see CVE-2020-0601).
      var isExplicit: Int32 = 0
      _ = unsafe EVP_PKEY_get_int_param(
        pointer, OSSL_PKEY_PARAM_EC_DECODED_FROM_EXPLICIT_PARAMS, &isExplicit)
      guard isExplicit == 0 else {
        throw TokenError(.unsupportedKey, expected: "a named curve", found: "explicit parameters")
      }
      guard let curve = unsafe KeyEncoding.curve(pointer) else {
        throw TokenError(.unsupportedKey, expected: "a named curve", found: "explicit parameters")
      }
      guard let width = KeyEncoding.coordinateBytes[curve] else {
        throw TokenError(.unsupportedKey, expected: "P-256, P-384 or P-521", found: curve)
      }
      guard isOnCurve else {
        throw TokenError(.weakKey, expected: "a point on the curve")
      }
      return .ec(coordinateBytes: width)
    }

    /// The named curves have no points of another order than the generator's, so being on the curve, and
    /// not infinity, is all there is to check (NIST SP 800-56A, 5.6.2.3.4).
    private var isOnCurve: Bool {
      guard let context = unsafe EVP_PKEY_CTX_new(pointer, nil) else { return false }
      defer { unsafe EVP_PKEY_CTX_free(context) }
      return unsafe EVP_PKEY_public_check_quick(context) == 1
    }

    var isFullySound: Bool {
      defer { ErrorQueue.clear() }
      guard let context = unsafe EVP_PKEY_CTX_new(pointer, nil) else { return false }
      defer { unsafe EVP_PKEY_CTX_free(context) }
      return unsafe EVP_PKEY_public_check(context) == 1
    }

    /// The exponent in 64 bits; nil, rejected as unreadable, when it is longer.
    private func publicExponent() -> UInt64? {
      guard let octets = unsafe KeyParameter.octets(OSSL_PKEY_PARAM_RSA_E, of: pointer),
        octets.count <= 8
      else { return nil }
      return octets.reduce(0) { $0 << 8 | UInt64($1) }
    }
  }
}

extension PublicKey.Kind {
  /// The octets of a signature by a key of an Edwards curve (RFC 8032, 5.1.6 and 5.2.6); nil for other kinds.
  var edwardsSignatureLength: Int? {
    switch self {
    case .ed25519: 64
    case .ed448: 114
    case .rsa, .ec, .x25519: nil
    }
  }

  /// Whether such a key signs messages and not their digests.
  package var signsMessages: Bool { edwardsSignatureLength != nil }
}
