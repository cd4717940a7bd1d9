import HTTPExchange
import Octets
import SignIn

extension OpenIDEndpoint {
  /// An ID token for a code (OpenID Connect Core 1.0, 3.1.3).
  func redeem(
    _ form: FormReader, _ client: TokenClient
  ) async throws(OAuthFault) -> HTTPResponse {
    let code = try OAuthFault.now(.invalidRequest) { () throws(TokenError) in
      try form.require("code")
    }
    guard let party = client.party else {
      throw OAuthFault(
        .unauthorizedClient, TokenError(.issuingClient, expected: "a relying party"))
    }
    return try await OAuthFault.named(.invalidGrant) {
      () async throws(TokenError) -> HTTPResponse in
      let redeemer = Redeemer(
        client: party.realm, realm: party.realm, redirect: form["redirect_uri"] ?? "",
        verifier: form["code_verifier"], hasSecret: client.isConfidential)
      let grant = try await service.grants.redeem(.code(code, of: .openID), by: redeemer).grant
      return try await answer(grant, party)
    }
  }

  private func answer(
    _ grant: Grant, _ party: RelyingParty
  ) async throws(TokenError) -> HTTPResponse {
    let id = TokenDraft.unpredictableID()
    let now = service.clock.now
    let token = try service.namespace.idToken(
      grant.subject, to: party, nonce: grant.nonce, id: id, at: now)
    try await service.remember(
      grant.subject, of: .id(id), as: .idToken, to: party, in: grant.session, at: now)
    service.note(party.realm, grant.subject.source.name ?? "", "ID token")
    var json = JSONWriter()
    json.object { json in
      json.name("access_token")
      // RFC 6749 5.1 requires an access token; no endpoint of this service accepts it.
      json.string(service.random.hex(20))
      json.name("token_type")
      json.string("Bearer")
      json.name("expires_in")
      json.integer(party.lifetime)
      json.name("id_token")
      json.string(String(decoding: token, as: UTF8.self))
    }
    return service.responder.response(200, "application/json", json.bytes)
  }
}
