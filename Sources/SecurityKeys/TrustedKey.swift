public import Instants

/// A key together with what it is trusted to verify.
public struct TrustedKey: Sendable {
  /// What to do about a certificate that is not valid now.
  public enum CertificateDates: String, Hashable, Sendable {
    /// Use the key and say so: it was trusted as a key.
    case warn
    /// Refuse the key.
    case enforce
  }

  public var key: VerificationKey
  /// The only algorithms the key may verify; nil for all of its type that are not legacy.
  public var algorithms: [SignatureAlgorithm]?
  /// What is let in although it is too old or too weak.
  public var exceptions: Set<LegacyException>
  public var certificateDates: CertificateDates
  /// The identifier by which tokens may name the key (`kid` of a JWK); nil for any.
  public var keyID: String?
  /// When the trust ends, as metadata says with `validUntil`; nil for never.
  public var validUntil: Instant?

  /// A trusted key, by default without exceptions.
  public init(
    _ key: VerificationKey, algorithms: [SignatureAlgorithm]? = nil,
    exceptions: Set<LegacyException> = [], certificateDates: CertificateDates = .warn,
    keyID: String? = nil, validUntil: Instant? = nil
  ) {
    self.key = key
    self.algorithms = algorithms
    self.exceptions = exceptions
    self.certificateDates = certificateDates
    self.keyID = keyID
    self.validUntil = validUntil
  }

  /// From when to when the certificate around the key is valid, if there is one.
  public var validity: (from: Instant, to: Instant)? {
    guard case .certificate(let certificate) = key.material else { return nil }
    return (certificate.notBefore, certificate.notAfter)
  }

  /// Whether the certificate around the key, if any, is valid at `now`.
  package func hasValidDates(at now: Instant) -> Bool {
    guard case .certificate(let certificate) = key.material else { return true }
    return certificate.notBefore <= now && now <= certificate.notAfter
  }
}
