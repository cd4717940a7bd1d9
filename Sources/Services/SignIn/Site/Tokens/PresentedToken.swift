package import Federation
import JSONWebTokens
import Octets
package import TokenBasics

/// A token of a provider that a client presents to get another one for it (RFC 8693, 2.1; RFC 7522, 2.1; RFC 7523, 2.1).
/// It answers no sign-in of ours, so neither a request nor a browser is expected of it.
package struct PresentedToken: Sendable {
  /// What the client says that it is.
  package enum Kind: Hashable, Sendable {
    /// An assertion of SAML 2.0.
    case saml20
    /// An assertion of SAML 1.1.
    case saml11
    /// A Simple Web Token.
    case swt
    /// A JSON Web Token, an access token among them.
    case jwt
    /// An ID token of OpenID Connect.
    case idToken
    /// A grant of one authorization server for another (Identity Assertion JWT Authorization Grant).
    case identityAssertionGrant
  }

  /// What the client says that it is.
  package let kind: Kind
  /// The token, read and not verified.
  package let token: AnyToken
  /// The audiences that are as good as ours at the provider.
  package let audiences: [String]
  /// The addresses of which a recipient that an assertion names has to be one.
  package let recipients: [String]
  /// Whether an assertion has to name one.
  package var demandsRecipient = false

  /// Reads a token as that kind, and as nothing else.
  ///
  /// - Throws: `input.*`, `xml.*`, `signature.*`; `policy.token-purpose` for a token of another purpose,
  ///   `signin.token-kind` for an assertion of another version, or one in a response.
  package init(
    parsing octets: [UInt8], as kind: Kind, audiences: [String], recipients: [String]
  ) throws(TokenError) {
    self.kind = kind
    self.audiences = audiences
    self.recipients = recipients
    switch kind {
    case .swt: token = .swt(try SimpleWebToken(parsing: octets))
    case .saml20, .saml11:
      let assertion = try SAMLToken(parsing: octets)
      guard (assertion.version == .v2) == (kind == .saml20), assertion.isAlone else {
        throw TokenError(
          .signInTokenKind, expected: "an assertion of SAML \(kind == .saml20 ? "2.0" : "1.1")",
          found: assertion.isAlone ? "another version" : "a response")
      }
      token = .saml(assertion)
    case .jwt: token = .jwt(try JSONWebToken(parsing: octets, for: .access))
    case .idToken: token = .jwt(try JSONWebToken(parsing: octets, for: .idToken))
    case .identityAssertionGrant:
      token = .jwt(try JSONWebToken(parsing: octets, for: .identityAssertionGrant))
    }
  }

  /// What is expected of it when it is verified.
  package var expectations: Expectations {
    var expectations = Expectations()
    expectations.allowedRecipients = recipients
    expectations.demandsRecipient = demandsRecipient
    return expectations
  }
}

/// The subject of a verified token that a client presented.
package struct PresentedSubject: Sendable {
  /// Whom it is about.
  package let principal: FederatedPrincipal
  /// What the token says of itself.
  package let facts: TokenFacts
  /// The signed octets, which tell a token without an identifier from others; empty for SAML.
  package let signed: [UInt8]
  /// The payload of a JSON Web Token; nil for other formats.
  package let payload: JSONValue?

  init<Token: SecurityToken>(
    _ verified: Verified<Token>, _ principal: FederatedPrincipal, payload: JSONValue? = nil
  ) {
    self.principal = principal
    facts = verified.facts
    signed = verified.token._signedOctets
    self.payload = payload
  }
}

extension PresentedToken.Kind {
  /// The format.
  package var format: TokenFormat {
    switch self {
    case .saml20: .saml20
    case .saml11: .saml11
    case .swt: .swt
    case .jwt, .idToken, .identityAssertionGrant: .jwt
    }
  }
}

/// A sign-in protocol whose tokens a client may present to get others for them. A protocol that has such tokens conforms, and its
/// providers are asked about them without another change.
package protocol PresentedTokenMethod: SignInMethod {
  /// The kinds of tokens that a provider of this protocol issues.
  var presentedKinds: Set<PresentedToken.Kind> { get }

  /// Verifies a token of the provider as a sign-in would, but for what only an answer to a request has. The provider's own trust
  /// is ``SignInProvider/trust(at:)``.
  ///
  /// - Throws: errors of verification, `signin.*`, `registry.*`.
  func verify(
    _ presented: PresentedToken, of provider: SignInProvider, at now: Instant
  ) async throws(TokenError) -> PresentedSubject
}

extension SignInProvider {
  /// Whether the provider's protocol has tokens of that kind.
  package func mayIssue(_ kind: PresentedToken.Kind) -> Bool {
    (method as? any PresentedTokenMethod)?.presentedKinds.contains(kind) ?? false
  }

  /// Verifies a token of this provider as a sign-in would, but for what only an answer to a request has: signature, issuer,
  /// times, audience and one subject.
  ///
  /// - Throws: errors of verification, `signin.*`, `registry.*`.
  package func verify(
    _ presented: PresentedToken, at now: Instant
  ) async throws(TokenError) -> PresentedSubject {
    guard let method = method as? any PresentedTokenMethod else {
      throw TokenError(.signInTokenKind, node: id)
    }
    // RFC 8725, 3.11: an access token that names its type (RFC 9068) is for the service whose audience it has.
    if presented.kind == .jwt, case .jwt(let token) = presented.token {
      try token.require(.idToken)
    }
    let found = try await method.verify(presented, of: self, at: now)
    guard found.facts.issuer.hasSameBytes(as: issuer) else {
      throw TokenError(
        .signInOtherIssuer, expected: TokenError.excerpt(issuer),
        found: TokenError.excerpt(found.facts.issuer))
    }
    return found
  }
}

