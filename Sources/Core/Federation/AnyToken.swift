package import XMLSecurity

/// A token of any supported format.
public enum AnyToken: SecurityToken {
  /// A Simple Web Token.
  case swt(SimpleWebToken)
  /// A SAML 1.1 or 2.0 assertion, or the message that holds it.
  case saml(SAMLToken)
  /// A JSON Web Token.
  case jwt(JSONWebToken)
  /// A JSON Web Token inside of a JSON Web Encryption.
  case encryptedJWT(EncryptedJSONWebToken)
  /// A JSON Web Token with selective disclosure.
  case sdjwt(SelectiveDisclosureToken)

  /// Reads a token as sent: raw XML, base64 or base64url of it, percent-encoded base64, the
  /// DEFLATE form of the Redirect binding, a WS-Trust response, a SOAP envelope around any of them, ACS's
  /// `javascriptnotify` JSON, a Simple Web Token, or a compact JSON Web Token, encrypted, with selective disclosure, or neither.
  ///
  /// The form is recognised once, from the first bytes that distinguish it; nothing is tried twice.
  ///
  /// - Parameters:
  ///   - octets: The token as it came.
  ///   - pinned: The only format to accept; nil for any.
  ///   - limits: Sizes and depths above which it is refused.
  /// - Throws: `input.*`, `xml.*`, `response.*`, and `signature.*` for a malformed MAC.
  public init(
    reading octets: [UInt8], as pinned: PinnedFormat? = nil, limits: Limits = Limits()
  ) throws(TokenError) {
    try self.init(reading: octets[...], as: pinned, limits: limits)
  }

  /// As ``init(reading:as:limits:)``, of a part of the input.
  package init(
    reading octets: consuming ArraySlice<UInt8>, as pinned: PinnedFormat?, limits: Limits
  ) throws(TokenError) {
    self = try WireReader(limits: limits, pinned: pinned).read(octets)
  }

  /// As ``init(reading:as:limits:)``, where an error is only shown once ``RecognisedText`` has named what the text is: an opaque token
  /// is of no format, and its issuer is asked about it.
  package init(
    readingWithoutNames octets: [UInt8], limits: Limits
  ) throws(TokenError) {
    self = try WireReader(limits: limits, pinned: nil, namesOtherTexts: false).read(octets[...])
  }

  /// As ``init(reading:as:limits:)``, of a token that is shown and not judged: also one whose signature part is empty.
  package init(
    decoding octets: consuming ArraySlice<UInt8>, as pinned: PinnedFormat?, limits: Limits
  ) throws(TokenError) {
    self = try WireReader(limits: limits, pinned: pinned, readsUnsigned: true).read(octets)
  }

  /// The same token, whose reports say this too of what was around it; what they say of SAML alone.
  func noting(_ warnings: [String]) -> AnyToken {
    guard case .saml(let token) = self else { return self }
    return .saml(token.noting(warnings))
  }

  /// The format of the token inside; SAML has one for each version.
  public var format: TokenFormat {
    switch self {
    case .swt(let token): token.format
    case .saml(let token): token.format
    case .jwt(let token): token.format
    case .encryptedJWT(let token): token.format
    case .sdjwt(let token): token.format
    }
  }

  /// The claims of the token inside, as written and without any proof.
  public var unverifiedClaims: ClaimSet {
    switch self {
    case .swt(let token): token.unverifiedClaims
    case .saml(let token): token.unverifiedClaims
    case .jwt(let token): token.unverifiedClaims
    case .encryptedJWT(let token): token.unverifiedClaims
    case .sdjwt(let token): token.unverifiedClaims
    }
  }

  /// What the token inside states about itself, without any proof.
  public var unverifiedFacts: TokenFacts {
    switch self {
    case .swt(let token): token.unverifiedFacts
    case .saml(let token): token.unverifiedFacts
    case .jwt(let token): token.unverifiedFacts
    case .encryptedJWT(let token): token.unverifiedFacts
    case .sdjwt(let token): token.unverifiedFacts
    }
  }

