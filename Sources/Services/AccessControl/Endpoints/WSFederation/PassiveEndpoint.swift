import HTTPExchange
import SecurityKeys
import SignIn
import TokenBasics

extension SignInContext.Delivery {
  /// By a form that the browser posts (WS-Federation).
  package static let passive = Self(name: "wsfederation")
  /// By a script, to a program around the browser.
  package static let notify = Self(name: "javascriptnotify")
}

/// WS-Federation, and the list of identity providers with which a relying party, or a program around a browser, begins by
/// itself.
struct PassiveEndpoint: SignInEndpoint {
  let service: IssuingService

  var deliveries: [SignInContext.Delivery] { [.passive, .notify] }

  var routes: [Route] {
    [
      Route("/v2/wsfederation", get: receive),
      Route("/v2/metadata/identityproviders.js", get: listProviders),
      Route("/federationmetadata/2007-06/federationmetadata.xml", get: showMetadata),
    ]
  }

  private func receive(_ request: WebRequest) async throws(TokenError) -> HTTPResponse {
    let query = try service.query(request)
    switch query["wa"] {
    case "wsignin1.0": return try await begin(request)
    case "wsignout1.0": return try await signOut(query, request)
    case "wsignoutcleanup1.0":
      return try await service.cleanUp(request, reply: try reply(to: query).reply)
    default:
      throw TokenError(
        .issuingRequest, node: "wa", expected: "wsignin1.0 or wsignout1.0",
        found: query["wa"].map { TokenError.excerpt($0) })
    }
  }

  // MARK: Sign-in

  func begin(_ request: WebRequest) async throws(TokenError) -> HTTPResponse {
    let query = try service.query(request)
    guard let realm = query["wtrealm"] else {
      throw TokenError(.issuingRequest, node: "wtrealm", expected: "the realm")
    }
    let party = try service.namespace.relyingParty(realm)
    _ = try party.returnAddress(asked: query["wreply"])
    var context = SignInContext(.passive, realm: realm)
    context.reply = query["wreply"]
    context.relyingPartyState = query["wctx"]
    // WS-Federation 1.2, 13.2.2.
    if let text = query["wfresh"], !text.isEmpty {
      guard let minutes = Int(text), (0...5_256_000).contains(minutes) else {
        throw TokenError(.issuingRequest, node: "wfresh", expected: "minutes")
      }
      if minutes == 0 { context.demands.forcesSignIn = true }
      context.demands.maxAge = minutes * 60
    }
    if let type = query["wauth"], !type.isEmpty { context.demands.contexts = [type] }
    return try await service.choose(
      context, party, query["whr"], request, staysOnPage: query["redirect"] == "false")
  }

  func checkReply(_ context: SignInContext, _ party: RelyingParty) throws(TokenError) {
    guard context.delivery == .passive else { return }
    _ = try party.returnAddress(asked: context.reply)
  }

  /// Posts the token, or passes it to the program around the browser.
  func deliver(_ signIn: FinishedSignIn) throws(TokenError) -> Answer {
    let (context, party) = (signIn.context, signIn.party)
    let token = try service.namespace.issue(signIn.subject, to: party, at: service.clock.now)
    return { () async throws(TokenError) in
      try await service.remember(
        signIn.subject, of: token, to: party, by: context.delivery.entrance ?? .wsFederation,
        client: party.realm, in: signIn.visit.id)
      service.note(party.realm, signIn.provider.id, token.format.name)
      let cookies = [try await service.joining(signIn)]
      return context.delivery == .notify
        ? try notify(token, context, cookies) : try post(token, context, party, cookies)
    }
  }

  private func post(
    _ token: IssuedToken, _ context: SignInContext, _ party: RelyingParty, _ cookies: [SetCookie]
  ) throws(TokenError) -> HTTPResponse {
    let reply = try party.returnAddress(asked: context.reply)
    let result = try token.tokenResponse(context: context.relyingPartyState)
    var fields = [
      (name: "wa", value: "wsignin1.0"),
      (name: "wresult", value: String(decoding: result, as: UTF8.self)),
    ]
    if let state = context.relyingPartyState { fields.append((name: "wctx", value: state)) }
    return service.responder.page(200, .form(reply, fields: fields), cookies: cookies)
  }

