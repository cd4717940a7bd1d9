import Octets
public import TokenBasics

/// A key that is configured as trusted: a public key, with or without the certificate around it, or a
/// shared secret.
public struct VerificationKey: Sendable, CustomStringConvertible {
  /// The key itself, by its type.
  public enum Material: Sendable {
    /// A bare public key.
    case publicKey(PublicKey)
    /// A certificate, used for its public key and its validity.
    case certificate(Certificate)
    /// A secret shared with the issuer.
    case secret(SymmetricKey)
    /// A public key of ML-DSA.
    case postQuantum(PostQuantumKey)
  }

  /// The key itself, by its type.
  public var material: Material { parts.value.material }

  /// Identifies the key: SHA-256 over the SubjectPublicKeyInfo, or the first 8
  /// hexadecimal digits of a secret's SHA-256.
  public var fingerprint: String { parts.value.fingerprint }

  /// Kind and fingerprint; no byte of a secret.
  public var description: String { "\(kindName), \(fingerprint)" }

  private struct Parts: Sendable {
    let material: Material
    /// The secret, if the key is one: reading a case of the material copies it whole.
    let secret: SymmetricKey?
    /// The public half, for the same reason.
    let publicKey: PublicKey?
    let postQuantum: PostQuantumKey?
    let fingerprint: String
    let exceptions: [LegacyException]
    let secretByteCount: Int?
    let dates: KeyDates?
  }

  private let parts: Shared<Parts>

  /// A key of this material.
  public init(_ material: Material) {
    parts = Shared(
      Parts(
        material: material, secret: Self.secret(in: material),
        publicKey: Self.publicKey(in: material), postQuantum: Self.postQuantumKey(in: material),
        fingerprint: "sha256:" + Hex.encode(Self.digest(of: material)),
        exceptions: Self.exceptions(of: material),
        secretByteCount: Self.secret(in: material)?.byteCount, dates: Self.dates(of: material)))
  }

  private static func digest(of material: Material) -> ArraySlice<UInt8> {
    switch material {
    case .publicKey(let key): key.digest[...]
    case .certificate(let certificate): certificate.publicKey.digest[...]
    case .secret(let key): key.digest.prefix(4)
    case .postQuantum(let key): key.digest[...]
    }
  }

  /// The same key, without shared reference counts or locks.
  func uncontendedCopy() -> Self {
    switch material {
    case .secret(let key): Self(.secret(key.uncontendedCopy()))
    case .publicKey(let key): Self(.publicKey(key.uncontendedCopy()))
    case .certificate(let certificate): Self(.certificate(certificate.uncontendedCopy()))
    case .postQuantum: self
    }
  }

  /// The key of a certificate.
  public static func certificate(_ certificate: Certificate) -> Self {
    Self(.certificate(certificate))
  }

  /// A bare public key.
  public static func publicKey(_ key: PublicKey) -> Self { Self(.publicKey(key)) }

  /// A shared secret for HMAC.
  public static func secret(_ key: SymmetricKey) -> Self { Self(.secret(key)) }

  /// A certificate or public key in PEM or DER, and nothing beside it: among several it is unclear
  /// which is meant.
  ///
  /// - Throws: `key.unreadable`, `key.several`, `key.unsupported`, `key.weak`.
  public init(pemOrDER bytes: [UInt8]) throws(TokenError) {
    do throws(TokenError) {
      self.init(try Self.material(pemOrDER: bytes))
      guard publicKey?.kind != .x25519 else {
        throw TokenError(
          .unsupportedKey, expected: "a key that signs", found: "X25519, which only agrees on keys")
      }
    } catch {
      throw KeyFile.error(error, bytes, at: .key)
    }
  }

  static func material(pemOrDER bytes: [UInt8]) throws(TokenError) -> Material {
    let block = try PEM.onlyBlock(of: bytes)
    switch block?.label {
    case "CERTIFICATE", "X509 CERTIFICATE", "TRUSTED CERTIFICATE":
      return .certificate(try Certificate(der: block?.bytes ?? []))
    case "PUBLIC KEY":
      return .publicKey(try PublicKey(der: block?.bytes ?? []))
    case .some(let label):
      throw TokenError(
        .unreadableKey, expected: "CERTIFICATE or PUBLIC KEY", found: TokenError.excerpt(label))
    case nil:
      // Both are a SEQUENCE; only parsing distinguishes them.
      do throws(TokenError) {
        return .certificate(try Certificate(der: bytes))
      } catch {
        // A certificate around a rejected key is still a certificate.
        guard error.code == .unreadableKey else { throw error }
        return .publicKey(try PublicKey(der: bytes))
      }
    }
  }

  /// The public half, unless the key is a secret or one of ML-DSA.
  package var publicKey: PublicKey? { parts.value.publicKey }

