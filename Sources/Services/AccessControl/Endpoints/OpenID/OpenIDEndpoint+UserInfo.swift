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
    let word: String? =
      switch error.code {
      case .oauthAccessToken: error.found == nil ? nil : "invalid_token"
      case .oauthInsufficientScope: "insufficient_scope"
      case _ where refusal.ownFault != nil: refusal.ownFault
      default: "invalid_request"
      }
    let status =
      switch error.code {
      case .oauthAccessToken: 401
      case .oauthInsufficientScope: 403
      case _ where refusal.ownFault != nil: refusal.status
      default: 400
      }
    var response = service.refusal(word ?? "invalid_token", error, status, reference: trace)
    guard refusal.ownFault == nil else { return response }
    let scope = error.code == .oauthInsufficientScope ? "openid" : nil
    try? response.fields.append(
      "WWW-Authenticate", BearerToken.challenge(word, scope: scope))
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
      guard let sent = BearerToken.token(of: field) else { throw TokenError(.oauthAccessToken) }
      token = sent
    }
    guard let token else { throw TokenError(.oauthAccessToken) }
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
