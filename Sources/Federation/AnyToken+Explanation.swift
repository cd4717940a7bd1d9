package import XMLSecurity

extension AnyToken {
  /// The causes of a digest mismatch, for formats that have digests.
  package var digestDiagnosis: DigestDiagnosis? {
    if case .saml(let token) = self { token.digestDiagnosis } else { nil }
  }

  /// The changes that, undone, make the signature at `node` valid by one of `keys`.
  package func signatureSuspects(
    _ keys: [TrustedKey], at now: Instant, node: String?
  ) -> [String] {
    if case .saml(let token) = self {
      token.signatureSuspects(keys, at: now, node: node)
    } else {
      []
    }
  }

  /// The fingerprints of the certificates in the signatures, which prove nothing.
  package var shownBySigners: [String] {
    if case .saml(let token) = self { token.shownBySigners } else { [] }
  }

  /// The fingerprints of the recipients' certificates in the encrypted token.
  package var shownRecipients: [String] {
    if case .saml(let token) = self { token.shownRecipients } else { [] }
  }

  /// The algorithms of the token's signatures.
  package var signatureAlgorithms: [(SignatureAlgorithm, [DigestAlgorithm])] {
    switch self {
    case .swt: [(.hmacSHA256, [])]
    case .saml(let token): token.signatureAlgorithms
    case .jwt(let token): token.signatureAlgorithm.map { [($0, [])] } ?? []
    }
  }
}
