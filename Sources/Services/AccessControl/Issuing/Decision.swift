import Claims
import Octets
import TokenBasics

/// What a token is, as far as the decision to issue it goes.
enum IssuedKind {
  case format(TokenFormat)
  case idToken
  /// An access token that a service verifies itself (RFC 9068).
  case accessToken
  /// An access token that this service alone can read.
  case opaque
  /// An access token of a resource that was exchanged since. The token of the last exchange is presented, so that the
  /// encryption of this one is not judged again.
  case earlierAccessToken
  /// An identity assertion grant for another authorization server.
  case grant

  init(_ type: ExchangedType) {
    switch type {
    case .idToken: self = .idToken
    case .accessToken: self = .accessToken
    case .grant: self = .grant
    default: self = .format(type.format ?? .jwt)
    }
  }
}

/// A token that may be issued.
struct Decision {
  /// The relying party, with the lifetime that this token may have.
  let party: RelyingParty
  /// What the rules give; empty where no subject is known yet, and for an identity assertion grant.
  let claims: [RuledClaim]
  /// The pairwise identifier that replaces the provider's name of the subject; nil where the rules decide on the name.
  let pairwiseName: String?
}

extension ServiceNamespace {
  /// Decides whether this client gets, by this entrance, this kind of token of this party about this subject now.
  ///
  /// Every entrance asks before it issues. Introspection, UserInfo and token exchange ask again, with the entrance by which
  /// a token was issued: one that would not be issued now does not count.
  ///
  /// Three kinds of things are checked elsewhere:
  /// - at the entrance, when a request shows them and not again: secrets, signatures, addresses, scopes;
  /// - in ``TokenJudge``: a token of a provider, and in ``WantedToken/actors`` the token that shows who acts, which has its own
  ///   person, provider and end;
  /// - in ``Grants``: what was revoked, used twice or signed out.
  ///
  /// - Parameters:
  ///   - client: Who gets the token.
  ///   - entrance: The protocol by which it is asked for.
  ///   - end: When the token ends at the latest; nil for the party's lifetime.
  ///   - party: Whose token it is: its audience, except for an identity assertion grant.
  ///   - subject: Whom it is about; nil at the begin of a sign-in, for a person who is not known yet.
  ///   - namesActor: Whether the client presents an actor token, so that the token says who acts for the subject. Whether the
  ///     actor still counts is asked about the actor's own grant.
  ///   - now: The clock, read once by the caller.
  /// - Throws: `issuing.protocol`, `issuing.unknown-realm`, `issuing.unknown-client`, `issuing.unknown-provider`,
  ///   `exchange.actor`, `exchange.grant`, `issuing.unencrypted`, `issuing.subject`, `time.expired`, `rules.*`.
  func decide(
    _ client: TokenClient, by entrance: PartyProtocol, _ kind: IssuedKind,
    until end: Instant? = nil,
    for party: RelyingParty, about subject: SignedInSubject?, namesActor: Bool = false,
    at now: Instant
  ) throws(TokenError) -> Decision {
    // 1. The party and the client are in the file.
    try checkPresence(client, kind, party)
    // 2. The party takes the protocol, from this client. A service identity that asks for a token about itself needs no leave, but
    // for an exchange.
    if subject?.source == .service, let identity = client.identity, entrance != .exchange {
      try checkOwnToken(of: identity, entrance, party)
    } else {
      try checkClient(client, entrance, kind, party)
    }
    if namesActor { try checkActing(client, party) }
    // 3. The provider of the person is in the file, and the party offers it; so does the client to which the person signed in.
    // Assertions of a provider are grants where the provider says so.
    if let subject {
      try checkProvider(of: subject, for: party)
      if entrance == .openID, let signedInTo = client.party {
        try checkProvider(of: subject, for: signedInTo)
      }
      if entrance == .assertionGrants { try checkGrants(of: subject) }
    }
    // 4. A party with encryptTo gets no claims in the clear.
    try checkEncryption(kind, party)
    // 5. The token ends with what it comes from. An access token ends within ten minutes, a grant within five.
    var limited = party
    limited.lifetime = min(party.lifetime, Self.longestLifetime(kind))
    if let end { limited = try limited.limited(until: end, at: now) }
    // 6. The rules of the party, never those of the client, give a claim of a person or of a service; `rules.*` otherwise. An
    // identity assertion grant has the identifier alone.
    guard let subject, !kind.isGrant else {
      return Decision(party: limited, claims: [], pairwiseName: nil)
    }
    let claims = try engine(of: party).evaluate(
      subject.claims, from: subject.source, issuer: issuer)
    // 7. A party with pairwise identifiers gets no name that others have, too.
    let name = try pairwiseName(subject, entrance, kind, party, claims)
    return Decision(party: limited, claims: claims, pairwiseName: name)
  }

