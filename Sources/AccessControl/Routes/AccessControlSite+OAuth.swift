import BrowserExchange
import Octets
import SecurityKeys
import SignIn
import StrictJSON
import TokenService

extension AccessControlSite {
  /// The token endpoint of OAuth 2.0 draft 13.
  func oauth(_ request: SiteRequest) async -> HTTPResponse {
    var place = AccessControlCode.Place.request
    do throws(TokenError) {
      let form = try tokenForm(request)
      let grant = try form.require("grant_type")
      let party = try namespace.relyingParty(scope: form.require("scope"))
      switch grant {
      case "client_credentials":
        let client = try identity(
          form.require("client_id"), password: form.require("client_secret"), request)
        return try answer(issue(client, party), party)
      case "authorization_code": return try await exchange(form, party, request)
      case "refresh_token": return try await refresh(form, party, request)
      default:
        let identity = try await asserted(
          Array(form["assertion"].map { Array($0.utf8) } ?? []), grant, at: &place)
        place = .request
        return try answer(issue(identity, party), party)
      }
    } catch {
      return oauthRefusal(error, AccessControlCode(error, at: place))
    }
  }

  private func issue(
    _ identity: ServiceIdentity, _ party: RelyingParty
  ) throws(TokenError) -> IssuedToken {
    let token = try namespace.issue(for: identity, to: party, at: clock.now)
    note(party.realm, identity.name, token.format.name)
    return token
  }

  /// A token, and the first refresh token, for a code.
  private func exchange(
    _ form: FormReader, _ party: RelyingParty, _ request: SiteRequest
  ) async throws(TokenError) -> HTTPResponse {
    let id = try client(form, request)
    let code = try form.require("code")
    let grant = try await redeem(code) { grant in
      grant.kind == .code && grant.client.hasSameBytes(as: id)
        && grant.realm.hasSameBytes(as: party.realm)
        && grant.redirect.hasSameBytes(as: form["redirect_uri"] ?? "")
        && Self.isProof(form["code_verifier"], of: grant.challenge)
    }
    let token = try renewed(grant, party)
    return answer(token, party, refresh: try await refreshToken(for: grant, code: code))
  }

  /// A token, and the next refresh token, for a refresh token.
  private func refresh(
    _ form: FormReader, _ party: RelyingParty, _ request: SiteRequest
  ) async throws(TokenError) -> HTTPResponse {
    let id = try client(form, request)
    let (grant, next) = try await refreshed(form.require("refresh_token")) { grant in
      grant.client.hasSameBytes(as: id) && grant.realm.hasSameBytes(as: party.realm)
    }
    return answer(try renewed(grant, party), party, refresh: next)
  }

  private func renewed(_ grant: Grant, _ party: RelyingParty) throws(TokenError) -> IssuedToken {
    let token = try namespace.issue(grant.subject, to: party, at: clock.now)
    note(party.realm, grant.subject.source.name ?? "", token.format.name)
    return token
  }

  /// The name of the service identity that exchanges something, whose secret is right.
  private func client(
    _ form: FormReader, _ request: SiteRequest
  ) throws(TokenError) -> String {
    let id = try form.require("client_id")
    guard namespace.identities.contains(where: { $0.name.hasSameBytes(as: id) }) else {
      guesses.failed("identity:" + id, from: request.peer ?? "")
      throw TokenError(.issuingClient, found: TokenError.excerpt(id))
    }
    do throws(TokenError) {
      return try identity(id, password: form["client_secret"] ?? "", request).name
    } catch {
      throw error.code == .issuingCredentials ? TokenError(.issuingClientSecret) : error
    }
  }

  /// Whether a verifier fits a challenge (RFC 7636, 4.6). A code without a challenge has none: one that comes all the same
  /// is of a client whose challenge somebody took away (RFC 9700, 2.1.1).
  static func isProof(_ verifier: String?, of challenge: String?) -> Bool {
    guard let challenge else { return verifier == nil }
    guard let verifier, (43...128).contains(verifier.utf8.count),
      let digest = DigestAlgorithm.sha256.digest(of: Array(verifier.utf8))
    else { return false }
    return Base64.encode(digest, .url).hasSameBytes(as: challenge)
  }

  /// The lifetime is a string and the type a URI, as the service had them.
  private func answer(
    _ token: IssuedToken, _ party: RelyingParty, refresh: Secret? = nil
  ) -> HTTPResponse {
    var json = JSONWriter()
    json.object { json in
      json.name("token_type")
      json.string(token.type)
      json.name("access_token")
      json.string(String(decoding: token.octets, as: UTF8.self))
      json.name("expires_in")
      json.string("\(party.lifetime)")
      json.name("scope")
      json.string(party.realm)
      if let refresh {
        json.name("refresh_token")
        json.string(refresh.revealed)
      }
    }
    return responder.response(200, "application/json; charset=utf-8", json.bytes)
  }

