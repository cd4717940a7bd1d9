import Claims
import Federation
import Octets
import SecurityKeys
import TokenBasics

extension ServiceNamespace {
  /// Whether a client may exchange tokens for those of some relying party, or for grants.
  func exchanges(_ client: String) -> Bool {
    relyingParties.contains { $0.exchange.clients.containsBytes(of: client) }
      || authorizationServers.contains { server in
        server.clients.contains { $0.own.hasSameBytes(as: client) }
      }
  }

  /// The relying party whose tokens a client may have. A client learns nothing of others.
  ///
  /// - Throws: `exchange.target`.
  func target(
    _ target: ExchangeTarget, of client: TokenClient
  ) throws(TokenError) -> RelyingParty {
    let parties = [target.audience, target.resource].compactMap(\.self).map { name in
      relyingParties.first {
        $0.realm.hasSameBytes(as: name) && $0.exchange.clients.containsBytes(of: client.id)
      }
    }
    guard let party = parties.first ?? nil,
      parties.allSatisfy({ $0?.realm.hasSameBytes(as: party.realm) == true })
    else {
      throw TokenError(
        .exchangeTarget, node: target.audience == nil ? "resource" : "audience",
        expected: "one relying party whose tokens the client may ask for",
        found: (target.audience ?? target.resource).map { TokenError.excerpt($0) })
    }
    return party
  }

  /// The authorization server for which a client may have grants, and the client's name there.
  ///
  /// - Throws: `exchange.target`.
  func authorizationServer(
    _ target: ExchangeTarget, of client: TokenClient
  ) throws(TokenError) -> (ResourceAuthorizationServer, theirs: String) {
    let server = authorizationServers.first { server in
      target.audience.map { server.issuer.hasSameBytes(as: $0) } ?? false
    }
    guard let server,
      let theirs = server.clients.first(where: { $0.own.hasSameBytes(as: client.id) })?.theirs
    else {
      throw TokenError(
        .exchangeTarget, node: "audience",
        expected: "the issuer of an authorization server at which the client is known",
        found: target.audience.map { TokenError.excerpt($0) })
    }
    if let resource = target.resource, !server.resources.containsBytes(of: resource) {
      throw TokenError(
        .exchangeTarget, node: "resource", expected: server.resources.joined(separator: ", "),
        found: TokenError.excerpt(resource))
    }
    return (server, theirs)
  }

  /// The relying party as which an authorization server knows people. One that is not configured has no rules and offers every
  /// provider, since a grant has nothing but the identifier.
  func party(of server: ResourceAuthorizationServer) -> RelyingParty {
    let realm = server.relyingParty ?? server.issuer
    return (try? relyingParty(realm)) ?? RelyingParty(realm: realm, format: .jwt)
  }

  /// What verifies tokens of this service that are for a client.
  ///
  /// A relying party has the key of its own Simple Web Tokens, and could write any, so a token counts for what is known of it
  /// alone.
  func trust(inOwnTokensFor client: TokenClient) -> Trust {
    let issuers =
      client.party?.key.map {
        Self.ownIssuers(issuer, verificationKeys, webVerificationKeys, secret: $0, shared: $0)
      } ?? ownIssuers
    return Trust(issuers: issuers, audiences: .oneOf(client.audiences))
  }

  /// - Parameters:
  ///   - secret: The key of Simple Web Tokens.
  ///   - shared: That of JSON Web Tokens, where they have one.
  static func ownIssuers(
    _ issuer: String, _ keys: [TrustedKey], _ webKeys: [TrustedKey], secret: SymmetricKey?,
    shared: SymmetricKey?
  ) -> [TrustedIssuer] {
    func trusted(_ key: SymmetricKey?) -> [TrustedKey] {
      key.map { [TrustedKey(.secret($0))] } ?? []
    }
    let name = TrustedIssuer.Name.exactly(issuer)
    return [
      TrustedIssuer(name, keys: keys, formats: [.saml11, .saml20]),
      TrustedIssuer(name, keys: webKeys + trusted(shared), formats: [.jwt]),
      TrustedIssuer(name, keys: trusted(secret), formats: [.swt]),
    ]
  }

