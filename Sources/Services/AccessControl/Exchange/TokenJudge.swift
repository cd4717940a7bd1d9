import Federation
import HTTPExchange
import Octets
import SecurityKeys
import SignIn

/// What a token that a client presented says, once it is verified.
struct JudgedToken {
  /// Whom it is about, as the source of the claims has it.
  let subject: SignedInSubject
  /// When it ends.
  let expires: Instant
  /// What the access tokens of ours allow from which it came, itself among them; empty where none did.
  var access: [AllowedAccess] = []
  /// The session of the browser to which it belongs, if it is of ours; empty for none.
  var session = ""
  /// The authorization with which it ends, if it is of ours; nil for none.
  var family: String?
  /// How it was issued, if it is of ours.
  var steps: [IssuedStep] = []
  /// Who may act for the subject; nil where it does not say.
  var allowedActor: AllowedActor?
  /// The tokens that showed who acts, if it is of ours.
  var actors: [Grant] = []
  /// Its one use, where its issuer forbids a second; nil for a token that is good until its end.
  var use: SingleUse?
  /// What it stands for, if it is of ours.
  var grant: Grant?
  /// How the token itself names the subject.
  let name: ActorChain.Actor?
}

/// Judges the tokens that a client presents for others.
struct TokenJudge {
  let service: IssuingService
  let client: TokenClient
  /// The relying party whose tokens are wanted: people of its providers alone may have them.
  let party: RelyingParty

  private var namespace: ServiceNamespace { service.namespace }

  /// What a subject or an actor token says. One that its issuer made for one use is not used up by being judged.
  ///
  /// - Throws: `exchange.*`, errors of verification, `signin.*`; `registry.*` and `store.*` for faults of ours.
  func judge(_ token: ExchangeRequest.Token) async throws(TokenError) -> JudgedToken {
    if token.type == .accessToken, let found = try await opaque(token.text) { return found }
    guard let kind = token.type.presented else {
      throw TokenError(.exchangeTokenType, node: token.parameter, found: token.type.uri)
    }
    let presented = try PresentedToken(
      parsing: token.type.octets(of: token.text), as: kind, audiences: audiences,
      recipients: recipients)
    let issuer = presented.token.unverifiedFacts.issuer
    if issuer.hasSameBytes(as: namespace.issuer) { return try await own(presented, token.type) }
    guard token.type != .accessToken else {
      throw TokenError(
        .exchangeToken, node: token.parameter, expected: "an access token of this service",
        found: TokenError.excerpt(issuer))
    }
    return try await foreign(presented, of: issuer).token
  }

  /// The audiences of tokens that may be presented here: this service's, and the client's.
  private var audiences: [String] {
    [namespace.issuer, service.address(OpenIDEndpoint.tokenPath)] + client.audiences
  }

  /// The addresses to which they may have been delivered.
  private var recipients: [String] {
    [service.address(OpenIDEndpoint.tokenPath)] + client.recipients
  }

  // MARK: Tokens of providers

  /// What a token of a provider says, and the provider.
  func foreign(
    _ presented: PresentedToken, of issuer: String
  ) async throws(TokenError) -> (
    token: JudgedToken, provider: ACSIdentityProvider, found: PresentedSubject
  ) {
    let (provider, upstream) = try self.provider(of: issuer, presented.kind)
    let found = try await upstream.verify(presented, at: service.clock.now)
    guard let expires = found.facts.expires else { throw TokenError(.noExpiry) }
    var subject = try provider.subject(of: found.principal)
    // One verified subject: a name that does not last names no one when the next token comes.
    guard subject.name != nil else {
      throw TokenError(
        .issuingSubject, node: provider.id, expected: "one name that lasts", found: "none")
    }
    if found.payload?["cnf"] != nil { throw TokenError(.exchangeBound, node: "cnf") }
    // A logout token has the issuer, the key and the audience of an ID token, and need not name its type (RFC 8725, 3.11).
    if found.payload?["events"] != nil {
      throw TokenError(
        .tokenPurpose, node: "events", expected: "a token about a person",
        found: "a member of logout tokens")
    }
    if let act = found.payload?["act"] {
      subject.actor = try ActorChain(act, issuer: found.facts.issuer)
    }
    var judged = JudgedToken(
      subject: subject, expires: expires,
      name: ActorChain.Actor(found.principal.subject, of: found.facts.issuer))
    if found.facts.isForOneUse { judged.use = try oneUse(of: found, provider) }
    judged.allowedActor = try found.payload?["may_act"].map { (json) throws(TokenError) in
      try AllowedActor(json, of: found.facts.issuer)
    }
    return (judged, provider, found)
  }

