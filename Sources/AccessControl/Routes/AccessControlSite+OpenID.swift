import BrowserExchange
import Octets
import SecurityKeys
import SignIn
import StrictJSON
import TokenService

extension AccessControlSite {
  /// `/.well-known/openid-configuration` (OpenID Connect Discovery 1.0, 3).
  func openIDConfiguration() -> HTTPResponse {
    var json = JSONWriter()
    json.object { json in
      for (name, value) in [
        ("issuer", namespace.issuer), ("authorization_endpoint", address("/v2/openid/authorize")),
        ("token_endpoint", address("/v2/openid/token")), ("jwks_uri", address("/v2/openid/keys")),
        ("end_session_endpoint", address("/v2/openid/logout")),
      ] {
        json.name(text: name)
        json.string(value)
      }
      for (name, values) in [
        ("response_types_supported", ["code"]),
        ("response_modes_supported", ["query", "form_post"]),
        ("grant_types_supported", ["authorization_code"]), ("subject_types_supported", ["public"]),
        ("id_token_signing_alg_values_supported", ["RS256"]),
        ("scopes_supported", ["openid", "profile", "email"]),
        (
          "token_endpoint_auth_methods_supported",
          ["client_secret_basic", "client_secret_post", "none"]
        ),
        ("code_challenge_methods_supported", ["S256"]),
      ] {
        json.name(text: name)
        json.array { json in values.forEach { json.string($0) } }
      }
    }
    return responder.response(200, "application/json", json.bytes)
  }

  /// `/v2/openid/keys`: the keys, current and next, as a JWK set (RFC 7517, 5).
  func openIDKeys() -> HTTPResponse {
    var json = JSONWriter()
    json.object { json in
      json.name("keys")
      json.array { json in
        for certificate in namespace.keys.certificates {
          guard let (modulus, exponent) = certificate.publicKey.rsaComponents else { continue }
          json.object { json in
            for (name, value) in [
              ("kty", "RSA"), ("use", "sig"), ("alg", "RS256"),
              ("kid", ServiceNamespace.keyID(of: certificate)),
              ("n", Base64.encode(modulus, .url)), ("e", Base64.encode(exponent, .url)),
            ] {
              json.name(text: name)
              json.string(value)
            }
          }
        }
      }
    }
    return responder.response(200, "application/jwk-set+json", json.bytes)
  }

  /// `/v2/openid/authorize` (OpenID Connect Core 1.0, 3.1.2). A relying party is a client by its realm, and its return
  /// addresses are its redirect URIs.
  func authorize(_ request: SiteRequest) throws(TokenError) -> HTTPResponse {
    let query = try FormReader((request.query ?? "").utf8)
    let party = try namespace.relyingParty(query.require("client_id"))
    let redirect = try party.returnAddress(asked: query.require("redirect_uri"))
    var context = SignInContext(.openID, realm: party.realm)
    context.reply = redirect.text
    context.context = query["state"]
    context.nonce = query["nonce"]
    context.challenge = query["code_challenge"]
    context.mode = query["response_mode"]
    do throws(TokenError) {
      guard query["response_type"] == "code" else {
        throw TokenError(.issuingRequest, node: "response_type", expected: "code")
      }
      let scopes = (query["scope"] ?? "").split(separator: " ")
      guard scopes.contains("openid") else {
        throw TokenError(.issuingRequest, node: "scope", expected: "openid")
      }
      guard [nil, "query", "form_post"].contains(context.mode) else {
        throw TokenError(.issuingRequest, node: "response_mode", expected: "query or form_post")
      }
      guard query["code_challenge_method"] == (context.challenge == nil ? nil : "S256") else {
        throw TokenError(.issuingRequest, node: "code_challenge_method", expected: "S256")
      }
      // Without a secret the proof key is all that ties the code to the client (RFC 9700, 2.1.1).
      guard context.challenge != nil || party.clientSecret != nil else {
        throw TokenError(.issuingRequest, node: "code_challenge", expected: "one")
      }
      guard query["prompt"] != "none" else {
        return answering(context, redirect, [("error", "login_required")])
      }
      return try choose(context, party, query["whr"])
    } catch {
      return openIDRefused(error, context, redirect)
    }
  }

  /// Sends the code for a subject to the client.
  func openIDCode(
    _ context: SignInContext, _ party: RelyingParty, _ provider: OfferedProvider,
    _ claims: ClaimSet, _ request: SiteRequest
  ) throws(TokenError) -> HTTPResponse {
    let redirect = try party.returnAddress(asked: context.reply)
    // Whether the rules give a token is told now, not when the code is exchanged.
    _ = try idToken(claims, provider.id, party, context.nonce)
    let grant = SealedGrant(
      kind: .openID, client: party.realm, realm: party.realm, redirect: redirect.text,
      challenge: context.challenge, provider: provider.id, claims: claims,
      expires: clock.now.advanced(bySeconds: SealedGrant.lifetime(.openID)), id: random.hex(16),
      nonce: context.nonce)
    note(party.realm, provider.id, "code")
    return answering(
      context, redirect, [("code", grant.sealed(by: key).revealed)],
      cookies: [remembering(party.realm, request)])
  }

