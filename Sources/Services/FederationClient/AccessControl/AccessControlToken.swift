public import Federation
public import HTTPExchange
import Octets
import TokenBasics

/// A verified token of Access Control Service and the response members that came with it.
public struct AccessControlToken: Sendable, CustomStringConvertible, CustomReflectable {
  /// The verified token, the only source of claims.
  public let verified: Verified<AnyToken>
  /// The credential to send to the relying party's services: an SWT or JWT as received, or the base64 of
  /// the XML that contained a SAML token.
  public let secret: Secret
  /// The refresh token of the OAuth endpoint, if the response had one.
  public let refreshToken: Secret?
  /// The earlier of the token's expiry and the lifetime in the response around it; nil if neither is set.
  public let expires: Instant?

  /// The description of ``verified``.
  public var description: String { "\(verified)" }

  /// Has no children, so that a dump shows no secret.
  public var customMirror: Mirror { Mirror(self, children: [:]) }

  /// Parses and verifies the token.
  init(
    _ octets: [UInt8], pinned: PinnedFormat? = nil,
    service: AccessControlService, trust: Trust, at now: Instant, nonce: String? = nil,
    refreshToken: Secret? = nil,
    lifetime: Int64? = nil
  ) throws(TokenError) {
    let token = try AnyToken(reading: octets, as: pinned, limits: trust.limits)
    verified = try service.verify(token, trust: trust, at: now, answering: nonce)
    let text: [UInt8] =
      switch token {
      case .swt(let swt): swt.octets
      case .jwt(let jwt): jwt.octets
      case .encryptedJWT(let jwt): jwt.octets
      case .sdjwt(let jwt): jwt.octets
      case .saml: Array(Base64.encode(try Self.xml(octets, trust.limits)).utf8)
      }
    secret = Secret(String(decoding: text, as: UTF8.self))
    self.refreshToken = refreshToken
    let told = lifetime.map { now.advanced(bySeconds: $0) }
    expires = [verified.facts.expires, told].compactMap(\.self).min()
  }

  /// The XML around a SAML token, extracted from the JSON of the `javascriptnotify` flow if need be.
  private static func xml(_ octets: [UInt8], _ limits: Limits) throws(TokenError) -> [UInt8] {
    guard octets.first(where: { !ASCII.isWhiteSpace($0) }) == UInt8(ascii: "{") else {
      return octets
    }
    return try NotifyMessage.tokenXML(octets, limits: limits)
  }

  /// A session for the subject of the token, a person or a program. Its claims are the issuer's projection
  /// (`claimsPrefix` and `stripPrefix` of a trust file); the subject and the provider's tokens are read
  /// from all claims.
  ///
  /// - Parameters:
  ///   - scheme: The scheme in which the relying party's services expect the token.
  ///   - now: The clock, read once by the caller.
  ///   - provider: The chosen provider; nil for the one that the token names.
  ///   - subject: The subject if the token names none, such as the name of a service identity.
  ///   - lifetime: How long it lasts, used or not.
  /// - Throws: `client.parameter` when neither the token nor `subject` names a subject.
  public func session(
    scheme: CredentialScheme, at now: Instant, provider: String? = nil, subject: String? = nil,
    lifetime: SessionLifetime = .unlimited
  ) throws(TokenError) -> Session {
    let claims = verified.claims
    guard let subject = claims.single(.nameIdentifier) ?? verified.facts.subject ?? subject else {
      throw TokenError(.clientParameter, node: "nameidentifier", found: "nothing")
    }
    let named = claims.single(.identityProvider)
    return Session(
      principal: Principal(authority: named ?? verified.facts.issuer, subject: subject),
      claims: claims, projection: verified.projection, provider: provider ?? named,
      credential: Credential(scheme, secret),
      refreshToken: refreshToken, expires: expires, signedInAt: now, lifetime: lifetime)
  }
}