  /// The one use of a provider's token, by whichever entrance.
  ///
  /// - Throws: `time.no-expiry`; `exchange.grant` for an end that is more than a day away: it would have to be remembered as long.
  func oneUse(
    of found: PresentedSubject, _ provider: ACSIdentityProvider
  ) throws(TokenError) -> SingleUse {
    guard let end = found.facts.expires else { throw TokenError(.noExpiry) }
    guard end <= service.clock.now.advanced(bySeconds: AssertedIdentity.longestLifetime) else {
      throw TokenError(
        .exchangeGrant, node: "expiry", expected: "an end within a day", found: end.rfc3339)
    }
    let key = TokenKey(found.facts, signed: found.signed)
    return SingleUse(
      .grant, PrefixedTexts.text(provider.id) + KeptName.token(key).text,
      .issued(found.facts.issued ?? found.facts.notBefore), until: end,
      repetition: TokenError(.replayUsed, node: "assertion", found: "one that was used"))
  }

  /// The one provider of the relying party that issues such tokens under that name.
  private func provider(
    of issuer: String, _ kind: PresentedToken.Kind
  ) throws(TokenError) -> (ACSIdentityProvider, SignInProvider) {
    let fitting = namespace.providers(of: party).compactMap { offered in
      service.upstream(of: offered).map { (offered, $0) }
    }.filter { $0.1.issuer.hasSameBytes(as: issuer) && $0.1.mayIssue(kind) }
    guard let found = fitting.first, fitting.count == 1 else {
      throw TokenError(
        .exchangeProvider, node: party.name,
        expected: fitting.isEmpty ? "a provider of this relying party" : "one provider",
        found: fitting.isEmpty ? TokenError.excerpt(issuer) : "\(fitting.count)")
    }
    return found
  }

  // MARK: Tokens of this service

  /// What an opaque access token says; nil for a text that is none of ours.
  private func opaque(_ text: String) async throws(TokenError) -> JudgedToken? {
    guard AccessToken.isOpaque(text) else { return nil }
    return try await judged(try await service.grants.token(.opaque(text)), as: .accessToken)
  }

  private func own(
    _ presented: PresentedToken, _ type: ExchangedType
  ) async throws(TokenError) -> JudgedToken {
    let trust = namespace.trust(inOwnTokensFor: client)
    let verified = try TokenValidator(trust).validate(
      presented.token, at: service.clock.now, expecting: presented.expectations)
    let key = TokenKey(verified.facts, signed: verified.token._signedOctets)
    return try await judged(try await service.grants.token(key), as: type)
  }

  /// What is known of a token of ours. Who has its key may have written the rest of it, so nothing else counts.
  private func judged(
    _ grant: Grant?, as type: ExchangedType
  ) async throws(TokenError) -> JudgedToken {
    guard let grant, client.audiences.containsBytes(of: grant.realm),
      service.clock.now < grant.expires,
      type == .jwt || type == grant.use || type.format != nil && type.format == grant.use?.format,
      try await service.isIssuedNow(grant)
    else { throw TokenError(.exchangeToken) }
    do throws(TokenError) {
      try namespace.checkProvider(of: grant.subject, for: party)
    } catch {
      throw TokenError(
        .exchangeProvider, node: party.name, expected: "a provider of this relying party",
        found: error.found)
    }
    let name = try? namespace.identifier(
      of: grant.subject, for: namespace.relyingParty(grant.realm))
    var judged = JudgedToken(
      subject: grant.subject, expires: grant.expires,
      name: name.map { ActorChain.Actor($0, of: namespace.issuer) })
    // What comes of an authorization with offline_access survives the sign-out, as the authorization does.
    judged.session = grant.isOffline ? "" : grant.session
    judged.family = grant.family
    judged.steps = grant.steps
    judged.access = grant.access
    judged.actors = grant.actors
    judged.grant = grant
    return judged
  }

  // MARK: Actors

  /// The subject of a token without an actor token beside it. Where the token says who may act (`may_act`, RFC 8693, 4.4), the
  /// client has to be that actor, and acts.
  ///
  /// - Throws: `exchange.actor`.
  func actedFor(_ token: JudgedToken) throws(TokenError) -> SignedInSubject {
    guard let allowed = token.allowedActor else { return token.subject }
    let own = ActorChain.Actor(client.id, of: namespace.issuer)
    guard allowed.allows(client: own) else {
      throw TokenError(.exchangeActor, node: "may_act", expected: "the actor that it names")
    }
    var subject = token.subject
    subject.actor = try ActorChain(own, before: subject.actor)
    return subject
  }
}

extension IssuingService {
  /// The real provider behind one that is offered; nil for test people.
  func upstream(of offered: ACSIdentityProvider) -> SignInProvider? {
    guard case .upstream(let name) = offered.kind else { return nil }
    return upstream?.providers.first { $0.id.hasSameBytes(as: name) }
  }
}