  /// A page whose script passes the token to the program around the browser.
  private func notify(
    _ token: IssuedToken, _ context: SignInContext, _ cookies: [SetCookie]
  ) throws(TokenError) -> HTTPResponse {
    var literal = JSONWriter()
    let message = try token.notifyMessage(context: context.relyingPartyState)
    literal.string(String(decoding: message, as: UTF8.self))
    // Nothing in it ends the script.
    let text = String(decoding: literal.bytes, as: UTF8.self).replacing("<", with: "\\u003c")
    let script = "window.external.Notify(\(text));"
    let digest = Base64.encode(DigestAlgorithm.sha256.digest(of: Array(script.utf8)) ?? [])
    let html =
      "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>Signed in</title>"
      + "<script type=\"text/javascript\">\(script)</script></head>"
      + "<body><p>You are signed in. Go back to the application.</p></body></html>\n"
    return service.responder.response(
      200, "text/html; charset=utf-8", Array(html.utf8),
      policy: "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; script-src "
        + "'sha256-\(digest)'", cookies: cookies)
  }

  /// Posts the error to the relying party's address for errors, if it has one.
  func refuse(
    _ error: TokenError, _ context: SignInContext, _ party: RelyingParty,
    from provider: ACSIdentityProvider?
  ) -> HTTPResponse? {
    guard context.delivery == .passive, let address = party.errorAddress, let provider else {
      return nil
    }
    let refusal = ACSRefusal(error, at: .provider(provider.errors))
    let details = errorDetails(error, refusal, context, provider)
    return service.responder.page(
      200,
      .form(
        address,
        fields: [(name: "ErrorDetails", value: String(decoding: details, as: UTF8.self))]))
  }

  /// The JSON of an error for a relying party.
  private func errorDetails(
    _ error: TokenError, _ refusal: ACSRefusal, _ context: SignInContext,
    _ provider: ACSIdentityProvider
  ) -> [UInt8] {
    let trace = service.logged(error, refusal)
    var json = JSONWriter()
    json.object { json in
      json.name("context")
      if let state = context.relyingPartyState { json.string(state) } else { json.null() }
      json.name("httpReturnCode")
      json.integer(refusal.status)
      for (name, value) in [
        ("identityProvider", provider.id), ("timeStamp", service.timestamp), ("traceId", trace),
      ] {
        json.member(named: name, value)
      }
      json.name("errors")
      json.array { json in
        json.object { json in
          json.name("errorCode")
          json.string(refusal.description)
          json.name("errorMessage")
          json.string("\(error.code.summary) (\(error.code.rawValue))")
        }
      }
    }
    return json.bytes
  }

  // MARK: Sign-out

  /// Signs this browser out, and at the real provider. Any page can have a link or a picture with this address, so the person is
  /// asked, unless the browser comes from a page of a relying party that is signed in to here.
  private func signOut(
    _ query: FormReader, _ request: WebRequest
  ) async throws(TokenError) -> HTTPResponse {
    let (reply, party) = try reply(to: query)
    guard !request.isPicture else { return service.stayingSignedIn(reply) }
    let referrer = request.fields["Referer"].flatMap { try? HTTPURL($0) }?.origin
    return try await service.signOut(request, for: party, reply: reply) { visit in
      guard let referrer else { return false }
      return visit.parties.contains { visited in
        guard let party = try? service.namespace.relyingParty(visited.realm) else { return false }
        let consumers = party.serviceProvider?.consumers.map(\.location) ?? []
        return (party.returnAddresses + consumers).contains { $0.origin == referrer }
      }
    }
  }

  /// What the browser gets in the end, with a way back to a registered address; and the relying party that asks.
  private func reply(
    to query: FormReader
  ) throws(TokenError) -> (reply: SignOut.Reply, party: RelyingParty?) {
    let namespace = service.namespace
    guard let reply = query["wreply"], !reply.isEmpty else {
      return (.page(back: PageContent.Link("To the front page", to: "/")), nil)
    }
    guard
      let party = query["wtrealm"] == nil
        ? namespace.relyingParties.first(where: { (try? $0.returnAddress(asked: reply)) != nil })
        : try namespace.relyingParty(query["wtrealm"] ?? "")
    else { throw TokenError(.issuingReplyAddress, found: TokenError.excerpt(reply)) }
    let back = PageContent.Link(
      "Back to \(party.name)", to: try party.returnAddress(asked: reply).text)
    return (.page(back: back), party)
  }
}

extension WebRequest {
  /// Whether a page asks for it by itself, as for a picture, and the person followed no link.
  fileprivate var isPicture: Bool {
    if let mode = fields["Sec-Fetch-Mode"] { return mode != "navigate" }
    let accepted = fields.values("Accept")
    return !accepted.isEmpty && accepted.allSatisfy { $0.hasPrefix("image/") }
  }
}