  func oauthRefusal(_ error: TokenError, _ code: AccessControlCode) -> HTTPResponse {
    let trace = logged(error, code)
    var json = JSONWriter()
    json.object { json in
      json.name("error")
      json.string(Self.errorName(code))
      json.name("error_description")
      json.string(
        "\(code): \(error.code.summary) (\(error.code.rawValue))\(taken(error)).\r\nTrace ID: \(trace)\r\n"
          + "Correlation ID: \(trace)\r\nTimestamp: \(timestamp)")
    }
    return retrying(
      responder.response(code.status, "application/json; charset=utf-8", json.bytes), error)
  }

  /// What would have been taken, where that is ours to say.
  private func taken(_ error: TokenError) -> String {
    error.code == .issuingGrantType ? error.expected.map { ", expected " + $0 } ?? "" : ""
  }

  /// The error of OAuth 2.0 (RFC 6749, 5.2) for a number.
  private static func errorName(_ code: AccessControlCode) -> String {
    switch code.number {
    case 50_012, 70_001, 70_002: "invalid_client"
    case 70_008, 50_006...50_010, 50_016, 50_017, 50_026, 50_027, 60_001: "invalid_grant"
    case 70_003: "unsupported_grant_type"
    case 50_001: "invalid_scope"
    case _ where code.status >= 500: "server_error"
    default: "invalid_request"
    }
  }

  // MARK: Codes

  /// `GET /v2/OAuth2-13/authorize`: a person lets a client act at a relying party. The service issued such codes through
  /// its management interface, and relying parties had the page; here both are one.
  func delegate(_ request: SiteRequest) throws(TokenError) -> HTTPResponse {
    let query = try query(request)
    let id = try query.require("client_id")
    guard let client = namespace.identities.first(where: { $0.name.hasSameBytes(as: id) }) else {
      throw TokenError(.issuingClient, found: TokenError.excerpt(id))
    }
    let redirect = try query.require("redirect_uri")
    // Until both are known to belong together, errors stay here: the address may be an attacker's.
    guard client.redirectAddresses.contains(where: { $0.text.hasSameBytes(as: redirect) }) else {
      throw TokenError(
        .issuingReplyAddress, node: client.name, found: TokenError.excerpt(redirect))
    }
    let party = try namespace.relyingParty(query.require("scope"))
    var context = SignInContext(.delegation, realm: party.realm)
    context.client = client.name
    context.reply = redirect
    context.context = query["state"]
    context.challenge = query["code_challenge"]
    do throws(TokenError) {
      guard query["response_type"] == "code" else {
        throw TokenError(.issuingAuthorizationRequest, node: "response_type", expected: "code")
      }
      guard (query["code_challenge"] == nil) == (query["code_challenge_method"] == nil),
        query["code_challenge_method"] ?? "S256" == "S256"
      else {
        throw TokenError(
          .issuingAuthorizationRequest, node: "code_challenge_method", expected: "S256")
      }
      return try choose(context, party, query["whr"], request)
    } catch {
      return try delegationRefused(error, context)
    }
  }

  /// Sends the code for a subject to the client.
  func delegated(
    _ context: SignInContext, _ party: RelyingParty, _ provider: OfferedProvider,
    _ subject: SignedInSubject, _ visit: Visit
  ) async throws(TokenError) -> HTTPResponse {
    let redirect = try delegationAddress(context)
    // Whether the rules give a token is told now, not when the code is exchanged.
    _ = try namespace.issue(subject, to: party, at: clock.now)
    try await use(context)
    let code = try await code(
      for: Grant(
        kind: .code, client: context.client ?? "", realm: party.realm, redirect: redirect.text,
        challenge: context.challenge, subject: subject, session: visit.id,
        expires: clock.now.advanced(bySeconds: Grant.lifetime(.code))))
    note(party.realm, provider.id, "code")
    return responder.redirect(
      redirect.adding(
        [("code", code.revealed)] + (context.context.map { [("state", $0)] } ?? [])
      ).text, cookies: [remembering(visit)])
  }

  /// Sends an error to the client (RFC 6749, 4.1.2.1).
  func delegationRefused(
    _ error: TokenError, _ context: SignInContext
  ) throws(TokenError) -> HTTPResponse {
    let redirect = try delegationAddress(context)
    let code = AccessControlCode(error)
    _ = logged(error, code)
    let name =
      Self.ownFault(code)
      ?? (error.code == .issuingCancelled ? "access_denied" : "invalid_request")
    return responder.redirect(
      redirect.adding(
        [("error", name), ("error_description", "\(code): \(error.code.summary)")]
          + (context.context.map { [("state", $0)] } ?? [])
      ).text)
  }

  /// The error of an authorization response for a fault of this service (RFC 6749, 4.1.2.1); nil for other faults.
  static func ownFault(_ code: AccessControlCode) -> String? {
    switch code.status {
    case 503: "temporarily_unavailable"
    case 500...: "server_error"
    default: nil
    }
  }

  /// The address of the client, checked again.
  private func delegationAddress(_ context: SignInContext) throws(TokenError) -> HTTPURL {
    guard let id = context.client, let reply = context.reply,
      let client = namespace.identities.first(where: { $0.name.hasSameBytes(as: id) }),
      let address = client.redirectAddresses.first(where: { $0.text.hasSameBytes(as: reply) })
    else { throw TokenError(.issuingReplyAddress) }
    return address
  }
}