  // MARK: The steps

  private func checkPresence(
    _ client: TokenClient, _ kind: IssuedKind, _ party: RelyingParty
  ) throws(TokenError) {
    // An authorization server need not be a relying party. A client that registered itself is there as long as its home is.
    if !kind.isGrant { _ = try relyingParty(party.ownRealm) }
    if let clientParty = client.party { _ = try relyingParty(clientParty.ownRealm) }
    guard let identity = client.identity,
      !identities.contains(where: { $0.name.hasSameBytes(as: identity.name) })
    else { return }
    throw TokenError(.issuingClient, found: TokenError.excerpt(identity.name))
  }

  /// A service identity's token about itself is a matter of rules, unless the party lists its protocols.
  private func checkOwnToken(
    of identity: ServiceIdentity, _ entrance: PartyProtocol, _ party: RelyingParty
  ) throws(TokenError) {
    guard party.listedProtocols?.contains(entrance) ?? true else {
      throw Self.unlisted(entrance, party, identity.name)
    }
  }

  /// By WS-Federation, SAML, `javascriptnotify` and OpenID Connect the party itself gets the token, where its `protocols` have the
  /// protocol. By every other way a client gets it that a member of the party, or of an authorization server, names; that member
  /// is as good as the protocol.
  private func checkClient(
    _ client: TokenClient, _ entrance: PartyProtocol, _ kind: IssuedKind, _ party: RelyingParty
  ) throws(TokenError) {
    let (policy, name) = (party.exchange, client.id)
    let (isAllowed, member): (Bool, String?) =
      switch entrance {
      // The party gets its own token.
      case .wsFederation, .saml, .javascriptnotify: (party.protocols.contains(entrance), nil)
      case .openID where name.hasSameBytes(as: party.realm) && !kind.isForResource:
        (party.protocols.contains(.openID), nil)
      // An access token of another party (RFC 8707). A client that registered itself has OpenID Connect alone, and gets that of the
      // party whose client it is.
      case .openID where client.party?.home?.hasSameBytes(as: party.realm) == true: (true, nil)
      // The client signs the person in, and so takes the protocol itself.
      case .openID where client.party?.protocols.contains(.openID) == false:
        throw Self.unlisted(entrance, client.party ?? party, name)
      case .openID: (policy.resourceClients.containsBytes(of: name), "resourceFor")
      case .draft13: (policy.draft13Clients.containsBytes(of: name), "draft13For")
      // A grant is for an authorization server, which lists its clients.
      case .exchange where kind.isGrant: (hasServer(for: client, knowingPeopleAs: party), "clients")
      case .exchange, .assertionGrants: (policy.clients.containsBytes(of: name), "exchangeFor")
      // WRAP and WS-Trust give no token about a person.
      case .wrap, .wsTrust: (false, nil)
      }
    guard !isAllowed else { return }
    throw member.map { Self.unnamed($0, party, name) } ?? Self.unlisted(entrance, party, name)
  }

  private func checkActing(
    _ client: TokenClient, _ party: RelyingParty
  ) throws(TokenError) {
    guard !party.exchange.actingClients.containsBytes(of: client.id) else { return }
    throw TokenError(
      .exchangeActor, node: "actor_token", expected: "a client in mayActFor",
      found: TokenError.excerpt(client.id))
  }

  /// Whether an authorization server that knows people by the names of this party lists the client.
  private func hasServer(
    for client: TokenClient, knowingPeopleAs party: RelyingParty
  ) -> Bool {
    authorizationServers.contains { server in
      (server.relyingParty ?? server.issuer).hasSameBytes(as: party.realm)
        && server.clients.contains { $0.own.hasSameBytes(as: client.id) }
    }
  }

