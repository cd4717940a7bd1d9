import HTTPExchange
import SignIn

extension OpenIDEndpoint {
  /// `/v2/openid/userinfo` (OpenID Connect Core 1.0, 5.3): the claims of the person whose access token is presented, as far as
  /// its scopes go.
  func showUserInfo(_ request: WebRequest) async -> HTTPResponse {
    do throws(TokenError) {
      let grant = try await service.openIDGrant(ofBearer: request)
      let party = try await service.party(grant.realm)
      let claims = try service.namespace.userInfo(
        grant.subject, to: party, scopes: grant.scopes, at: service.clock.now)
      return service.responder.response(200, "application/json", claims)
    } catch {
      return refuseBearer(error)
    }
  }

  /// The refusal of a resource that takes bearer tokens (RFC 6750, 3).
  private func refuseBearer(_ error: TokenError) -> HTTPResponse {
    let refusal = ACSRefusal(error)
    let trace = service.logged(error, refusal)
    let answer = ErrorAnswer(error)
    let name = refusal.ownFault ?? answer.name ?? .invalidRequest
    let status = answer.status ?? (refusal.ownFault == nil ? 400 : refusal.status)
    var response = service.refusal(name, error, status, reference: trace)
    guard refusal.ownFault == nil else { return response }
    // A request without a token has made no mistake that the challenge could name (RFC 6750, 3.1).
    let isWithout = error.reason == .noToken
    let scope = error.code == .oauthInsufficientScope ? "openid" : nil
    try? response.fields.append(
      "WWW-Authenticate", BearerToken.challenge(isWithout ? nil : name.rawValue, scope: scope))
    return response
  }
}

extension IssuingService {
  /// The grant of the access token that a request presents: in its header, or in its form (RFC 6750, 2.1 and 2.2).
  ///
  /// - Throws: `oauth.access-token`, without what was found where a request has no token; `oauth.insufficient-scope`; `client.*`.
  func openIDGrant(ofBearer request: WebRequest) async throws(TokenError) -> Grant {
    let fields = request.fields.values("Authorization")
    let posted = request.hasForm ? try request.form["access_token"] : nil
    guard fields.count + (posted == nil ? 0 : 1) <= 1 else {
      throw TokenError(.clientDuplicateParameter, node: "access_token")
    }
    var token = posted
    if let field = fields.first {
      guard let sent = BearerToken.token(of: field) else {
        throw TokenError(.oauthAccessToken, .noToken)
      }
      token = sent
    }
    guard let token else {
      throw TokenError(.oauthAccessToken, .noToken)
    }
    guard let grant = try await accessGrant(token) else {
      throw TokenError(.oauthAccessToken, found: "one that is over, or of another service")
    }
    guard grant.scopes.contains("openid") else {
      throw TokenError(.oauthInsufficientScope, node: "scope")
    }
    return grant
  }

  /// The grant of an opaque access token that is good now; nil for any other text.
  func accessGrant(_ token: String) async throws(TokenError) -> Grant? {
    guard AccessToken.isOpaque(token), let grant = try await grants.token(.opaque(token)),
      clock.now < grant.expires, try await isIssuedNow(grant)
    else { return nil }
    return grant
  }
}
