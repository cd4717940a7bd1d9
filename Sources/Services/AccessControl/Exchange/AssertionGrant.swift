import Federation
import HTTPExchange
import Octets
import SignIn
import TokenBasics

/// Gives an access token for an assertion about a person (RFC 7522, RFC 7523), or for an identity assertion grant of another
/// authorization server.
struct AssertionGrant {
  let service: IssuingService
  let client: TokenClient

  private var namespace: ServiceNamespace { service.namespace }

  /// What a redeemed assertion allows.
  private struct Redeemed {
    /// Whom it is about, and who acts.
    let subject: SignedInSubject
    let party: RelyingParty
    let scopes: [String]
    /// Nil for one that may be used again.
    let use: SingleUse?
  }

  /// - Parameter octets: The assertion, not verified.
  /// - Throws: the refusal of RFC 7521, 4.1.1.
  func answer(
    _ octets: [UInt8], as kind: PresentedToken.Kind, _ form: FormReader
  ) async throws(OAuthFault) -> HTTPResponse {
    guard client.isConfidential, namespace.exchanges(client.id) else {
      throw OAuthFault(
        .unauthorizedClient, TokenError(.exchangeClient, found: TokenError.excerpt(client.id)))
    }
    let redeemed = try await redeemed(octets, kind, form)
    var wanted = WantedToken(
      redeemed.subject,
      until: service.clock.now.advanced(bySeconds: AccessToken.longestLifetime))
    wanted.realm = redeemed.party.realm
    wanted.scopes = redeemed.scopes
    wanted.steps = [
      IssuedStep(entrance: .assertionGrants, client: client.id, realm: redeemed.party.realm)
    ]
    let issued = try await OAuthFault.named(.invalidGrant) {
      () async throws(TokenError) -> MintedToken in
      let issued = try service.issue(
        wanted, .accessToken, to: redeemed.party, client, by: .assertionGrants)
      // Before the token leaves: after a crash in between there is none.
      if let use = redeemed.use { try await service.grants.redeem(use) }
      try await service.grants.remember(wanted, of: issued, as: .accessToken, namespace)
      return issued
    }
    service.note(redeemed.party.realm, wanted.subject.source.name ?? "", "assertion grant")
    return service.answer(accessToken: issued, scopes: redeemed.scopes)
  }

  private func redeemed(
    _ octets: [UInt8], _ kind: PresentedToken.Kind, _ form: FormReader
  ) async throws(OAuthFault) -> Redeemed {
    let endpoint = service.address(OpenIDEndpoint.tokenPath)
    let place = ACSRefusal.Place.assertion(kind.format)
    let presented = try OAuthFault.now(.invalidGrant, at: place) {
      () throws(TokenError) -> PresentedToken in
      // RFC 8725, 3.11: an access token that names its type (RFC 9068) is no grant, whoever its audience is.
      if kind == .jwt { _ = try JSONWebToken(parsing: octets, for: .idToken) }
      var presented = try PresentedToken(
        parsing: octets, as: kind, audiences: [namespace.issuer, endpoint], recipients: [endpoint])
      // RFC 7522, 3: a recipient is there, and is this endpoint.
      presented.demandsRecipient = kind == .saml20
      return presented
    }
    let claimed = presented.token.unverifiedClaims
    let party = try party(form, claimed.filter { $0.type == "resource" }.map(\.value))
    let judge = TokenJudge(service: service, client: client, party: party)
    let (token, provider, found) = try await OAuthFault.named(.invalidGrant, at: place) {
      () async throws(TokenError) in
      try await judge.foreign(presented, of: presented.token.unverifiedFacts.issuer)
    }
    let subject = try OAuthFault.now(.invalidGrant) { () throws(TokenError) in
      try judge.actedFor(token)
    }
    let use = try OAuthFault.now(.invalidGrant, at: place) {
      () throws(TokenError) -> SingleUse? in
      try check(found, kind, provider, endpoint)
      // The provider may let its identity assertion grants be used until their end.
      let isReused = kind == .identityAssertionGrant && provider.grants == .reuse
      return isReused ? nil : try judge.oneUse(of: found, provider)
    }
    let granted = found.payload?["scope"]?.string
    let scopes = try OAuthFault.now(.invalidScope) { () throws(TokenError) -> [String] in
      let asked = try OAuthScope.read(form["scope"])
      try OAuthScope.check(asked, areIn: party.exchange.scopes)
      guard kind == .identityAssertionGrant else { return asked }
      let granted = try OAuthScope.read(granted)
      try OAuthScope.check(asked, areIn: granted)
      // Of what was granted as much as there is here.
      return asked.isEmpty ? granted.filter(party.exchange.scopes.containsBytes) : asked
    }
    return Redeemed(subject: subject, party: party, scopes: scopes, use: use)
  }

