import Federation
import HTTPExchange
import JSONWebTokens
import Octets
import SignIn
import TokenBasics

extension OpenIDEndpoint {
  /// `/v2/openid/logout` (OpenID Connect RP-Initiated Logout 1.0, 2), by GET or POST. Who shows an ID token of the session in this
  /// browser signs out at once; otherwise the person is asked.
  func signOut(_ request: WebRequest) async throws(TokenError) -> HTTPResponse {
    let query =
      (request.method == "POST" ? try FormReader(request.body) : try service.query(request))
      .withoutEmptyValues
    let hint = query["id_token_hint"].flatMap { signedIDToken($0) }
    let party = try await client(of: query, hint)
    let reply = try reply(to: query, of: party)
    return try await service.signOut(request, for: party, reply: reply) { visit in
      hint.map { isHint($0, of: visit) } ?? false
    }
  }

  /// The client that asks, as `client_id` or the hint names it; nil where neither does.
  ///
  /// - Throws: `issuing.unknown-realm`; `issuing.missing-field` where the two differ.
  private func client(
    of query: FormReader, _ hint: Verified<JSONWebToken>?
  ) async throws(TokenError) -> RelyingParty? {
    let audience = hint?.facts.audiences.first
    guard let id = query["client_id"] else {
      guard let audience else { return nil }
      return try? await service.party(audience)
    }
    guard audience.map({ $0.hasSameBytes(as: id) }) ?? true else {
      throw TokenError(
        .issuingField, node: "client_id", expected: "the client of the ID token",
        found: TokenError.excerpt(id))
    }
    return try await service.party(id)
  }

  /// What the browser gets in the end.
  ///
  /// - Throws: `issuing.reply-address` for an address that no client has, or not the one that asks.
  private func reply(
    to query: FormReader, of party: RelyingParty?
  ) throws(TokenError) -> SignOut.Reply {
    guard let asked = query["post_logout_redirect_uri"] else { return .page(back: nil) }
    let parties = party.map { [$0] } ?? service.namespace.relyingParties
    guard let back = parties.lazy.compactMap({ try? $0.redirectURI(asked: asked) }).first else {
      throw TokenError(.issuingReplyAddress, found: TokenError.excerpt(asked))
    }
    return .redirect(back.adding(query["state"].map { [("state", $0)] } ?? []))
  }

  /// An ID token of ours that is shown as a hint; nil for anything else. One that has expired is a hint still, so it is judged
  /// at the instant at which it was made.
  func signedIDToken(_ text: String) -> Verified<JSONWebToken>? {
    guard let token = try? JSONWebToken(parsing: Array(text.utf8), for: .idToken),
      let issued = token.unverifiedFacts.issued
    else { return nil }
    let trust = Trust(
      issuers: [
        TrustedIssuer(
          .exactly(service.namespace.issuer), keys: service.namespace.webVerificationKeys,
          formats: [.jwt])
      ], audiences: .oneOf(token.unverifiedFacts.audiences))
    return try? TokenValidator(trust).validate(token, at: issued)
  }

  /// Whether an ID token is of the session that a browser has here: its client got it in a sign-in of that session, about the
  /// same subject. One that was exchanged, or is of another session, is no hint.
  private func isHint(_ hint: Verified<JSONWebToken>, of visit: Visit) -> Bool {
    guard let realm = hint.facts.audiences.first, let subject = hint.facts.subject,
      visit.parties.contains(where: {
        $0.realm.hasSameBytes(as: realm) && $0.session.name?.text.hasSameBytes(as: subject) == true
      }),
      let named = hint.claims.single("sid"), let session = service.sessionID(visit.id, for: realm)
    else { return false }
    return named.hasSameBytes(as: session)
  }
}