  /// Sends an error to the client (OpenID Connect Core 1.0, 3.1.2.6).
  func openIDRefused(
    _ error: TokenError, _ context: SignInContext, _ redirect: HTTPURL
  ) -> HTTPResponse {
    let code = AccessControlCode(error)
    _ = logged(error, code)
    let name = error.code == .issuingRequest ? "invalid_request" : "access_denied"
    return answering(
      context, redirect,
      [("error", name), ("error_description", "\(code): \(error.code.summary)")])
  }

  /// By a redirect or a posted form, with the state and the issuer (RFC 9207).
  private func answering(
    _ context: SignInContext, _ redirect: HTTPURL, _ parameters: [(String, String)],
    cookies: [SetCookie] = []
  ) -> HTTPResponse {
    var parameters = parameters + [("iss", namespace.issuer)]
    if let state = context.context { parameters.append(("state", state)) }
    guard context.mode == "form_post" else {
      return responder.redirect(redirect.adding(parameters).text, cookies: cookies)
    }
    return responder.page(
      200, .form(redirect, fields: parameters.map { (name: $0.0, value: $0.1) }), cookies: cookies)
  }

  // MARK: The token endpoint

  /// `/v2/openid/token` (OpenID Connect Core 1.0, 3.1.3).
  func openIDToken(_ request: SiteRequest) async -> HTTPResponse {
    do throws(TokenError) {
      let form = try tokenForm(request)
      let (party, secret) = try client(form, request)
      guard form["grant_type"] == "authorization_code" else {
        throw TokenError(.issuingGrantType, expected: "authorization_code")
      }
      let now = clock.now
      guard let grant = SealedGrant.open(try form.require("code"), with: key),
        grant.kind == .openID, now < grant.expires, grant.client.hasSameBytes(as: party.realm),
        grant.redirect.hasSameBytes(as: form["redirect_uri"] ?? ""),
        Self.isProof(form["code_verifier"], of: grant.challenge),
        grant.challenge != nil || secret
      else { throw TokenError(.issuingGrant) }
      guard try await used.remember(grant.use, at: now) else {
        throw TokenError(.issuingGrant, found: "one that was used")
      }
      let token = try idToken(grant.claims, grant.provider, party, grant.nonce)
      note(party.realm, grant.provider, "ID token")
      var json = JSONWriter()
      json.object { json in
        json.name("access_token")
        // Nothing here takes it; the grammar of the answer wants one.
        json.string(random.hex(20))
        json.name("token_type")
        json.string("Bearer")
        json.name("expires_in")
        json.integer(party.lifetime)
        json.name("id_token")
        json.string(String(decoding: token, as: UTF8.self))
      }
      return responder.response(200, "application/json", json.bytes)
    } catch {
      return oauthRefusal(error, AccessControlCode(error))
    }
  }

  /// The client of a request, and whether it proved who it is (OpenID Connect Core 1.0, 9).
  private func client(
    _ form: FormReader, _ request: SiteRequest
  ) throws(TokenError) -> (RelyingParty, hasSecret: Bool) {
    var id = form["client_id"]
    var secret = form["client_secret"]
    if let header = request.fields["Authorization"] {
      guard secret == nil, header.hasPrefix("Basic "),
        let octets = try? Base64.decode(Array(header.utf8.dropFirst(6))),
        let colon = octets.firstIndex(of: UInt8(ascii: ":")),
        let name = try? FormEncoding.decode(octets[..<colon]),
        let password = try? FormEncoding.decode(octets[(colon + 1)...])
      else { throw TokenError(.issuingClientSecret) }
      id = String(decoding: name, as: UTF8.self)
      secret = String(decoding: password, as: UTF8.self)
    }
    guard let id, let party = try? namespace.relyingParty(id) else {
      throw TokenError(.issuingClient)
    }
    guard let known = party.clientSecret else { return (party, false) }
    guard let secret,
      ConstantTime.areEqual(Array(known.revealed.utf8), Array(secret.utf8))
    else { throw TokenError(.issuingClientSecret) }
    return (party, true)
  }

  /// The ID token: what the rules give, under the names of OpenID Connect Core 1.0, 5.1.
  private func idToken(
    _ claims: ClaimSet, _ provider: String, _ party: RelyingParty, _ nonce: String?
  ) throws(TokenError) -> [UInt8] {
    try namespace.idToken(
      claims, from: .provider(provider), to: party, nonce: nonce, at: clock.now)
  }

  // MARK: Sign-out

  /// `/v2/openid/logout` (OpenID Connect RP-Initiated Logout 1.0, 2).
  func openIDLogout(_ request: SiteRequest) throws(TokenError) -> HTTPResponse {
    let query =
      request.method == "POST"
      ? try FormReader(request.body) : try FormReader((request.query ?? "").utf8)
    var content = PageContent("You are signed out")
    if let asked = query["post_logout_redirect_uri"] {
      let parties =
        try query["client_id"].map { (id) throws(TokenError) in [try namespace.relyingParty(id)] }
        ?? namespace.relyingParties
      guard
        let back = parties.lazy.compactMap({ try? $0.returnAddress(asked: asked) }).first
      else { throw TokenError(.issuingReplyAddress, found: TokenError.excerpt(asked)) }
      let state = query["state"].map { [("state", $0)] } ?? []
      return responder.redirect(
        back.adding(state).text, cookies: [SetCookie.removing(cookieName("sessions"), .lax)])
    }
    content.notes = ["The applications that you signed in to end their sessions themselves."]
    return responder.page(
      200, .content(content), cookies: [SetCookie.removing(cookieName("sessions"), .lax)])
  }
}