  /// Whether the key is a secret, which whoever verifies shares with the issuer.
  package var isSecret: Bool { parts.value.secret != nil }

  /// Whether the key passes checks that take milliseconds, as well as those that every key has to pass when
  /// it is read (NIST SP 800-56B, 6.4.2.2): that the modulus of RSA is neither a prime nor a power of one.
  package var isFullySound: Bool { publicKey?.isFullySound ?? true }

  /// A short name of the kind, such as `RSA-2048`.
  public var kindName: String {
    switch material {
    case .secret(let key): return "HMAC, \(key.byteCount) bytes"
    case .postQuantum(let key): return key.algorithm.nameInJOSE
    default: return publicKey?.kind.name ?? "no key"
    }
  }

  /// Whether the key's type fits `algorithm`: the key decides, never the token.
  package func accepts(_ algorithm: SignatureAlgorithm) -> Bool {
    guard secretByteCount == nil else { return algorithm.family == .hmac }
    return publicKey?.accepts(algorithm) ?? (parts.value.postQuantum?.algorithm == algorithm)
  }

  /// What must be allowed by name before the key may be used.
  package var exceptions: [LegacyException] { parts.value.exceptions }

  /// Length of a secret; nil for other keys.
  var secretByteCount: Int? { parts.value.secretByteCount }

  private static func publicKey(in material: Material) -> PublicKey? {
    switch material {
    case .publicKey(let key): key
    case .certificate(let certificate): certificate.publicKey
    case .secret, .postQuantum: nil
    }
  }

  private static func postQuantumKey(in material: Material) -> PostQuantumKey? {
    if case .postQuantum(let key) = material { key } else { nil }
  }

  private static func secret(in material: Material) -> SymmetricKey? {
    if case .secret(let key) = material { key } else { nil }
  }

  /// Whether the certificate around the key, if any, is valid at `now`.
  func hasValidDates(at now: Instant) -> Bool { parts.value.dates?.contain(now) ?? true }

  /// From when to when the certificate around the key is valid, for a report.
  var validity: String { parts.value.dates?.text ?? "no dates" }

  /// The report's warning when the certificate around the key is not valid.
  var datesWarning: [String] { parts.value.dates?.warning ?? [] }

  private static func dates(of material: Material) -> KeyDates? {
    guard case .certificate(let certificate) = material else { return nil }
    return KeyDates(from: certificate.notBefore, to: certificate.notAfter)
  }

  private static func exceptions(of material: Material) -> [LegacyException] {
    switch material {
    case .secret(let key): key.byteCount < 32 ? [.hmacShortKey] : []
    case .publicKey(let key): key.exceptions
    case .certificate(let certificate): certificate.publicKey.exceptions
    case .postQuantum: []
    }
  }

  /// Whether `signature` is as long as r‖s of this key.
  func hasWidth(of signature: Span<UInt8>) -> Bool { publicKey?.hasWidth(of: signature) ?? false }

  /// Whether `signature` is this key's over `message`.
  ///
  /// - Parameters:
  ///   - digest: The digest of `message`, where the algorithm signs one.
  ///   - isASN1: Whether an ECDSA signature is a DER sequence instead of r‖s.
  package func isValid(
    _ signature: Span<UInt8>, for message: Span<UInt8>, digest: Digest?,
    _ algorithm: SignatureAlgorithm, isASN1: Bool = false
  ) -> Bool {
    if let secret = parts.value.secret {
      return algorithm.family == .hmac
        && secret.isMAC(signature, of: message, with: algorithm.digest)
    }
    if let key = parts.value.postQuantum {
      return key.algorithm == algorithm && key.isValid(signature, for: message)
    }
    guard let publicKey else { return false }
    if publicKey.kind.signsMessages {
      return publicKey.isEdwardsValid(signature, for: message, algorithm)
    }
    guard let digest else { return false }
    return publicKey.isValid(signature, forDigest: digest, algorithm, isASN1: isASN1)
  }
}

/// What a key set says about one of its keys, beyond what the key itself is.
package struct KeySetOrigin: Sendable {
  /// The one algorithm that the set reserves the key for (`alg` of a JWK).
  package var reserved: SignatureAlgorithm?
  /// The algorithms that another key of the set with the same identifier verifies too.
  package var contested: [SignatureAlgorithm] = []

  package init(reserved: SignatureAlgorithm? = nil) { self.reserved = reserved }
}

extension PublicKey.Kind {
  /// A short name, such as `RSA-2048`.
  package var name: String {
    switch self {
    case .rsa(let bits, _): "RSA-\(bits)"
    case .ec(let width): "EC P-\(width == 66 ? 521 : width * 8)"
    case .ed25519: "Ed25519"
    case .ed448: "Ed448"
    case .x25519: "X25519"
    }
  }
}
