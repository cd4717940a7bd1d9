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
      let refresh = try await service.grants.firstRefreshToken(of: redeemed)
      if let party = client.party { try await service.noteUse(of: party) }
      return try await answer(redeemed, scopes: redeemed.grant.scopes, refresh: refresh)
    }
  }

  /// Tokens for a refresh token, which is good for once (RFC 6749, 6; RFC 9700, 4.14.2). Its scope only narrows.
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
      let redeemed = try await service.grants.redeem(
        .refreshToken(token, of: .openIDFamily), by: redeemer)
      return try await answer(
        redeemed, scopes: asked.isEmpty ? redeemed.grant.scopes : asked,
        refresh: service.grants.refreshToken(of: redeemed))
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

  private func answer(
    _ redeemed: Grants.Redeemed, scopes: [String], refresh: Secret
  ) async throws(TokenError) -> HTTPResponse {
    let grant = redeemed.grant
    let party = try await service.party(grant.realm)
    // A code whose address was taken away since is good for nothing.
    if !grant.redirect.isEmpty { _ = try party.returnAddress(asked: grant.redirect) }
    let idToken = scopes.contains("openid") ? try await idToken(redeemed, scopes, party) : nil
    let access = try await accessToken(redeemed, scopes, party)
    service.note(
      party.realm, grant.subject.source.name ?? "", idToken == nil ? "access token" : "ID token")
    return service.answer(
      accessToken: access, scopes: scopes, idToken: idToken, refreshToken: refresh)
  }

  /// One that the service behind the resource reads, or one that this service alone can read (RFC 9068).
  private func accessToken(
    _ redeemed: Grants.Redeemed, _ scopes: [String], _ party: RelyingParty
  ) async throws(TokenError) -> MintedToken {
    let (grant, now) = (redeemed.grant, service.clock.now)
    let client = TokenClient(party, isConfidential: true)
    if let resource = grant.resource {
      let target = try target(resource, for: party)
      var wanted = WantedToken(
        grant.subject, until: now.advanced(bySeconds: AccessToken.longestLifetime))
      wanted.realm = target.realm
      wanted.scopes = scopes.filter(target.exchange.scopes.containsBytes)
      wanted.session = grant.isOffline ? "" : grant.session
      wanted.family = redeemed.family
      wanted.steps = [IssuedStep(entrance: .openID, client: party.realm, realm: target.realm)]
      let token = try service.issue(wanted, .accessToken, to: target, client, by: .openID)
      try await service.grants.remember(wanted, of: token, as: .accessToken, service.namespace)
      return token
    }
    let decision = try service.namespace.decide(
      client, by: .openID, .opaque, for: party, about: grant.subject, at: now)
    let end = now.advanced(bySeconds: Int64(decision.party.lifetime))
    let text = Base64.encode(service.random.octets(32), .url)
    let kept = Grant(accessTokenOf: grant, redeemed.family, scopes: scopes, until: end)
    try await service.grants.keep(kept, under: .token(.opaque(text)), until: kept.expires)
    return MintedToken(Array(text.utf8), .opaque(text), until: kept.expires, at: now)
  }

  private func idToken(
    _ redeemed: Grants.Redeemed, _ scopes: [String], _ party: RelyingParty
  ) async throws(TokenError) -> String {
    let (grant, id, now) = (redeemed.grant, TokenDraft.unpredictableID(), service.clock.now)
    _ = try service.namespace.decide(
      TokenClient(party, isConfidential: true), by: .openID, .idToken, for: party,
      about: grant.subject, at: now)
    let token = try service.namespace.idToken(
      grant.subject, to: party, nonce: grant.nonce, scopes: scopes,
      sessionID: service.sessionID(grant.session, for: party), id: id, at: now)
    try await service.remember(
      grant.subject, of: .id(id), as: .idToken, to: party, by: .openID, client: party.realm,
      in: grant.isOffline ? "" : grant.session, family: redeemed.family, at: now)
    return String(decoding: token, as: UTF8.self)
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
