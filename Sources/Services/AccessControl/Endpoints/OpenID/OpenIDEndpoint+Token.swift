import HTTPExchange
import Octets
import SignIn
import TokenBasics

extension OpenIDEndpoint {
  /// Tokens for a code (OpenID Connect Core 1.0, 3.1.3).
  func redeem(
    _ form: FormReader, _ client: TokenClient
  ) async throws(OAuthFault) -> HTTPResponse {
    let code = try OAuthFault.now(.invalidRequest) { () throws(TokenError) -> String in
      try form.require("code")
    }
    let redeemer = try redeemer(form, client)
    let redeemed = try await OAuthFault.named(.invalidGrant) {
      () async throws(TokenError) -> Grants.Redeemed in
      try await service.grants.redeem(.code(code, of: .openID), by: redeemer)
    }
    try checkResource(form, redeemed.grant)
    return try await OAuthFault.named(.invalidGrant) {
      () async throws(TokenError) -> HTTPResponse in
      try await service.checkIssuedNow(redeemed.grant)
      let made = try await tokens(redeemed.grant, redeemed.family, redeemed.grant.scopes)
      let refresh = try await service.grants.firstRefreshToken(of: redeemed)
      if let party = client.party { try await service.noteUse(of: party) }
      return try await answer(made, refresh: refresh)
    }
  }

  /// Tokens for a refresh token, which is good for once (RFC 6749, 6; RFC 9700, 4.14.2). Its scope only narrows. The tokens are
  /// made before the refresh token is used up: a refusal uses up nothing.
  func refresh(
    _ form: FormReader, _ client: TokenClient
  ) async throws(OAuthFault) -> HTTPResponse {
    let token = try OAuthFault.now(.invalidRequest) { () throws(TokenError) -> String in
      try form.require("refresh_token")
    }
    var own = try redeemer(form, client)
    // The token is bound to the client by the seal, and a public client proves no more.
    (own.redirect, own.verifier, own.hasSecret) = ("", nil, true)
    let redeemer = own
    let asked = try OAuthFault.now(.invalidScope) { () throws(TokenError) -> [String] in
      try OAuthScope.read(form["scope"])
    }
    let known = try await OAuthFault.named(.invalidGrant) {
      () async throws(TokenError) -> Grant? in
      try await service.authorizationNow(ofRefreshToken: token, for: redeemer)
    }
    // Before the token is used up.
    if let known {
      try OAuthFault.now(.invalidScope) { () throws(TokenError) in
        try OAuthScope.check(asked, areIn: known.scopes)
      }
      try checkResource(form, known)
    }
    return try await OAuthFault.named(.invalidGrant) {
      () async throws(TokenError) -> HTTPResponse in
      var made: MadeTokens?
      if let known, let family = service.grants.family(ofRefreshToken: token) {
        made = try await tokens(known, family, asked.isEmpty ? known.scopes : asked)
      }
      let redeemed = try await service.grants.redeem(
        .refreshToken(token, of: .openIDFamily), by: redeemer)
      guard let made else { throw TokenError(.issuingGrant) }
      return try await answer(
        made, refresh: try await service.grants.refreshToken(of: redeemed))
    }
  }

  private func redeemer(
    _ form: FormReader, _ client: TokenClient
  ) throws(OAuthFault) -> Redeemer {
    guard let party = client.party else {
      throw OAuthFault(
        .unauthorizedClient, TokenError(.issuingClient, expected: "a relying party"))
    }
    return Redeemer(
      client: party.realm, realm: party.realm, redirect: form["redirect_uri"] ?? "",
      verifier: form["code_verifier"], hasSecret: client.isConfidential)
  }

  /// The resource of the authorization is the one of each token (RFC 8707, 2.2).
  private func checkResource(_ form: FormReader, _ grant: Grant) throws(OAuthFault) {
    guard let asked = form["resource"], !asked.hasSameBytes(as: grant.resource ?? "") else {
      return
    }
    throw OAuthFault(
      .invalidTarget,
      TokenError(
        .exchangeTarget, node: "resource", expected: grant.resource ?? "none",
        found: TokenError.excerpt(asked)))
  }

  // MARK: Answers

  /// Tokens of one answer, before what is kept of them is in the store.
  private struct MadeTokens {
    /// The log's name of the provider.
    let provider: String
    let party: RelyingParty
    let access: MadeToken
    let idToken: MadeToken?
    /// What the access token allows.
    let scopes: [String]
  }

  /// A token, and what is kept of it; nil where no client may exchange it.
  private struct MadeToken {
    let token: MintedToken
    let record: Grant?
  }