  /// The relying party: the one that is asked for, or that the grant is for, or the client itself.
  private func party(
    _ form: FormReader, _ granted: [String]
  ) throws(OAuthFault) -> RelyingParty {
    let asked = try ExchangeTarget(optional: form)
    return try OAuthFault.now(.invalidTarget) { () throws(TokenError) -> RelyingParty in
      let names = [asked.audience, asked.resource].compactMap(\.self)
      guard granted.isEmpty || names.allSatisfy(granted.containsBytes) else {
        throw TokenError(
          .exchangeTarget, node: "resource", expected: "a resource of the grant",
          found: names.first.map { TokenError.excerpt($0) })
      }
      guard names.isEmpty else { return try namespace.target(asked, of: client) }
      return try namespace.target(
        ExchangeTarget(audience: granted.first ?? client.id), of: client)
    }
  }

  /// Whether a verified assertion is for this service and this client; whether it is a grant is decided with the token.
  ///
  /// - Throws: `exchange.grant`, `audience.mismatch`, `time.no-expiry`.
  private func check(
    _ found: PresentedSubject, _ kind: PresentedToken.Kind, _ provider: ACSIdentityProvider,
    _ endpoint: String
  ) throws(TokenError) {
    let audiences = found.facts.audiences
    // What is for the sign-in of this service, or for the client, is no grant (RFC 7523, 3).
    let own = [namespace.issuer, endpoint] + (kind == .saml20 ? samlNames(of: provider) : [])
    let isOurs =
      kind == .identityAssertionGrant
      ? audiences.count == 1 && audiences[0].hasSameBytes(as: namespace.issuer)
      : audiences.contains(where: own.containsBytes)
    guard isOurs else {
      throw TokenError(
        .audienceMismatch, node: "aud", expected: namespace.issuer,
        found: audiences.map { TokenError.excerpt($0) }.joined(separator: ", "))
    }
    guard kind == .identityAssertionGrant else { return }
    guard let client = found.payload?["client_id"]?.string,
      client.hasSameBytes(as: self.client.id)
    else {
      throw TokenError(
        .exchangeGrant, node: "client_id", expected: self.client.id,
        found: found.payload?["client_id"]?.string.map { TokenError.excerpt($0) } ?? "nothing")
    }
    guard found.facts.tokenID != nil else {
      throw TokenError(.exchangeGrant, node: "jti", expected: "an identifier", found: "nothing")
    }
  }

  /// The entity identifier of this service at a provider (RFC 7522, 3).
  private func samlNames(of provider: ACSIdentityProvider) -> [String] {
    guard let method = service.upstream(of: provider)?.method as? SAMLMethod else { return [] }
    return [method.service.entityID]
  }
}

extension IssuingService {
  /// The answer of a token endpoint: an access token, and what a sign-in gives beside it (RFC 6749, 5.1; OpenID Connect
  /// Core 1.0, 3.1.3.3).
  func answer(
    accessToken token: MintedToken, scopes: [String], idToken: String? = nil,
    refreshToken: Secret? = nil
  ) -> HTTPResponse {
    var json = JSONWriter()
    json.object { json in
      json.member("access_token", String(decoding: token.octets, as: UTF8.self))
      json.member("token_type", "Bearer")
      json.name("expires_in")
      json.integer(token.lifetime)
      json.member("scope", scopes.isEmpty ? nil : scopes.joined(separator: " "))
      json.member("id_token", idToken)
      json.member("refresh_token", refreshToken?.revealed)
    }
    return tokenAnswer(json.bytes)
  }

  /// The successful answer of a token endpoint: no cache keeps it (RFC 6749, 5.1).
  func tokenAnswer(
    _ body: [UInt8], _ contentType: String = "application/json"
  ) -> HTTPResponse {
    var response = responder.response(200, contentType, body)
    try? response.fields.append("Pragma", "no-cache")
    return response
  }
}
