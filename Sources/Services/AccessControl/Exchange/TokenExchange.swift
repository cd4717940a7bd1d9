import Federation
import HTTPExchange
import Octets
import SignIn
import TokenBasics

/// Gives a token for another one (RFC 8693): the rules of the relying party decide on the claims of the first as they do at a
/// sign-in, with its provider as their issuer.
struct TokenExchange {
  let service: IssuingService
  let client: TokenClient

  private var namespace: ServiceNamespace { service.namespace }

  /// - Throws: the refusal of RFC 8693, 2.2.2.
  func answer(_ form: FormReader) async throws(OAuthFault) -> HTTPResponse {
    guard client.isConfidential, namespace.exchanges(client.id) else {
      throw OAuthFault(
        .unauthorizedClient, TokenError(.exchangeClient, found: TokenError.excerpt(client.id)))
    }
    let request = try ExchangeRequest(form)
    if request.requested == .grant { return try await grant(request) }
    let party = try OAuthFault.now(.invalidTarget) { () throws(TokenError) in
      try namespace.target(request.target, of: client)
    }
    let judge = TokenJudge(service: service, client: client, party: party)
    let token = try await judged(request.subject, by: judge)
    let scopes = try OAuthFault.now(.invalidScope) { () throws(TokenError) -> [String] in
      try granted(request.scopes, of: token, for: party)
    }
    var wanted = try await acting(request, token, judge)
    wanted.realm = party.realm
    wanted.scopes = scopes
    wanted.session = token.session
    wanted.access = token.access
    wanted.family = token.family
    wanted.actors = token.actors + wanted.actors
    var step = IssuedStep(entrance: .exchange, client: client.id, realm: party.realm)
    step.namesActor = request.actor != nil
    wanted.steps = token.steps + [step]
    let type = request.requested ?? ExchangedType(party.format)
    let issued = try await OAuthFault.named(.invalidRequest) {
      () async throws(TokenError) -> MintedToken in
      let issued = try service.issue(wanted, type, to: party, client, by: .exchange)
      // Before the token leaves: after a crash in between there is none.
      for use in wanted.uses { try await service.grants.redeem(use) }
      try await service.grants.remember(wanted, of: issued, as: type, namespace)
      return issued
    }
    service.note(party.realm, wanted.subject.source.name ?? client.id, "exchange, " + type.name)
    return service.answer(issued, type, scopes: scopes)
  }

  private func judged(
    _ token: ExchangeRequest.Token, by judge: TokenJudge
  ) async throws(OAuthFault) -> JudgedToken {
    let place = token.type.presented.map { ACSRefusal.Place.assertion($0.format) } ?? .request
    return try await OAuthFault.named(.invalidRequest, at: place) { () async throws(TokenError) in
      try await judge.judge(token)
    }
  }

  /// What was asked for, as far as the relying party grants it; for a token that came from one of its own access tokens, no
  /// more than that allowed.
  private func granted(
    _ asked: [String], of token: JudgedToken, for party: RelyingParty
  ) throws(TokenError) -> [String] {
    try OAuthScope.check(asked, areIn: party.exchange.scopes)
    guard let access = token.access.first(where: { $0.realm.hasSameBytes(as: party.realm) })
    else { return asked }
    try OAuthScope.check(asked, areIn: access.scopes)
    // Of what it allowed as much as there is now.
    return asked.isEmpty ? access.scopes.filter(party.exchange.scopes.containsBytes) : asked
  }

  // MARK: Actors

  /// The subject with whom it is that acts for it, and until when.
  private func acting(
    _ request: ExchangeRequest, _ token: JudgedToken, _ judge: TokenJudge
  ) async throws(OAuthFault) -> WantedToken {
    var wanted = WantedToken(token.subject, until: token.expires)
    wanted.uses = [token.use].compactMap(\.self)
    guard let presented = request.actor else {
      wanted.subject = try OAuthFault.now(.invalidRequest) { () throws(TokenError) in
        try judge.actedFor(token)
      }
      return wanted
    }
    let actor = try await judged(presented, by: judge)
    wanted.end = min(wanted.end, actor.expires)
    wanted.uses += [actor.use].compactMap(\.self)
    // The token ends with that of the actor, and with the provider of the actor at this relying party.
    wanted.actors =
      [Grant(actor: actor.subject, at: judge.party.realm, until: actor.expires)]
      + [actor.grant].compactMap(\.self)
    wanted.subject.actor = try OAuthFault.now(.invalidRequest) {
      () throws(TokenError) -> ActorChain in
      guard actor.subject.actor == nil else {
        throw TokenError(
          .exchangeActor, node: "actor_token", expected: "the actor's own token",
          found: "one in which another one acts")
      }
      let name = ActorChain.Actor(
        try namespace.shownName(of: actor.subject, for: judge.party), of: namespace.issuer)
      let names = [actor.name, name].compactMap(\.self)
      guard token.allowedActor?.allows(names, client: client.id) ?? true else {
        throw TokenError(.exchangeActor, node: "may_act", expected: "the actor that it names")
      }
      return try ActorChain(name, before: token.subject.actor)
    }
    return wanted
  }

  // MARK: Grants for other authorization servers

