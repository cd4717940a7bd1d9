public import Federation
import Octets

/// A token of Access Control Service that was verified, and what came with it.
public struct AccessControlToken: Sendable, CustomStringConvertible, CustomReflectable {
  /// The token: claims are read from here and from nowhere else.
  public let verified: Verified<AnyToken>
  /// What to show to the relying party's services: the octets of an SWT or JWT; of SAML the base64 of
  /// the XML that it came in.
  public let secret: Secret
  /// From the code flow of the OAuth endpoint.
  public let refreshToken: Secret?
  /// When it ends: what the token says, and nothing in the envelope around it makes that later.
  public let expires: Instant?

  public var description: String { "\(verified)" }

  public var customMirror: Mirror { Mirror(self, children: [:]) }

  /// Reads and verifies.
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
      case .saml: Array(Base64.encode(try Self.xml(octets, trust.limits)).utf8)
      }
    secret = Secret(String(decoding: text, as: UTF8.self))
    self.refreshToken = refreshToken
    let told = lifetime.map { now.advanced(bySeconds: $0) }
    expires = [verified.facts.expires, told].compactMap(\.self).min()
  }

  /// The XML around a SAML token. Services that take one do not know the JSON of the native flow.
  private static func xml(_ octets: [UInt8], _ limits: Limits) throws(TokenError) -> [UInt8] {
    guard octets.first(where: { !ASCII.isWhiteSpace($0) }) == UInt8(ascii: "{") else {
      return octets
    }
    return try NotifyMessage.tokenXML(octets, limits: limits)
  }

  /// A session of the person (or program) that the token is about. Its claims are those that the trust
  /// shows of this issuer (`claimsPrefix` and `stripPrefix` of a trust file); who the person is, and the
  /// provider's tokens, are read from all.
  /// - Parameters:
  ///   - scheme: How the relying party's services want to see the token.
  ///   - provider: The provider that was chosen; nil for the one that the token names.
  ///   - subject: Who it is where the token names nobody: a service identity knows its own name.
  /// - Throws: `client.parameter` when nobody says who it is.
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
