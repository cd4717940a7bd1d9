import HTTPExchange
import JSONWebTokens
import Octets
import SecurityKeys
import SignIn
import TokenBasics

extension SignInContext.Delivery {
  /// As an ID token for an authorization code (OpenID Connect).
  package static let openID = Self(name: "openid")
}

/// OpenID Connect: the code flow. A relying party is a client by its realm, and its return addresses are its redirect URIs.
struct OpenIDEndpoint: SignInEndpoint {
  let service: IssuingService

  var deliveries: [SignInContext.Delivery] { [.openID] }

  var routes: [Route] {
    let programs = Route.Programs(challenge: "Basic realm=\"acs\", charset=\"UTF-8\"") {
      service.oauthRefusal($0)
    }
    return [
      Route("/.well-known/openid-configuration", get: showConfiguration),
      Route("/v2/openid/keys", get: showKeys),
      Route("/.well-known/oauth-authorization-server", get: showConfiguration),
      Route("/v2/openid/authorize", get: begin, post: begin),
      Route(Self.tokenPath, for: programs, post: giveToken),
      Route("/v2/openid/introspect", for: programs, post: introspect),
      Route("/v2/openid/revoke", for: programs, post: revoke),
      Route("/v2/openid/par", for: programs, post: push),
      Route("/v2/openid/userinfo", get: showUserInfo, post: showUserInfo),
      Route("/v2/openid/logout", get: signOut, post: signOut),
    ]
  }

  /// `/v2/openid/authorize` (OpenID Connect Core 1.0, 3.1.2), by GET or POST.
  func begin(_ request: WebRequest) async throws(TokenError) -> HTTPResponse {
    let sent =
      request.method == "POST"
      ? try service.form(request, passingOver: .foreignNames) : try service.query(request)
    // RFC 6749, 3.1: a parameter without a value is none.
    let query = try await parameters(sent.withoutEmptyValues)
    let client = try await service.party(query.require("client_id"))
    let redirect = try client.redirectURI(asked: query.require("redirect_uri"))
    let party = client.named(answeredAt: redirect.text)
    var context = context(of: query, party, redirect)
    do throws(TokenError) {
      try check(query, context, party)
      (context.scopes, context.resource) = try access(query, party)
      context.demands = try demands(query)
      context.subject = try hinted(query, party)
      // The file does not vouch for a client that described itself: the person sees where the code goes before it does.
      let isKnown = party.home == nil
      return try await service.choose(
        context, party, isKnown ? query["whr"] : nil, request, staysOnPage: !isKnown)
    } catch {
      // RFC 9700, 4.11.2: no browser is sent to an address that the file does not name before the person saw a page.
      // What is too large is not sent on.
      guard party.home == nil, error.code != .inputTooLarge else { throw error }
      return refuse(error, context, redirect)
    }
  }

  /// What an authorization request is answered with.
  func context(
    of query: FormReader, _ party: RelyingParty, _ redirect: RedirectURI
  ) -> SignInContext {
    var context = SignInContext(.openID, realm: party.realm)
    context.reply = redirect.text
    context.relyingPartyState = query["state"]
    context.nonce = query["nonce"]
    context.challenge = query["code_challenge"]
    context.mode = query["response_mode"]
    return context
  }

  /// The scopes that are granted, and the relying party whose access token is wanted (RFC 8707, 2). A scope that is not known
  /// is passed over (OpenID Connect Core 1.0, 3.1.2.1), unless none is left: no answer could say so (RFC 6749, 5.1).
  ///
  /// - Throws: `exchange.target`, `exchange.scope`.
  func access(
    _ query: FormReader, _ party: RelyingParty
  ) throws(TokenError) -> (scopes: [String], resource: String?) {
    let asked = try OAuthScope.read(query["scope"])
    let resource = try query["resource"].map { (resource) throws(TokenError) in
      try target(resource, for: party)
    }
    let known = ScopedClaims.scopes + (resource?.exchange.scopes ?? [])
    let granted = asked.filter(known.containsBytes)
    if granted.isEmpty { try OAuthScope.check(asked, areIn: known) }
    // OpenID Connect Core 1.0, 11: the file stands for consent, and has no clients that described themselves.
    let isVouchedFor = party.home == nil
    return (granted.filter { isVouchedFor || $0 != "offline_access" }, resource?.realm)
  }

  /// The relying party whose access tokens a client may have.
  ///
  /// - Throws: `exchange.target`.
  func target(_ resource: String, for party: RelyingParty) throws(TokenError) -> RelyingParty {
    guard let target = try? service.namespace.relyingParty(resource),
      target.exchange.resourceClients.containsBytes(of: party.realm)
        || party.home.map({ $0.hasSameBytes(as: target.realm) }) == true
    else {
      throw TokenError(
        .exchangeTarget, node: "resource",
        expected: "a relying party whose resourceFor names the client",
        found: TokenError.excerpt(resource))
    }
    return target
  }

  static func wrong(
    _ node: String, _ expected: String, found: String? = nil,
    _ name: OAuthErrorName = .invalidRequest
  ) -> TokenError {
    TokenError(
      .issuingAuthorizationRequest, node: node, expected: expected, found: found, .named(name))
  }

  /// Parameters that this service does not take, and the names of their errors (OpenID Connect Core 1.0, 3.1.2.6).
  private static let unsupported: [(String, OAuthErrorName)] = [
    ("request", .requestNotSupported), ("request_uri", .requestURINotSupported),
    ("registration", .registrationNotSupported),
  ]

