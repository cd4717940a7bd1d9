public import SecurityKeys

/// The keys of a namespace: with the current ones tokens are signed, the next ones are published beside them, so
/// that relying parties know them before they are used.
public struct NamespaceKeys: Sendable {
  /// Signs SAML, and JSON Web Tokens of relying parties without a symmetric key; nil for none.
  public var signing: SigningKey?
  /// Certificates that are published and do not sign yet, or do not sign any more.
  public var otherCertificates: [Certificate]
  /// Authenticates Simple Web Tokens; nil for none.
  public var symmetric: SymmetricKey?
  /// Makes the identifiers of subjects; nil for none. There is no rollover: with another key everybody is another.
  public var identifiers: SymmetricKey?

  /// Keys.
  public init(
    signing: SigningKey? = nil, otherCertificates: [Certificate] = [],
    symmetric: SymmetricKey? = nil, identifiers: SymmetricKey? = nil
  ) {
    self.identifiers = identifiers
    self.signing = signing
    self.otherCertificates = otherCertificates
    self.symmetric = symmetric
  }

  /// The certificates to publish, that of the signing key first.
  public var certificates: [Certificate] {
    (signing?.certificate.map { [$0] } ?? []) + otherCertificates
  }
}