  /// The name of a subject that a relying party is shown: of a service identity its own, of a person ours.
  ///
  /// - Throws: `issuing.subject`, `issuing.no-identifier-key`.
  func shownName(
    of subject: SignedInSubject, for party: RelyingParty
  ) throws(TokenError) -> String {
    if subject.source == .service, let name = subject.name { return name }
    return try identifier(of: subject, for: party)
  }

  /// A JSON Web Token for the service behind a relying party (RFC 9068): its subject is ours, and the claims are those that
  /// the rules give.
  ///
  /// - Parameters:
  ///   - client: Who gets it.
  ///   - scopes: What it allows.
  ///   - id: Its identifier.
  /// - Throws: `rules.*`, `issuing.subject`, `issuing.no-*`, `policy.mint-*`.
  func accessToken(
    _ subject: SignedInSubject, to party: RelyingParty, client: String, scopes: [String],
    id: String, at now: Instant
  ) throws(TokenError) -> [UInt8] {
    let name = try shownName(of: subject, for: party)
    let ruled = try engine(of: party).evaluate(
      subject.claims, from: subject.source, issuer: issuer)
    var draft = draft(
      ruled, provider: subject.source.name ?? issuer, to: party, as: .jwt, at: now)
    draft.id = id
    draft.subject = name
    var claims = webClaims(draft.claims).filter {
      !Self.ofAccessTokens.containsBytes(of: $0.type.name)
    }
    claims.append(Claim("client_id", client))
    if !scopes.isEmpty { claims.append(Claim("scope", scopes.joined(separator: " "))) }
    claims += Self.authentication(of: subject, beside: claims)
    draft.claims = ClaimSet(claims)
    return try encrypted(mint(draft, for: party, type: "at+jwt"), to: party)
  }

  /// What an access token says of itself (RFC 9068, 2.2; RFC 9396, 9.1), which no rule gives.
  private static let ofAccessTokens = ["client_id", "scope", "scp", "authorization_details"]

  /// A grant for another authorization server (Identity Assertion JWT Authorization Grant, 3).
  ///
  /// - Parameters:
  ///   - party: The relying party as which the server knows people.
  ///   - client: The name of the client there.
  ///   - resource: For what it is; nil for the server's choice.
  /// - Throws: `time.expired`, `issuing.subject`, `issuing.no-*`, `policy.mint-*`.
  func grant(
    _ wanted: WantedToken, for server: ResourceAuthorizationServer, _ party: RelyingParty,
    client: String, scopes: [String], resource: String?, at now: Instant
  ) throws(TokenError) -> MintedToken {
    var limits = party
    limits.lifetime = Self.grantLifetime
    limits = try limits.limited(until: wanted.end, at: now)
    var claims = [Claim("client_id", client)]
    if !scopes.isEmpty { claims.append(Claim("scope", scopes.joined(separator: " "))) }
    if let resource { claims.append(Claim("resource", resource)) }
    claims += Self.authentication(of: wanted.subject)
    var draft = TokenDraft(
      issuer: issuer, audiences: [server.issuer],
      subject: try identifier(of: wanted.subject, for: party), claims: ClaimSet(claims),
      issuedAt: Instant(secondsSinceEpoch: now.seconds), lifetime: limits.lifetime)
    draft.listTypes = ListedClaims.arrays
    return MintedToken(
      try mint(draft, for: party, type: TokenPurpose.identityAssertionGrantType), .id(draft.id),
      until: draft.expires, at: now)
  }

  /// Seconds: 300, the most that such a grant is good for.
  static let grantLifetime = 300
}

extension RelyingParty {
  /// The same, whose tokens end at an instant at the latest.
  ///
  /// - Throws: `time.expired` where that has passed.
  func limited(until end: Instant, at now: Instant) throws(TokenError) -> Self {
    let left = end.seconds - now.seconds
    guard left > 0 else {
      throw TokenError(.expired, expected: "after \(now.rfc3339)", found: end.rfc3339)
    }
    var party = self
    party.lifetime = min(lifetime, Int(left))
    return party
  }
}
