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
        ("grant_types_supported", ["authorization_code"]),
        ("subject_types_supported", ["pairwise", "public"]),
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
      // Absent would mean that a request object at an address is taken (OpenID Connect Discovery 1.0, 3).
      for (name, value) in [
        ("request_parameter_supported", false), ("request_uri_parameter_supported", false),
        ("claims_parameter_supported", false),
        ("authorization_response_iss_parameter_supported", true),
      ] {
        json.name(text: name)
        json.bool(value)
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

  /// `/v2/openid/authorize` (OpenID Connect Core 1.0, 3.1.2), by GET or POST. A relying party is a client by its realm,
  /// and its return addresses are its redirect URIs.
  func authorize(_ request: SiteRequest) throws(TokenError) -> HTTPResponse {
    let query: FormReader
    if request.method == "POST" {
      guard FormReader.isForm(request.fields["Content-Type"]) else {
        throw TokenError(.issuingField, node: "Content-Type", expected: FormReader.mediaType)
      }
      query = try FormReader(request.body, passingOver: .foreignNames)
    } else {
      query = try self.query(request)
    }
    let party = try namespace.relyingParty(query.require("client_id"))
    let redirect = try party.returnAddress(asked: query.require("redirect_uri"))
    var context = SignInContext(.openID, realm: party.realm)
    context.reply = redirect.text
    context.context = query["state"]
    context.nonce = query["nonce"]
    context.challenge = query["code_challenge"]
    context.mode = query["response_mode"]
    do throws(TokenError) {
      try check(query, context, party)
      context.demands = try demands(query)
      return try choose(context, party, query["whr"], request)
    } catch {
      return openIDRefused(error, context, redirect)
    }
  }

  private static func wrong(_ node: String, _ expected: String) -> TokenError {
    TokenError(.issuingAuthorizationRequest, node: node, expected: expected)
  }

  private func check(
    _ query: FormReader, _ context: SignInContext, _ party: RelyingParty
  ) throws(TokenError) {
    for name in ["request", "request_uri", "registration"] where query[name] != nil {
      throw Self.wrong(name, "nothing")
    }
    guard query["response_type"] == "code" else { throw Self.wrong("response_type", "code") }
    guard (query["scope"] ?? "").split(separator: " ").contains("openid") else {
      throw Self.wrong("scope", "openid")
    }
    guard [nil, "query", "form_post"].contains(context.mode) else {
      throw Self.wrong("response_mode", "query or form_post")
    }
    guard query["code_challenge_method"] == (context.challenge == nil ? nil : "S256") else {
      throw Self.wrong("code_challenge_method", "S256")
    }
    // RFC 7636, 4.2: the base64url of 32 octets.
    if let challenge = context.challenge {
      guard (try? Base64.decode(Array(challenge.utf8), .url))?.count == 32 else {
        throw Self.wrong("code_challenge", "43 characters of base64url")
      }
    }
    // Without a secret the proof key is all that ties the code to the client (RFC 9700, 2.1.1).
    guard context.challenge != nil || party.clientSecret != nil else {
      throw Self.wrong("code_challenge", "one")
    }
  }

  /// What a request asks of the sign-in (OpenID Connect Core 1.0, 3.1.2.1).
  private func demands(_ query: FormReader) throws(TokenError) -> SignInDemands {
    var demands = SignInDemands()
    let prompts = (query["prompt"] ?? "").split(separator: " ").map(String.init)
    guard !prompts.contains("none") || prompts.count == 1 else {
      throw Self.wrong("prompt", "none alone, or others")
    }
    demands.isPassive = prompts.contains("none")
    demands.forcesSignIn = prompts.contains("login")
    if !prompts.isEmpty, !demands.isPassive { demands.prompt = prompts.joined(separator: " ") }
    if let text = query["max_age"], !text.isEmpty {
      guard let seconds = Int(text), (0...315_360_000).contains(seconds) else {
        throw Self.wrong("max_age", "seconds")
      }
      demands.maxAge = seconds
    }
    demands.contexts = (query["acr_values"] ?? "").split(separator: " ").map(String.init)
    demands.loginHint = query["login_hint"].flatMap { $0.isEmpty ? nil : $0 }
    return demands
  }

  /// Sends the code for a subject to the client.
  func openIDCode(
    _ context: SignInContext, _ party: RelyingParty, _ provider: OfferedProvider,
    _ subject: SignedInSubject, _ visit: Visit
  ) async throws(TokenError) -> HTTPResponse {
    let redirect = try party.returnAddress(asked: context.reply)
    // Whether the rules give a token is told now, not when the code is exchanged.
    _ = try namespace.idToken(subject, to: party, nonce: context.nonce, at: clock.now)
    try await use(context)
    let code = try await code(
      for: Grant(
        kind: .openID, client: party.realm, realm: party.realm, redirect: redirect.text,
        challenge: context.challenge, subject: subject, session: visit.id,
        expires: clock.now.advanced(bySeconds: Grant.lifetime(.openID)), nonce: context.nonce))
    note(party.realm, provider.id, "code")
    return answering(
      context, redirect, [("code", code.revealed)],
      cookies: [remembering(visit, joining: party.realm)])
  }

  /// Sends an error to the client (OpenID Connect Core 1.0, 3.1.2.6).
  func openIDRefused(
    _ error: TokenError, _ context: SignInContext, _ redirect: HTTPURL
  ) -> HTTPResponse {
    let code = AccessControlCode(error)
    _ = logged(error, code)
    return answering(
      context, redirect,
      [
        ("error", Self.errorName(error, code)),
        ("error_description", "\(code): \(error.code.summary)"),
      ])
  }

  private static func errorName(_ error: TokenError, _ code: AccessControlCode) -> String {
    switch error.code {
    case .issuingAuthorizationRequest:
      switch error.node {
      case "request": return "request_not_supported"
      case "request_uri": return "request_uri_not_supported"
      case "registration": return "registration_not_supported"
      default: return "invalid_request"
      }
    case .issuingFreshness:
      return error.node == "passive" && error.found == "a choice of providers"
        ? "account_selection_required" : "login_required"
    case .signInRefused:
      // What the provider says to a request that nobody may be asked for.
      let passive = [
        "login_required", "interaction_required", "consent_required", "account_selection_required",
      ]
      return passive.first { error.found?.contains($0) == true } ?? "access_denied"
    default:
      return ownFault(code) ?? "access_denied"
    }
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
      let (party, hasSecret) = try client(form, request)
      guard form["grant_type"] == "authorization_code" else {
        throw TokenError(.issuingGrantType, expected: "authorization_code")
      }
      let grant = try await redeem(try form.require("code")) { grant in
        grant.kind == .openID && grant.client.hasSameBytes(as: party.realm)
          && grant.redirect.hasSameBytes(as: form["redirect_uri"] ?? "")
          && Self.isProof(form["code_verifier"], of: grant.challenge)
          && (grant.challenge != nil || hasSecret)
      }
      let token = try namespace.idToken(
        grant.subject, to: party, nonce: grant.nonce, at: clock.now)
      note(party.realm, grant.subject.source.name ?? "", "ID token")
      var json = JSONWriter()
      json.object { json in
        json.name("access_token")
        // RFC 6749 5.1 requires an access token; no endpoint of this service accepts it.
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

  /// The client of a request, and whether it proved who it is (OpenID Connect Core 1.0, 9). Wrong secrets cost time.
  private func client(
    _ form: FormReader, _ request: SiteRequest
  ) throws(TokenError) -> (RelyingParty, hasSecret: Bool) {
    var id = form["client_id"]
    var secret = form["client_secret"]
    if let header = request.fields["Authorization"] {
      guard secret == nil, let basic = Self.basic(header),
        id == nil || id.hasSameBytes(as: basic.name)
      else { throw TokenError(.issuingClientSecret) }
      (id, secret) = (basic.name, basic.password)
    }
    let address = request.peer ?? ""
    let name = "client:" + (id ?? "")
    guard let id, let party = try? namespace.relyingParty(id) else {
      guesses.failed(name, from: address)
      throw TokenError(.issuingClient)
    }
    guard let known = party.clientSecret else { return (party, false) }
    try guesses.admit(name, from: address)
    guard let secret,
      ConstantTime.areEqual(Array(known.revealed.utf8), Array(secret.utf8))
    else {
      guesses.failed(name, from: address)
      throw TokenError(.issuingClientSecret)
    }
    guesses.succeeded(name, from: address)
    return (party, true)
  }

  /// The name and password of a header (RFC 7617, 2: the scheme in any case; RFC 6749, 2.3.1: form-encoded parts).
  private static func basic(_ header: String) -> (name: String, password: String)? {
    let octets = Array(header.utf8)
    guard octets.prefix(6).map(ASCII.lowercased) == Array("basic ".utf8),
      let pair = try? Base64.decode(Array(octets.dropFirst(6).drop { $0 == ASCII.space })),
      let colon = pair.firstIndex(of: UInt8(ascii: ":")),
      let name = try? FormEncoding.decode(pair[..<colon]),
      let password = try? FormEncoding.decode(pair[(colon + 1)...])
    else { return nil }
    return (String(decoding: name, as: UTF8.self), String(decoding: password, as: UTF8.self))
  }

  // MARK: Sign-out

  /// `/v2/openid/logout` (OpenID Connect RP-Initiated Logout 1.0, 2).
  func openIDLogout(_ request: SiteRequest) async throws(TokenError) -> HTTPResponse {
    let query =
      request.method == "POST"
      ? try FormReader(request.body) : try self.query(request)
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
        back.adding(state).text, cookies: try await endVisit(request))
    }
    content.notes = ["The applications that you signed in to end their sessions themselves."]
    return responder.page(200, .content(content), cookies: try await endVisit(request))
  }
}
