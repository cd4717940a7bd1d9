package import XMLSecurity

extension AnyToken {
  /// Why a digest does not fit, for formats that have digests.
  package var digestDiagnosis: DigestDiagnosis? {
    if case .saml(let token) = self { token.digestDiagnosis } else { nil }
  }

  /// What, if it had not happened, would make a signature by one of `keys` fit.
  package func signatureSuspects(_ keys: [TrustedKey], at now: Instant) -> [String] {
    if case .saml(let token) = self { token.signatureSuspects(keys, at: now) } else { [] }
  }

  /// The fingerprints of the certificates that the signatures show, which prove nothing.
  package var shownBySigners: [String] {
    if case .saml(let token) = self { token.shownBySigners } else { [] }
  }

  /// The fingerprints of the certificates to which it is encrypted, as it shows them.
  package var shownRecipients: [String] {
    if case .saml(let token) = self { token.shownRecipients } else { [] }
  }

  /// The algorithms of the signatures that are there.
  package var signatureAlgorithms: [(SignatureAlgorithm, [DigestAlgorithm])] {
    switch self {
    case .swt: [(.hmacSHA256, [])]
    case .saml(let token): token.signatureAlgorithms
    case .jwt(let token): token.signatureAlgorithm.map { [($0, [])] } ?? []
    }
  }
}
