public import Claims
public import Instants
import BrowserExchange
import Federation
import Octets
import SecurityKeys
public import TokenErrors

extension ServiceNamespace {
  /// The service identity of a name and password. Its symmetric key in base64 is a password too.
  ///
  /// - Throws: `issuing.credentials`, for an unknown name as for a wrong password.
  public func identity(
    _ name: String, password: String
  ) throws(TokenError) -> ServiceIdentity {
    let known = identities.first { $0.name.hasSameBytes(as: name) }
    // An unknown name takes the same comparison.
    let expected = Array((known?.password?.revealed ?? "").utf8)
    let given = Array(password.utf8)
    let isPassword = !expected.isEmpty && ConstantTime.areEqual(expected, given)
    var isKey = false
    if let key = known?.key, let octets = try? Base64.decode(given),
      let other = try? SymmetricKey(bytes: octets)
    {
      isKey = ConstantTime.areEqual(key.digest, other.digest)
    }
    guard let known, isPassword || isKey else { throw TokenError(.issuingCredentials) }
    return known
  }

  /// The service identity that signed a Simple Web Token about itself: `Issuer` is its name, and `ExpiresOn` and
  /// `Audience` hold where they are there.
  ///
  /// - Parameters:
  ///   - token: The token, not verified yet.
  ///   - addresses: What `Audience` may be beside the name of this issuer: the address of the endpoint.
  ///   - now: The clock, read once by the caller.
  /// - Throws: `input.*`, `issuer.untrusted`, `signature.mac-mismatch`, `audience.mismatch`, `time.expired`.
  public func identity(
    assertedBy token: SimpleWebToken, addresses: [String] = [], at now: Instant
  ) throws(TokenError) -> ServiceIdentity {
    let facts = token.unverifiedFacts
    let name = facts.issuer
    guard let known = identities.first(where: { $0.name.hasSameBytes(as: name) }),
      let key = known.key
    else { throw TokenError(.issuerUntrusted, node: "Issuer", found: TokenError.excerpt(name)) }
    guard token.isAuthentic(by: key) else {
      throw TokenError(.macMismatch, node: "HMACSHA256")
    }
    let audiences = facts.audiences
    guard
      audiences.isEmpty
        || audiences.contains(where: { audience in
          ([issuer] + addresses).contains { $0.hasSameBytes(as: audience) }
        })
    else {
      throw TokenError(
        .audienceMismatch, node: "Audience", expected: issuer,
        found: audiences.map { TokenError.excerpt($0) }.joined(separator: ", "))
    }
    if let expires = facts.expires {
      guard now < expires.advanced(bySeconds: Int64(Trust.defaultSkew)) else {
        throw TokenError(
          .expired, node: "ExpiresOn", expected: "after \(now.rfc3339)", found: expires.rfc3339)
      }
    }
    return known
  }

  /// The service identity that signed an assertion about itself with the key of its certificate: the assertion's
  /// issuer is its name, and this issuer its audience.
  ///
  /// - Throws: what the validator throws.
  public func identity(
    assertedBy token: SAMLToken, at now: Instant
  ) throws(TokenError) -> ServiceIdentity {
    try identity(assertedBy: token, audiences: [issuer], formats: [.saml11, .saml20], at: now) {
      $0.certificate.map { [.certificate($0)] } ?? []
    }
  }

  /// The service identity that signed a JSON Web Token about itself (RFC 7523, 3), with its symmetric key or the key of
  /// its certificate: `iss` is its name, and `aud` this issuer or the endpoint.
  ///
  /// - Parameters:
  ///   - token: The token, not verified yet.
  ///   - addresses: What `aud` may be beside the name of this issuer: the address of the endpoint.
  ///   - now: The clock, read once by the caller.
  /// - Throws: what the validator throws.
  public func identity(
    assertedBy token: JSONWebToken, addresses: [String] = [], at now: Instant
  ) throws(TokenError) -> ServiceIdentity {
    try identity(assertedBy: token, audiences: [issuer] + addresses, formats: [.jwt], at: now) {
      ($0.key.map { [VerificationKey(.secret($0))] } ?? [])
        + ($0.certificate.map { [VerificationKey(.certificate($0))] } ?? [])
    }
  }

  /// The service identity that a verified token names as its issuer.
  ///
  /// - Parameter keys: Of an identity, those that may sign; of a certificate the dates hold.
  private func identity<Token: SecurityToken>(
    assertedBy token: Token, audiences: [String], formats: Set<TokenFormat>, at now: Instant,
    _ keys: (ServiceIdentity) -> [VerificationKey]
  ) throws(TokenError) -> ServiceIdentity {
    let issuers = identities.map { identity in
      TrustedIssuer(
        .exactly(identity.name),
        keys: keys(identity).map { TrustedKey($0, certificateDates: .enforce) }, formats: formats)
    }
    let trust = Trust(issuers: issuers, audiences: .oneOf(audiences))
    let name = try TokenValidator(trust).validate(token, at: now).facts.issuer
    guard let known = identities.first(where: { $0.name.hasSameBytes(as: name) }) else {
      throw TokenError(.issuerUntrusted, found: TokenError.excerpt(name))
    }
    return known
  }

  /// A token for a service identity: rules see its name as a name identifier that this service states.
  ///
  /// - Throws: as ``issue(_:from:to:as:delivery:at:)``.
  public func issue(
    for identity: ServiceIdentity, to party: RelyingParty, as format: TokenFormat? = nil,
    at now: Instant
  ) throws(TokenError) -> IssuedToken {
    try issue(
      ClaimSet([Claim(.nameIdentifier, identity.name, issuer: issuer)]), from: .service,
      to: party, as: format, at: now)
  }
}