  /// The signed octets of an SWT or a JWT; empty for SAML, which has identifiers, and before decryption.
  public var _signedOctets: [UInt8] {
    switch self {
    case .swt(let token): token._signedOctets
    case .saml(let token): token._signedOctets
    case .jwt(let token): token._signedOctets
    case .encryptedJWT(let token): token._signedOctets
    case .sdjwt(let token): token._signedOctets
    }
  }

  /// Verifies the token inside. Only `TokenValidator` calls this.
  ///
  /// - Throws: The error of the first failed check; the codes are those of the token inside.
  public func _verify(in context: inout VerificationContext) throws(TokenError) -> VerifiedContent {
    switch self {
    case .swt(let token): try token._verify(in: &context)
    case .saml(let token): try token._verify(in: &context)
    case .jwt(let token): try token._verify(in: &context)
    case .encryptedJWT(let token): try token._verify(in: &context)
    case .sdjwt(let token): try token._verify(in: &context)
    }
  }
}

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
    // Those of the token inside are unknown.
    case .encryptedJWT: []
    case .saml(let token): token.signatureAlgorithms
    case .jwt(let token): token.signatureAlgorithm.map { [($0, [])] } ?? []
    case .sdjwt(let token): token.signatureAlgorithm.map { [($0, [])] } ?? []
    }
  }
}

extension AnyToken {
  /// The token of a compact serialization: signed, with disclosures, or encrypted around a signed one. Whether it has a `~`
  /// decides, then how many parts it has.
  ///
  /// - Throws: As `JSONWebToken`, `SelectiveDisclosureToken` and `EncryptedJSONWebToken` read theirs.
  ///
  /// - Parameter readsUnsigned: Whether a JWT may have an empty signature, which no key verifies.
  init(compact octets: [UInt8], limits: Limits, readsUnsigned: Bool = false) throws(TokenError) {
    guard !SelectiveDisclosureToken.hasSeparator(octets.span) else {
      self = .sdjwt(try SelectiveDisclosureToken(parsing: octets, limits: limits))
      return
    }
    self =
      JSONWebEncryption.hasParts(octets.span)
      ? .encryptedJWT(try EncryptedJSONWebToken(parsing: octets, limits: limits))
      : .jwt(try JSONWebToken(parsing: octets, limits: limits, readsUnsigned: readsUnsigned))
  }

  /// Where each of the claims comes from, in their order; empty for formats of which all is visible.
  package var claimOrigins: [ClaimOrigin] {
    if case .sdjwt(let token) = self { token.claimOrigins } else { [] }
  }

  /// The token with the claims of a JWT named by their URIs.
  package func namingClaimsByURI() -> AnyToken {
    switch self {
    case .jwt(var token):
      token.naming = .claimURIs
      return .jwt(token)
    case .encryptedJWT(var token):
      token.naming = .claimURIs
      return .encryptedJWT(token)
    case .sdjwt(var token):
      token.naming = .claimURIs
      return .sdjwt(token)
    case .swt, .saml:
      return self
    }
  }

  /// The claims and facts, without any proof, decrypted where the token is encrypted and `trust` has a key.
  ///
  /// - Throws: `encryption.*` and what is wrong with the token inside; an encrypted JWT states nothing without a key
  ///   (`encryption.no-key`).
  package func unverifiedContent(
    _ trust: Trust
  ) throws(TokenError) -> (facts: TokenFacts, claims: ClaimSet) {
    switch self {
    case .saml(let token):
      let facts = try token.unverifiedFacts(decryptionKeys: trust.privateKeys)
      return (facts, facts.claims)
    case .encryptedJWT(let token):
      let inner = try token.inner(trust, exceptions: [.rsaPKCS1Encryption])
      return (inner.unverifiedFacts, inner.unverifiedClaims)
    case .swt, .jwt, .sdjwt:
      return (unverifiedFacts, unverifiedClaims)
    }
  }
}

/// The one format that an endpoint accepts.
public enum PinnedFormat: String, CaseIterable, Hashable, Sendable {
  /// A Simple Web Token.
  case swt
  /// A SAML 1.1 assertion or response.
  case saml11
  /// A SAML 2.0 assertion or response.
  case saml20
  /// A JSON Web Token.
  case jwt
  /// A JSON Web Token with selective disclosure.
  case sdjwt
  /// A WS-Trust response, whatever token it holds.
  case rstr
}
