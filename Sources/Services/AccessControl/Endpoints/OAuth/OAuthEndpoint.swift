import HTTPExchange
import Octets
import SignIn
import TokenBasics

/// OAuth 2.0 draft 13: tokens for programs, and for people who let a program act for them.
struct OAuthEndpoint: SignInEndpoint {
  let service: IssuingService

  var deliveries: [SignInContext.Delivery] { [.delegation] }

  var routes: [Route] {
    [
      Route(
        "/v2/oauth2-13", for: Route.Programs { service.oauthRefusal($0) }, post: issue),
      Route("/v2/oauth2-13/authorize", get: begin),
    ]
  }

  private func issue(_ request: WebRequest) async -> HTTPResponse {
    var place = ACSRefusal.Place.request
    do throws(TokenError) {
      let form = try service.form(request)
      let grant = try form.require("grant_type")
      let party = try service.namespace.relyingParty(scope: form.require("scope"))
      switch grant {
      case "client_credentials":
        let client = try await service.identity(
          form.require("client_id"), password: form.require("client_secret"), request)
        return answer(try await token(for: client, party), party)
      case "authorization_code": return try await exchange(form, party, request)
      case "refresh_token": return try await refresh(form, party, request)
      default:
        let assertion = Array((form["assertion"] ?? "").utf8)
        let identity = try await service.identity(
          assertedBy: assertion, grant, request, at: &place)
        return answer(try await token(for: identity, party), party)
      }
    } catch {
      return service.oauthRefusal(error, at: place)
    }
  }

  private func token(
    for identity: ServiceIdentity, _ party: RelyingParty
  ) async throws(TokenError) -> IssuedToken {
    let token = try await service.issue(for: identity, to: party, by: .draft13)
    service.note(party.realm, identity.name, token.format.name)
    return token
  }

  /// A token, and the first refresh token, for a code.
  private func exchange(
    _ form: FormReader, _ party: RelyingParty, _ request: WebRequest
  ) async throws(TokenError) -> HTTPResponse {
    var redeemer = Redeemer(client: try await client(form, request), realm: party.realm)
    redeemer.redirect = form["redirect_uri"] ?? ""
    redeemer.verifier = form["code_verifier"]
    let code = try form.require("code")
    let redeemed = try await service.grants.redeem(.code(code, of: .code), by: redeemer)
    let token = try token(of: redeemed.grant, party)
    try await keep(token, of: redeemed, party)
    return answer(
      token, party, refresh: try await service.grants.firstRefreshToken(of: redeemed))
  }

  /// A token, and the next refresh token, for a refresh token. The token is made before the refresh token is used up: a refusal
  /// uses up nothing.
  private func refresh(
    _ form: FormReader, _ party: RelyingParty, _ request: WebRequest
  ) async throws(TokenError) -> HTTPResponse {
    let redeemer = Redeemer(client: try await client(form, request), realm: party.realm)
    let refresh = try form.require("refresh_token")
    let known = try await service.authorizationNow(ofRefreshToken: refresh, for: redeemer)
    let token = if let known { try self.token(of: known, party) } else { nil as IssuedToken? }
    let redeemed = try await service.grants.redeem(.refreshToken(refresh), by: redeemer)
    guard let token else { throw TokenError(.issuingGrant) }
    try await keep(token, of: redeemed, party)
    return answer(
      token, party, refresh: try await service.grants.refreshToken(of: redeemed))
  }

  private func token(
    of grant: Grant, _ party: RelyingParty
  ) throws(TokenError) -> IssuedToken {
    let (namespace, now) = (service.namespace, service.clock.now)
    guard let client = namespace.identity(named: grant.client) else {
      throw TokenError(.issuingClient)
    }
    // A code whose address was taken away since is good for nothing.
    guard
      grant.redirect.isEmpty
        || client.redirectAddresses.contains(where: { $0.text.hasSameBytes(as: grant.redirect) })
    else { throw TokenError(.issuingGrant, found: "one whose redirect URI is not registered now") }
    let decision = try namespace.decide(
      TokenClient(client), by: .draft13, .format(party.format), for: party, about: grant.subject,
      at: now)
    return try namespace.issue(decision, grant.subject, as: party.format, at: now)
  }

  /// Keeps whom a token is about, before it leaves.
  private func keep(
    _ token: IssuedToken, of redeemed: Grants.Redeemed, _ party: RelyingParty
  ) async throws(TokenError) {
    let grant = redeemed.grant
    try await service.remember(
      grant.subject, of: token, to: party, by: .draft13, client: grant.client, in: grant.session,
      family: redeemed.family)
    service.note(party.realm, grant.subject.source.name ?? "", token.format.name)
  }

  /// The name of the service identity that exchanges something, whose secret is right.
  private func client(
    _ form: FormReader, _ request: WebRequest
  ) async throws(TokenError) -> String {
    try await service.client(
      form.require("client_id"), secrets: form["client_secret"].map { [$0] } ?? [], request
    ).name
  }

  /// The lifetime is a string and the type a URI, as the service had them.
  private func answer(
    _ token: IssuedToken, _ party: RelyingParty, refresh: Secret? = nil
  ) -> HTTPResponse {
    var json = JSONWriter()
    json.object { json in
      for (name, value) in [
        ("token_type", token.type),
        ("access_token", String(decoding: token.octets, as: UTF8.self)),
        ("expires_in", "\(party.lifetime)"), ("scope", party.realm),
        ("refresh_token", refresh?.revealed),
      ] {
        json.member(named: name, value)
      }
    }
    return service.tokenAnswer(json.bytes, "application/json; charset=utf-8")
  }
}

extension IssuingService {
  /// The refusal of a token endpoint (RFC 6749, 5.2).
  func oauthRefusal(_ error: TokenError, at place: ACSRefusal.Place = .request) -> HTTPResponse {
    let refusal = ACSRefusal(error, at: place)
    let trace = logged(error, refusal)
    // What would have been taken, where that is ours to say.
    let taken =
      error.code == .issuingGrantType ? error.expected.map { ", expected " + $0 } ?? "" : ""
    var json = JSONWriter()
    json.object { json in
      json.name("error")
      // A code or refresh token of a provider that was withdrawn is no good grant.
      let name =
        switch error.code {
        case .issuingProvider: OAuthErrorName.invalidGrant
        case .issuingProtocol: OAuthErrorName.unauthorizedClient
        default: refusal.tokenError
        }
      json.string(name.rawValue)
      json.name("error_description")
      json.string(
        "\(refusal): \(error.code.summary) (\(error.code.rawValue))\(taken).\r\nTrace ID: \(trace)\r\n"
          + "Correlation ID: \(trace)\r\nTimestamp: \(timestamp)")
    }
    return retrying(
      responder.response(refusal.status, "application/json; charset=utf-8", json.bytes), error)
  }
}
