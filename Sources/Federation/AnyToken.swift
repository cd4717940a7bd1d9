/// A token of any supported format.
public enum AnyToken: SecurityToken {
  /// A Simple Web Token.
  case swt(SimpleWebToken)
  /// A SAML 1.1 or 2.0 assertion, or the message that holds it.
  case saml(SAMLToken)
  /// A JSON Web Token.
  case jwt(JSONWebToken)

  /// Reads a token as sent: raw XML, base64 or base64url of it, percent-encoded base64, the
  /// DEFLATE form of the Redirect binding, a WS-Trust response, a SOAP envelope around any of them, ACS's
  /// `javascriptnotify` JSON, a Simple Web Token, or a compact JSON Web Token.
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
    }
  }

  /// The claims of the token inside, as written and without any proof.
  public var unverifiedClaims: ClaimSet {
    switch self {
    case .swt(let token): token.unverifiedClaims
    case .saml(let token): token.unverifiedClaims
    case .jwt(let token): token.unverifiedClaims
    }
  }

  /// What the token inside states about itself, without any proof.
  public var unverifiedFacts: TokenFacts {
    switch self {
    case .swt(let token): token.unverifiedFacts
    case .saml(let token): token.unverifiedFacts
    case .jwt(let token): token.unverifiedFacts
    }
  }

  /// The signed octets of an SWT or a JWT; empty for SAML, which has identifiers.
  public var _signedOctets: [UInt8] {
    switch self {
    case .swt(let token): token._signedOctets
    case .saml(let token): token._signedOctets
    case .jwt(let token): token._signedOctets
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
    }
  }
}