  /// Makes the tokens of an authorization, which the decision would issue now.
  private func tokens(
    _ grant: Grant, _ family: String, _ scopes: [String]
  ) async throws(TokenError) -> MadeTokens {
    let party = try await service.party(grant.realm)
    // A code whose address was taken away since is good for nothing.
    if !grant.redirect.isEmpty { _ = try party.redirectURI(asked: grant.redirect) }
    let idToken =
      scopes.contains("openid") ? try await idToken(grant, family, scopes, party) : nil
    let access = try accessToken(grant, family, scopes, party)
    // RFC 6749, 5.1: what the tokens allow now, without scopes that the resource has no more.
    var allowed = scopes
    if let resource = grant.resource {
      let target = try target(resource, for: party)
      let known = ScopedClaims.scopes + target.exchange.scopes
      allowed = scopes.filter(known.containsBytes)
    }
    return MadeTokens(
      provider: grant.subject.source.name ?? "", party: party, access: access, idToken: idToken,
      scopes: allowed)
  }

  private func answer(
    _ made: MadeTokens, refresh: Secret
  ) async throws(TokenError) -> HTTPResponse {
    for made in [made.idToken, made.access].compactMap(\.self) {
      guard let record = made.record else { continue }
      try await service.grants.keep(
        record, under: .token(made.token.key), until: record.expires)
    }
    service.note(
      made.party.realm, made.provider, made.idToken == nil ? "access token" : "ID token")
    return service.answer(
      accessToken: made.access.token, scopes: made.scopes,
      idToken: made.idToken.map { String(decoding: $0.token.octets, as: UTF8.self) },
      refreshToken: refresh)
  }

  /// One that the service behind the resource reads, or one that this service alone can read (RFC 9068).
  private func accessToken(
    _ grant: Grant, _ family: String, _ scopes: [String], _ party: RelyingParty
  ) throws(TokenError) -> MadeToken {
    let now = service.clock.now
    let client = TokenClient(party, isConfidential: true)
    if let resource = grant.resource {
      let target = try target(resource, for: party)
      var wanted = WantedToken(
        grant.subject, until: now.advanced(bySeconds: AccessToken.longestLifetime))
      wanted.realm = target.realm
      wanted.scopes = scopes.filter(target.exchange.scopes.containsBytes)
      wanted.session = grant.isOffline ? "" : grant.session
      wanted.family = family
      // The client signed the person in: what ends its own token ends this one.
      wanted.steps = grant.steps
      let token = try service.issue(wanted, .accessToken, to: target, client, by: .openID)
      return MadeToken(
        token: token, record: Grant(tokenOf: wanted, as: .accessToken, until: token.expires))
    }
    let decision = try service.namespace.decide(
      client, by: .openID, .opaque, for: party, about: grant.subject, at: now)
    let end = now.advanced(bySeconds: Int64(decision.party.lifetime))
    let text = Base64.encode(service.random.octets(32), .url)
    let kept = Grant(accessTokenOf: grant, family, scopes: scopes, until: end)
    return MadeToken(
      token: MintedToken(Array(text.utf8), .opaque(text), until: kept.expires, at: now),
      record: kept)
  }

  private func idToken(
    _ grant: Grant, _ family: String, _ scopes: [String], _ party: RelyingParty
  ) async throws(TokenError) -> MadeToken {
    let (id, now) = (TokenDraft.unpredictableID(), service.clock.now)
    _ = try service.namespace.decide(
      TokenClient(party, isConfidential: true), by: .openID, .idToken, for: party,
      about: grant.subject, at: now)
    // An authorization that outlives the session names it no more.
    let isOver = grant.isOffline ? try await service.grants.isOver(grant.session) : false
    let token = try service.namespace.idToken(
      grant.subject, to: party, nonce: grant.nonce, scopes: scopes,
      sessionID: isOver ? nil : service.sessionID(grant.session, for: party.realm), id: id, at: now)
    var wanted = WantedToken(
      grant.subject,
      until: Instant(secondsSinceEpoch: now.seconds).advanced(bySeconds: Int64(party.lifetime)))
    wanted.realm = party.realm
    wanted.session = grant.isOffline ? "" : grant.session
    wanted.family = family
    wanted.steps = [IssuedStep(entrance: .openID, client: party.realm, realm: party.realm)]
    let minted = MintedToken(token, .id(id), until: wanted.end, at: now)
    return MadeToken(
      token: minted,
      record: service.grants.record(wanted, of: minted, as: .idToken, service.namespace))
  }
}

extension IssuingService {
  /// The authorization of a client's refresh token, which would give tokens now; nil for the token of another client, which
  /// learns nothing of it, and for a text that is none of ours. It is asked for before the token is used up: what is put back
  /// into the file works again.
  ///
  /// - Throws: why it would give none, and what the stores throw.
  func authorizationNow(
    ofRefreshToken token: String, for redeemer: Redeemer
  ) async throws(TokenError) -> Grant? {
    guard let known = try await grants.authorization(ofRefreshToken: token), known.isFor(redeemer)
    else { return nil }
    try await checkIssuedNow(known)
    return known
  }
}

extension Grants {
  /// The authorization of a refresh token, whether or not it may still be used; nil for a text that is none of ours.
  func authorization(ofRefreshToken token: String) async throws(TokenError) -> Grant? {
    guard let family = family(ofRefreshToken: token) else { return nil }
    return try await kept(under: .family(family))
  }
}