  func check(
    _ query: FormReader, _ context: SignInContext, _ party: RelyingParty
  ) throws(TokenError) {
    for (parameter, name) in Self.unsupported where query[parameter] != nil {
      throw Self.wrong(parameter, "nothing", name)
    }
    guard query["response_type"] == "code" else {
      let found = query["response_type"].map { TokenError.excerpt($0) }
      throw Self.wrong(
        "response_type", "code", found: found,
        found == nil ? .invalidRequest : .unsupportedResponseType)
    }
    // Without it the request is one of OAuth 2.0, for the tokens of a resource.
    guard
      query["resource"] != nil || (query["scope"] ?? "").split(separator: " ").contains("openid")
    else { throw Self.wrong("scope", "openid") }
    let isOfApp = context.reply.map { AppURI($0) != nil } ?? false
    guard [nil, "query", "form_post"].contains(context.mode),
      !(isOfApp && context.mode == "form_post")
    else {
      throw Self.wrong(
        "response_mode", isOfApp ? "query, since an app takes no form" : "query or form_post")
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
  func demands(_ query: FormReader) throws(TokenError) -> SignInDemands {
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

  /// The identifier of the person whom the client expects: that of an ID token which it got here, though it may be over (OpenID
  /// Connect Core 1.0, 3.1.2.1). Nil without a hint.
  ///
  /// - Throws: `issuing.authorization-request` for what is no ID token of ours for that client.
  func hinted(_ query: FormReader, _ party: RelyingParty) throws(TokenError) -> String? {
    guard let hint = query["id_token_hint"] else { return nil }
    guard let token = signedIDToken(hint), let subject = token.facts.subject,
      token.facts.audiences.containsBytes(of: party.realm)
    else { throw Self.wrong("id_token_hint", "an ID token of this service for the client") }
    return subject
  }

  // MARK: Answers

  func checkReply(_ context: SignInContext, _ party: RelyingParty) throws(TokenError) {
    _ = try party.redirectURI(asked: context.reply)
  }

  /// Sends the code for a subject to the client.
  func deliver(_ signIn: FinishedSignIn) throws(TokenError) -> Answer {
    let (context, party) = (signIn.context, signIn.party)
    let redirect = try party.redirectURI(asked: context.reply)
    let name = try service.namespace.identifier(of: signIn.subject, for: party)
    // OpenID Connect Core 1.0, 3.1.2.2: no answer about another person.
    guard context.subject.map({ $0.hasSameBytes(as: name) }) ?? true else {
      throw TokenError(
        .issuingFreshness, node: "subject", expected: "the person of id_token_hint",
        found: "another one")
    }
    // Whether a token of each kind that was asked for can be made is told now, not when the code is exchanged.
    if context.scopes.isEmpty || context.scopes.contains("openid") {
      _ = try service.namespace.idToken(
        signIn.subject, to: party, nonce: context.nonce, at: service.clock.now)
    }
    if let resource = context.resource {
      let target = try service.namespace.relyingParty(resource)
      _ = try service.namespace.accessToken(
        signIn.subject, to: target, client: party.realm, scopes: [], id: "", at: service.clock.now)
    }
    return { () async throws(TokenError) in
      let grant = Grant(.openID, of: signIn, to: party.realm, at: redirect, service.clock.now)
      let code = try await service.grants.code(for: grant)
      service.note(party.realm, signIn.provider.id, "code")
      return answer(
        context, redirect, [("code", code.revealed)],
        cookies: [
          try await service.joining(signIn, as: IssuerSession(name: SubjectName(name)))
        ])
    }
  }

  func refuse(
    _ error: TokenError, _ context: SignInContext, _ party: RelyingParty,
    from provider: ACSIdentityProvider?
  ) throws(TokenError) -> HTTPResponse? {
    refuse(error, context, try party.redirectURI(asked: context.reply))
  }

  /// Sends an error to the client (OpenID Connect Core 1.0, 3.1.2.6).
  private func refuse(
    _ error: TokenError, _ context: SignInContext, _ redirect: RedirectURI
  ) -> HTTPResponse {
    let refusal = ACSRefusal(error)
    service.logged(error, refusal)
    return answer(
      context, redirect,
      [
        ("error", Self.errorName(error, refusal).rawValue),
        ("error_description", "\(refusal): \(error.code.summary)"),
      ])
  }

  static func errorName(_ error: TokenError, _ refusal: ACSRefusal) -> OAuthErrorName {
    ErrorAnswer(error).name ?? refusal.ownFault ?? .accessDenied
  }

  /// By a redirect or a posted form, with the state and the issuer (RFC 9207).
  private func answer(
    _ context: SignInContext, _ redirect: RedirectURI, _ parameters: [(String, String)],
    cookies: [SetCookie] = []
  ) -> HTTPResponse {
    var parameters = parameters + [("iss", service.namespace.issuer)]
    if let state = context.relyingPartyState { parameters.append(("state", state)) }
    guard context.mode == "form_post", let url = redirect.url else {
      return service.responder.redirect(redirect.adding(parameters), cookies: cookies)
    }
    return service.responder.page(
      200, .form(url, fields: parameters.map { (name: $0.0, value: $0.1) }), cookies: cookies)
  }
}