  private func checkGrants(of subject: SignedInSubject) throws(TokenError) {
    guard let id = subject.source.name,
      providers.first(where: { $0.id.hasSameBytes(as: id) })?.grants == nil
    else { return }
    throw TokenError(.exchangeGrant, node: id, expected: "grants of the provider")
  }

  private func checkEncryption(_ kind: IssuedKind, _ party: RelyingParty) throws(TokenError) {
    guard party.requiresEncryption else { return }
    let (canEncrypt, name): (Bool, String) =
      switch kind {
      case .opaque, .earlierAccessToken, .grant: (true, "")
      case .idToken: (party.webRecipient != nil, "an ID token")
      case .accessToken: (party.webRecipient != nil, "an access token")
      case .format(.jwt): (party.webRecipient != nil, "JWT")
      case .format(.saml11), .format(.saml20): (party.recipient != nil, "SAML")
      case .format(let format): (false, format.name)
      }
    guard canEncrypt else {
      throw TokenError(
        .issuingUnencrypted, node: party.name, expected: "a token that encryptTo can encrypt",
        found: name)
    }
  }

  private static func longestLifetime(_ kind: IssuedKind) -> Int {
    switch kind {
    case .accessToken, .opaque, .earlierAccessToken: Int(AccessToken.longestLifetime)
    case .grant: grantLifetime
    case .format, .idToken: RelyingParty.longestLifetime
    }
  }

  private func pairwiseName(
    _ subject: SignedInSubject, _ entrance: PartyProtocol, _ kind: IssuedKind,
    _ party: RelyingParty, _ claims: [RuledClaim]
  ) throws(TokenError) -> String? {
    // ID tokens and access tokens name a person pairwise by themselves, as SAML responses do.
    guard case .format(let format) = kind else { return nil }
    // A program has one name, and a name that does not last is nobody's.
    guard !party.hasPublicIdentifiers, subject.source != .service, subject.name != nil else {
      return nil
    }
    switch (entrance, format) {
    // An exchanged JWT has the identifier of the access token and the ID token that the party could have instead.
    case (.exchange, .jwt): break
    // An exchanged assertion has the name of a SAML response, which the rules may make.
    case (.exchange, .saml20):
      guard Self.nameMade(by: claims.map(\.claim), for: subject) == nil else { return nil }
    // Otherwise the rules decide on the name where the file lists the protocol.
    default:
      guard party.isPairwise, party.listedProtocols?.contains(entrance) != true else { return nil }
    }
    return try identifier(of: subject, for: party)
  }

  /// The one name identifier that the rules make, and do not pass on from the provider; nil for none or several.
  static func nameMade(by claims: some Sequence<Claim>, for subject: SignedInSubject) -> String? {
    let names = claims.filter { $0.type == .nameIdentifier }
    guard names.count == 1,
      !subject.claims[.nameIdentifier].contains(where: { $0.hasSameBytes(as: names[0].value) })
    else { return nil }
    return names[0].value
  }

  private static func unlisted(
    _ entrance: PartyProtocol, _ party: RelyingParty, _ client: String
  ) -> TokenError {
    TokenError(
      .issuingProtocol, node: party.realm,
      expected: "\"\(entrance.rawValue)\" in its protocols", found: TokenError.excerpt(client))
  }

  private static func unnamed(
    _ member: String, _ party: RelyingParty, _ client: String
  ) -> TokenError {
    TokenError(
      .issuingProtocol, node: party.realm,
      expected: "\"\(member)\": [\(TokenError.excerpt(client))] at this relying party",
      found: TokenError.excerpt(client))
  }
}

extension IssuedKind {
  fileprivate var isGrant: Bool {
    if case .grant = self { return true }
    return false
  }

  /// Whether it is an access token of a resource (RFC 8707), which the client gets beside its own.
  fileprivate var isForResource: Bool {
    switch self {
    case .accessToken, .earlierAccessToken: true
    case .format, .idToken, .opaque, .grant: false
    }
  }
}
