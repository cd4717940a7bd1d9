import Federation
import HTTPExchange
import Octets
import SignIn
import TokenBasics

extension OpenIDEndpoint {
  /// `/v2/openid/introspect` (RFC 7662): whether a token is good, and what it allows. Who asks is authenticated, and learns of
  /// its own tokens alone: a token of another one is as good as none.
  func introspect(_ request: WebRequest) async -> HTTPResponse {
    do throws(OAuthFault) {
      let (form, caller) = try await caller(request)
      guard caller.isConfidential else {
        throw OAuthFault(.invalidClient, TokenError(.issuingClientSecret))
      }
      let token = try OAuthFault.now(.invalidRequest) { () throws(TokenError) -> String in
        try form.require("token")
      }
      let found = try await OAuthFault.named(.invalidRequest) {
        () async throws(TokenError) -> Introspection? in
        try await introspection(of: token, by: caller)
      }
      return service.responder.response(
        200, "application/json", found?.json ?? Array("{\"active\":false}".utf8))
    } catch {
      return service.refusal(error)
    }
  }

  /// The form of a request, and the client that sends it.
  private func caller(
    _ request: WebRequest
  ) async throws(OAuthFault) -> (form: FormReader, caller: TokenClient) {
    let form = try form(request)
    let caller = try await OAuthFault.named(.invalidClient) {
      () async throws(TokenError) -> TokenClient in
      try await service.client(form, request)
    }
    return (form, caller)
  }

  private func introspection(
    of token: String, by caller: TokenClient
  ) async throws(TokenError) -> Introspection? {
    let namespace = service.namespace
    if let grant = try await service.accessGrant(token) {
      return try await introspection(of: grant, type: "Bearer", by: caller)
    }
    if let grant = try await service.grants.unusedAuthorization(ofRefreshToken: token) {
      // A client has no use for the refresh token of another one, and a resource none for any.
      guard grant.isGiven(to: caller), try await service.isIssuedNow(grant) else {
        return nil
      }
      return try await introspection(of: grant, type: nil, by: caller)
    }
    // What a service could read by itself.
    guard let parsed = try? JSONWebToken(parsing: Array(token.utf8)), parsed.type == "at+jwt" else {
      return nil
    }
    let key = TokenKey(parsed.unverifiedFacts, signed: [])
    // Each is kept when it is issued; one whose record is gone is of an authorization that the service cannot look up.
    guard let kept = try await service.grants.token(key) else { return nil }
    // The client that got it and the service for which it is; the record says who they are, the signature that it is that token.
    let isOwn = kept.isGiven(to: caller)
    let reader =
      isOwn ? TokenClient(try await service.party(kept.realm), isConfidential: true) : caller
    guard
      let verified = try? TokenValidator(namespace.trust(inOwnTokensFor: reader)).validate(
        parsed, at: service.clock.now),
      try await service.isIssuedNow(kept)
    else { return nil }
    return Introspection(verified)
  }

  private func introspection(
    of grant: Grant, type: String?, by caller: TokenClient
  ) async throws(TokenError) -> Introspection? {
    // A service identity may be called as a relying party is, and is not it.
    let isOfParty = caller.party != nil && grant.realm.hasSameBytes(as: caller.id)
    guard isOfParty || grant.isGiven(to: caller) else { return nil }
    let namespace = service.namespace
    let party = try await service.party(grant.realm)
    var found = Introspection(issuer: namespace.issuer, audience: grant.realm, client: grant.client)
    found.subject = try? namespace.shownName(of: grant.subject, for: party)
    found.scopes = grant.scopes
    found.expires = grant.expires
    found.type = type
    return found
  }

  // MARK: Revocation

  /// `/v2/openid/revoke` (RFC 7009). One that is not known is revoked already.
  func revoke(_ request: WebRequest) async -> HTTPResponse {
    do throws(OAuthFault) {
      let (form, caller) = try await caller(request)
      let token = try OAuthFault.now(.invalidRequest) { () throws(TokenError) -> String in
        try form.require("token")
      }
      if (try? JSONWebToken(parsing: Array(token.utf8))) != nil {
        throw OAuthFault(
          .unsupportedTokenType,
          TokenError(
            .issuingGrant, expected: "a refresh token or an opaque access token",
            found: "a token that services read by themselves"))
      }
      let isOwn = try await OAuthFault.named(.invalidRequest) {
        () async throws(TokenError) -> Bool in
        try await service.grants.revoke(token, of: caller)
      }
      guard isOwn else { throw OAuthFault(.invalidGrant, TokenError(.issuingGrant)) }
      return service.responder.response(200, "application/json", Array("{}".utf8))
    } catch {
      return service.refusal(error)
    }
  }
}

/// What is said of a good token (RFC 7662, 2.2).
private struct Introspection {
  let issuer: String
  let audience: String
  let client: String?
  var subject: String?
  var scopes: [String] = []
  var expires: Instant?
  var issued: Instant?
  var identifier: String?
  /// Nil for a refresh token.
  var type: String?

  init(issuer: String, audience: String, client: String?) {
    self.issuer = issuer
    self.audience = audience
    self.client = client
  }

  init(_ verified: Verified<JSONWebToken>) {
    let facts = verified.facts
    self.init(
      issuer: facts.issuer, audience: facts.audiences.first ?? "",
      client: verified.claims.single("client_id"))
    subject = facts.subject
    scopes = verified.claims.single("scope")?.split(separator: " ").map(String.init) ?? []
    expires = facts.expires
    issued = verified.token.issuedAt
    identifier = facts.tokenID
    type = "Bearer"
  }

  var json: [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.name("active")
      json.bool(true)
      json.member("iss", issuer)
      json.member("aud", audience)
      json.member("client_id", client)
      json.member("sub", subject)
      json.member("scope", scopes.isEmpty ? nil : scopes.joined(separator: " "))
      json.member("token_type", type)
      json.member("jti", identifier)
      for (name, instant) in [("exp", expires), ("iat", issued)] {
        guard let instant else { continue }
        json.name(text: name)
        json.integer(Int(instant.seconds))
      }
    }
    return json.bytes
  }
}
