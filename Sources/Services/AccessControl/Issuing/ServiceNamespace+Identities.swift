public import Claims
import Federation
import HTTPExchange
import Octets
import SecurityKeys
public import TokenBasics

extension ServiceNamespace {
  /// The service identity of a name and password. Its symmetric key in base64 is a password too. A password that is kept as a
  /// digest takes tens of milliseconds of the thread that asks, until it was right once.
  ///
  /// - Throws: `issuing.credentials`, for an unknown name as for a wrong password.
  public func identity(
    _ name: String, password: String
  ) throws(TokenError) -> ServiceIdentity {
    let known = identities.first { $0.name.hasSameBytes(as: name) }
    let isPassword =
      comparedPassword(of: name)?.isSame(as: password) == true && known?.password != nil
    let given = Array(password.utf8)
    var isKey = false
    if let key = known?.key, let octets = try? Base64.decode(given),
      let other = try? SymmetricKey(bytes: octets)
    {
      isKey = ConstantTime.areEqual(key.digest, other.digest)
    }
    guard let known, isPassword || isKey else { throw TokenError(.issuingCredentials) }
    return known
  }

  /// What a password of a name is compared with. An unknown name takes the comparison of another one, of a digest where the
  /// file has one.
  func comparedPassword(of name: String) -> Secret? {
    identities.first { $0.name.hasSameBytes(as: name) }?.password ?? digest
      ?? identities.lazy.compactMap(\.password).first
  }

  /// A secret of the file that is kept as a digest; nil for none.
  var digest: Secret? {
    (identities.lazy.compactMap(\.password) + relyingParties.lazy.compactMap(\.clientSecret))
      .first { HashedSecret.isMeant(by: $0.revealed) }
  }

  /// The service identity that signed a Simple Web Token about itself: `Issuer` is its name, `ExpiresOn` is within a day,
  /// and `Audience` holds where it is there.
  ///
  /// - Parameters:
  ///   - token: The token, not verified yet.
  ///   - addresses: What `Audience` may be beside the name of this issuer: the address of the endpoint.
  ///   - now: The clock, read once by the caller.
  /// - Throws: `input.*`, `issuer.untrusted`, `signature.mac-mismatch`, `audience.mismatch`, `time.expired`,
  ///   `time.no-expiry`, `issuing.assertion`.
  public func identity(
    assertedBy token: SimpleWebToken, addresses: [String] = [], at now: Instant
  ) throws(TokenError) -> AssertedIdentity {
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
    guard let expires = facts.expires else {
      throw TokenError(.noExpiry, node: "ExpiresOn", expected: "a time", found: "nothing")
    }
    guard now < expires.advanced(bySeconds: Int64(Trust.defaultSkew)) else {
      throw TokenError(
        .expired, node: "ExpiresOn", expected: "after \(now.rfc3339)", found: expires.rfc3339)
    }
    return try AssertedIdentity(known, facts, signed: token._signedOctets, at: now)
  }

  /// The service identity that signed an assertion about itself with the key of its certificate (RFC 7522, 3): the
  /// assertion's issuer and subject are its name, this issuer or the endpoint is its audience, and the endpoint its
  /// recipient where it names one.
  ///
  /// - Parameters:
  ///   - token: The assertion, not verified yet.
  ///   - addresses: Of the endpoints, as audiences.
  ///   - recipients: The addresses of the endpoint to which it came; nil for all of `addresses`.
  ///   - now: The clock, read once by the caller.
  /// - Throws: what the validator throws, `time.no-expiry`, `issuing.assertion`.
  public func identity(
    assertedBy token: SAMLToken, addresses: [String] = [], recipients: [String]? = nil,
    at now: Instant
  ) throws(TokenError) -> AssertedIdentity {
    let trust = trust([issuer] + addresses, [.saml11, .saml20]) {
      $0.certificate.map { [.certificate($0)] } ?? []
    }
    var expectations = Expectations()
    let recipients = recipients ?? addresses
    if !recipients.isEmpty { expectations.allowedRecipients = recipients }
    return try identity(assertedBy: token, trust, expecting: expectations, at: now)
  }

  /// The service identity that signed a JSON Web Token about itself (RFC 7523, 3), with its symmetric key or the key of
  /// its certificate: `iss` and `sub` are its name, and `aud` this issuer or the endpoint.
  ///
  /// - Parameters:
  ///   - token: The token, not verified yet.
  ///   - addresses: What `aud` may be beside the name of this issuer: the address of the endpoint.
  ///   - now: The clock, read once by the caller.
  /// - Throws: what the validator throws, `time.no-expiry`, `issuing.assertion`.
  public func identity(
    assertedBy token: JSONWebToken, addresses: [String] = [], at now: Instant
  ) throws(TokenError) -> AssertedIdentity {
    let trust = trust([issuer] + addresses, [.jwt]) {
      ($0.key.map { [VerificationKey(.secret($0))] } ?? [])
        + ($0.certificate.map { [VerificationKey(.certificate($0))] } ?? [])
    }
    return try identity(assertedBy: token, trust, at: now)
  }

  /// Trusts the service identities.
  ///
  /// - Parameter keys: Of an identity, those that may sign; of a certificate the dates hold.
  private func trust(
    _ audiences: [String], _ formats: Set<TokenFormat>,
    _ keys: (ServiceIdentity) -> [VerificationKey]
  ) -> Trust {
    let issuers = identities.map { identity in
      TrustedIssuer(
        .exactly(identity.name),
        keys: keys(identity).map { TrustedKey($0, certificateDates: .enforce) }, formats: formats)
    }
    return Trust(issuers: issuers, audiences: .oneOf(audiences))
  }

  /// The service identity that a verified token names as its issuer and its subject.
  private func identity<Token: SecurityToken>(
    assertedBy token: Token, _ trust: Trust, expecting expectations: Expectations = Expectations(),
    at now: Instant
  ) throws(TokenError) -> AssertedIdentity {
    let verified = try TokenValidator(trust).validate(token, at: now, expecting: expectations)
    let facts = verified.facts
    guard let known = identities.first(where: { $0.name.hasSameBytes(as: facts.issuer) }) else {
      throw TokenError(.issuerUntrusted, found: TokenError.excerpt(facts.issuer))
    }
    guard let subject = facts.subject, subject.hasSameBytes(as: known.name) else {
      throw TokenError(
        .issuingAssertion, node: "subject", expected: "the name of the service identity",
        found: facts.subject.map { TokenError.excerpt($0) } ?? "nothing")
    }
    return try AssertedIdentity(known, facts, signed: verified.token._signedOctets, at: now)
  }

  /// A token for a service identity: rules see its name as a name identifier that this service states.
  ///
  /// - Throws: as ``issue(_:from:to:as:delivery:at:)``.
  public func issue(
    for identity: ServiceIdentity, to party: RelyingParty, as format: TokenFormat? = nil,
    at now: Instant
  ) throws(TokenError) -> IssuedToken {
    try issue(subject(of: identity), to: party, as: format, at: now)
  }

  /// A service identity, as the rules see it.
  func subject(of identity: ServiceIdentity) -> SignedInSubject {
    SignedInSubject(
      ClaimSet([Claim(.nameIdentifier, identity.name, issuer: issuer)]), from: .service,
      name: identity.name)
  }
}
