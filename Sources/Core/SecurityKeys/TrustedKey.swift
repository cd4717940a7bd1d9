import Octets
public import TokenBasics

/// A key together with what it is trusted to verify.
public struct TrustedKey: Sendable {
  /// What to do about a certificate that is not valid now.
  public enum CertificateDates: String, Hashable, Sendable {
    /// Use the key, with a warning: it was trusted as a key.
    case warn
    /// Reject the key.
    case enforce
  }

  /// The key.
  public var key: VerificationKey {
    get { parts.value.key }
    set { parts.value.key = newValue }
  }

  /// The only algorithms the key may verify; nil for all of its type that are not legacy.
  public var algorithms: [SignatureAlgorithm]? {
    get { parts.value.algorithms }
    set { parts.value.algorithms = newValue }
  }

  /// The legacy algorithms, sizes and encodings that are allowed for this key.
  public var exceptions: Set<LegacyException> {
    get { parts.value.exceptions }
    set { parts.value.exceptions = newValue }
  }

  /// What to do about a certificate around the key that is not valid now.
  public var certificateDates: CertificateDates {
    get { parts.value.certificateDates }
    set { parts.value.certificateDates = newValue }
  }

  /// The identifier by which tokens may name the key (`kid` of a JWK); nil for any.
  public var keyID: String? {
    get { parts.value.keyID }
    set { parts.value.keyID = newValue }
  }

  /// When the trust ends (`validUntil` of metadata); nil for never.
  public var validUntil: Instant? {
    get { parts.value.validUntil }
    set { parts.value.validUntil = newValue }
  }

  /// What the key set from which the key comes says about it; nil for a key of no set.
  package var origin: KeySetOrigin? {
    get { parts.value.origin }
    set { parts.value.origin = newValue }
  }

  /// Whether another key of its set has the same identifier and verifies `algorithm` too, so that a
  /// token which names both names neither.
  package func isContested(for algorithm: SignatureAlgorithm) -> Bool {
    parts.value.origin?.contested.contains(algorithm) ?? false
  }

  private struct Parts: Sendable {
    var origin: KeySetOrigin?
    var key: VerificationKey
    var algorithms: [SignatureAlgorithm]?
    var exceptions: Set<LegacyException>
    var certificateDates: CertificateDates
    var keyID: String?
    var validUntil: Instant?
  }

  private var parts: Shared<Parts>

  /// A trusted key, by default without exceptions.
  public init(
    _ key: VerificationKey, algorithms: [SignatureAlgorithm]? = nil,
    exceptions: Set<LegacyException> = [], certificateDates: CertificateDates = .warn,
    keyID: String? = nil, validUntil: Instant? = nil
  ) {
    parts = Shared(
      Parts(
        key: key, algorithms: algorithms, exceptions: exceptions,
        certificateDates: certificateDates, keyID: keyID, validUntil: validUntil))
  }

  /// The same key, without shared reference counts or locks.
  package func uncontendedCopy() -> TrustedKey {
    var copy = self
    copy.key = key.uncontendedCopy()
    return copy
  }

  /// From when to when the certificate around the key is valid, if there is one.
  public var validity: (from: Instant, to: Instant)? {
    guard case .certificate(let certificate) = key.material else { return nil }
    return (certificate.notBefore, certificate.notAfter)
  }

  /// Whether the certificate around the key, if any, is valid at `now`.
  package func hasValidDates(at now: Instant) -> Bool {
    parts.value.key.hasValidDates(at: now)
  }
}

/// The validity of the certificate around a key, and the warning outside of it: written once, not for
/// each token, because some issuers sign with certificates that have expired.
struct KeyDates: Sendable {
  private let from: Instant
  private let to: Instant
  let text: String
  let warning: [String]

  init(from: Instant, to: Instant) {
    self.from = from
    self.to = to
    text = "\(from.rfc3339) to \(to.rfc3339)"
    warning = ["certificate: not valid now (\(text))"]
  }

  func contain(_ now: Instant) -> Bool { from <= now && now <= to }
}