extension OpenIDMethod: PresentedTokenMethod {
  package var presentedKinds: Set<PresentedToken.Kind> {
    [.jwt, .idToken, .identityAssertionGrant]
  }

  package func verify(
    _ presented: PresentedToken, of provider: SignInProvider, at now: Instant
  ) async throws(TokenError) -> PresentedSubject {
    try await party.verify(presented, at: now)
  }
}

extension SAMLMethod: PresentedTokenMethod {
  package var presentedKinds: Set<PresentedToken.Kind> { [.saml20] }

  package func verify(
    _ presented: PresentedToken, of provider: SignInProvider, at now: Instant
  ) async throws(TokenError) -> PresentedSubject {
    let identityProvider = try await source.provider(at: now)
    let trust = try await provider.trust(at: now)
    return try service.verify(presented, from: identityProvider, trust: trust, at: now)
  }
}

extension WSFederationMethod: PresentedTokenMethod {
  package var presentedKinds: Set<PresentedToken.Kind> { [.saml20, .saml11, .jwt] }

  package func verify(
    _ presented: PresentedToken, of provider: SignInProvider, at now: Instant
  ) async throws(TokenError) -> PresentedSubject {
    try party.verify(presented, trust: await provider.trust(at: now), at: now)
  }
}

extension OpenIDRelyingParty {
  fileprivate func verify(
    _ presented: PresentedToken, at now: Instant
  ) async throws(TokenError) -> PresentedSubject {
    guard case .jwt(let token) = presented.token else {
      throw TokenError(.signInTokenKind, expected: "a JSON Web Token")
    }
    let purpose: TokenPurpose =
      switch presented.kind {
      case .identityAssertionGrant: .identityAssertionGrant
      case .jwt where AccessTokenCheck.isMarked(token, presented.token.unverifiedClaims): .access
      default: .idToken
      }
    let verified = try await verify(
      Secret(String(decoding: token.octets, as: UTF8.self)), for: purpose,
      expecting: presented.expectations, audiences: presented.audiences, at: now)
    let idToken = try IDToken(verified, isStrict: presented.kind == .idToken)
    let contexts = configuration.contexts
    if purpose == .idToken {
      try check(idToken, audiences: presented.audiences, contexts: contexts, at: now)
    } else {
      // Its `azp` is the client that got it, and its audiences are its own.
      try checkSignIn(idToken, contexts: contexts, at: now)
    }
    let session = presented.kind == .idToken ? idToken.session : nil
    let (claims, _) = counted(Array(verified.claims), verified.projection)
    return PresentedSubject(
      verified,
      FederatedPrincipal(
        issuer: verified.facts.issuer, subject: idToken.subject, claims: ClaimSet(claims),
        format: .jwt, issuerSession: IssuerSession(index: session), warnings: verified.warnings),
      payload: verified.payload)
  }
}

extension ServiceProvider {
  fileprivate func verify(
    _ presented: PresentedToken, from provider: IdentityProvider, trust: Trust, at now: Instant
  ) throws(TokenError) -> PresentedSubject {
    guard case .saml(let token) = presented.token, token.version == .v2 else {
      throw TokenError(.signInTokenKind, expected: "an assertion of SAML 2.0")
    }
    var trust = narrowed(trust)
    trust.audiences = .oneOf([entityID] + presented.audiences)
    let verified = try TokenValidator(trust).validate(
      token, at: now, expecting: presented.expectations)
    return PresentedSubject(verified, try principal(verified, provider))
  }
}

extension PassiveRelyingParty {
  fileprivate func verify(
    _ presented: PresentedToken, trust: Trust, at now: Instant
  ) throws(TokenError) -> PresentedSubject {
    var trust = trust
    trust.audiences = .oneOf([realm] + presented.audiences)
    if !decryptionKeys.isEmpty { trust.decryptionKeys = decryptionKeys.map { DecryptionKey($0) } }
    switch presented.token {
    case .saml(let token):
      let verified = try TokenValidator(trust).validate(
        token, at: now, expecting: presented.expectations)
      return PresentedSubject(verified, Self.principal(verified, IssuerSession(verified)))
    case .jwt(let token):
      let verified = try TokenValidator(trust).validate(token, at: now)
      return PresentedSubject(
        verified, Self.principal(verified, IssuerSession()), payload: verified.payload)
    case .swt(let token):
      let verified = try TokenValidator(trust).validate(token, at: now)
      return PresentedSubject(verified, Self.principal(verified, IssuerSession()))
    case .encryptedJWT, .sdjwt:
      throw TokenError(
        .signInTokenKind, expected: "an assertion, a Simple Web Token or a signed JSON Web Token",
        found: presented.token.format.name)
    }
  }

  private static func principal<Token: SecurityToken>(
    _ verified: Verified<Token>, _ session: IssuerSession
  ) -> FederatedPrincipal {
    FederatedPrincipal(
      issuer: verified.facts.issuer, subject: verified.facts.subject ?? "",
      claims: verified.decidingClaims, format: verified.token.format, issuerSession: session,
      warnings: verified.warnings)
  }
}