  /// An identity assertion grant (Identity Assertion JWT Authorization Grant, 4).
  private func grant(_ request: ExchangeRequest) async throws(OAuthFault) -> HTTPResponse {
    let (server, theirs) = try OAuthFault.now(.invalidTarget) { () throws(TokenError) in
      try namespace.authorizationServer(request.target, of: client)
    }
    try OAuthFault.now(.invalidScope) { () throws(TokenError) in
      try OAuthScope.check(request.scopes, areIn: server.scopes)
    }
    let party = namespace.party(of: server)
    let judge = TokenJudge(service: service, client: client, party: party)
    let token = try await judged(request.subject, by: judge)
    // An access token may come as a JSON Web Token, too, or may have been exchanged for what is presented.
    guard request.actor == nil, request.subject.type != .accessToken, token.access.isEmpty,
      token.subject.source != .service
    else {
      throw OAuthFault(
        .invalidRequest,
        TokenError(
          .exchangeTokenType, node: "subject_token",
          expected: "an ID token or an assertion about a person, and no actor token"))
    }
    let wanted = try await acting(request, token, judge)
    let now = service.clock.now
    let issued = try await OAuthFault.named(.invalidRequest) {
      () async throws(TokenError) -> MintedToken in
      let party = try namespace.decide(
        client, by: .exchange, .grant, until: wanted.end, for: party, about: wanted.subject, at: now
      ).party
      let issued = try namespace.grant(
        wanted, for: server, party, client: theirs, scopes: request.scopes,
        resource: request.target.resource, at: now)
      for use in wanted.uses { try await service.grants.redeem(use) }
      return issued
    }
    service.note(server.issuer, token.subject.source.name ?? "", "identity assertion grant")
    return service.answer(issued, .grant, scopes: request.scopes)
  }
}

/// A token that is wanted for a subject.
struct WantedToken {
  /// Whom it is about, and who acts.
  var subject: SignedInSubject
  /// When it ends at the latest.
  var end: Instant
  /// The relying party.
  var realm = ""
  /// What an access token allows.
  var scopes: [String] = []
  /// What the access tokens allowed from which it comes.
  var access: [AllowedAccess] = []
  /// The session with which it ends; empty for none.
  var session = ""
  /// The authorization with which it ends; nil for none.
  var family: String?
  /// How it is issued, and before it each token of ours that is exchanged for it.
  var steps: [IssuedStep] = []
  /// The tokens that show who acts.
  var actors: [Grant] = []
  /// Tokens of providers that are used up by it.
  var uses: [SingleUse] = []

  init(_ subject: SignedInSubject, until end: Instant) {
    self.subject = subject
    self.end = end
  }
}

extension IssuingService {
  /// Issues a token of that type to a relying party.
  ///
  /// - Throws: `rules.*`, `issuing.*`, `policy.mint-*`; `time.expired` for a subject token that ended.
  func issue(
    _ wanted: WantedToken, _ type: ExchangedType, to party: RelyingParty, _ client: TokenClient,
    by entrance: PartyProtocol
  ) throws(TokenError) -> MintedToken {
    let now = clock.now
    let namespace = namespace
    let decision = try namespace.decide(
      client, by: entrance, IssuedKind(type), until: wanted.end, for: party, about: wanted.subject,
      namesActor: wanted.steps.last?.namesActor ?? false, at: now)
    let party = decision.party
    if let format = type.format {
      let token = try namespace.issue(decision, wanted.subject, as: format, at: now)
      noteLeftOut(of: token)
      return MintedToken(token.octets, token.key, until: token.expires, at: now)
    }
    let id = TokenDraft.unpredictableID()
    let octets =
      type == .idToken
      ? try namespace.idToken(wanted.subject, to: party, nonce: nil, id: id, at: now)
      : try namespace.accessToken(
        wanted.subject, to: party, client: client.id, scopes: wanted.scopes, id: id, at: now)
    return MintedToken(
      octets, .id(id),
      until: Instant(secondsSinceEpoch: now.seconds).advanced(bySeconds: Int64(party.lifetime)),
      at: now)
  }

  /// The answer of a token endpoint to an exchange (RFC 8693, 2.2.1).
  func answer(
    _ token: MintedToken, _ type: ExchangedType, scopes: [String]
  ) -> HTTPResponse {
    var json = JSONWriter()
    json.object { json in
      json.member("access_token", type.text(of: token.octets))
      json.member("issued_token_type", type.uri)
      // No resource takes other tokens in an Authorization field.
      json.member("token_type", type == .accessToken ? "Bearer" : "N_A")
      json.name("expires_in")
      json.integer(token.lifetime)
      json.member("scope", scopes.isEmpty ? nil : scopes.joined(separator: " "))
    }
    return tokenAnswer(json.bytes)
  }
}

/// A token as it is handed to a client.
struct MintedToken {
  let octets: [UInt8]
  /// What tells it from others.
  let key: TokenKey
  let expires: Instant
  /// In seconds, from the moment of issue.
  let lifetime: Int

  init(_ octets: [UInt8], _ key: TokenKey, until expires: Instant, at now: Instant) {
    self.octets = octets
    self.key = key
    self.expires = expires
    lifetime = Int(max(1, expires.seconds - now.seconds))
  }
}

extension ExchangedType {
  /// Its name in the log.
  var name: String {
    switch self {
    case .idToken: "ID token"
    case .accessToken: "access token"
    case .grant: "identity assertion grant"
    default: format?.name ?? uri
    }
  }
}
