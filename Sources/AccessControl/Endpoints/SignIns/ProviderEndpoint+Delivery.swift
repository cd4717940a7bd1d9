import BrowserExchange
import Octets
import SecurityKeys
import SignIn
import StrictJSON
import TokenService

extension AccessControlSite {
  /// Issues the token of a finished sign-in and sends it on its way.
  func finish(
    _ context: SignInContext, _ party: RelyingParty, _ provider: OfferedProvider,
    _ subject: SignedInSubject, _ request: WebRequest
  ) async throws(TokenError) -> HTTPResponse {
    try check(context, subject)
    let visit = visit(of: request)
    let delivered: () throws(TokenError) -> HTTPResponse
    switch context.delivery {
    case .delegation:
      return try await delegated(context, party, provider, subject, visit)
    case .openID:
      return try await openIDCode(context, party, provider, subject, visit)
    case .saml:
      let response = try samlResponse(context, party, subject)
      delivered = { () throws(TokenError) in
        self.postSAML(context, response, visit, party, provider)
      }
    case .passive, .notify:
      let token = try namespace.issue(subject, to: party, at: clock.now)
      delivered = { () throws(TokenError) in
        try self.deliver(token, context, party, provider, visit)
      }
    }
    try await use(context)
    return try delivered()
  }

  /// A sign-in is finished once: the last step, so that one that fails before stays open.
  ///
  /// - Throws: `signin.finished`, and what the store throws.
  func use(_ context: SignInContext) async throws(TokenError) {
    guard try await isFirstUse("sign-in:" + context.id, .begun(context.begun), until: context.end)
    else {
      throw TokenError(.signInFinished)
    }
  }

  /// Posts the token, or passes it to the program around the browser.
  private func deliver(
    _ token: IssuedToken, _ context: SignInContext, _ party: RelyingParty,
    _ provider: OfferedProvider, _ visit: Visit
  ) throws(TokenError) -> HTTPResponse {
    note(party.realm, provider.id, token.format.name)
    let cookies = [remembering(visit, joining: party.realm)]
    if context.delivery == .notify { return try notifying(token, context, cookies) }
    let reply = try party.returnAddress(asked: context.reply)
    var fields = [
      (name: "wa", value: "wsignin1.0"),
      (
        name: "wresult",
        value: String(decoding: try token.tokenResponse(context: context.context), as: UTF8.self)
      ),
    ]
    if let text = context.context { fields.append((name: "wctx", value: text)) }
    return responder.page(200, .form(reply, fields: fields), cookies: cookies)
  }

  /// Whether the provider signed the subject in as the relying party demands. Only its own word counts.
  ///
  /// - Throws: `issuing.freshness`.
  private func check(
    _ context: SignInContext, _ subject: SignedInSubject
  ) throws(TokenError) {
    let demands = context.demands
    let skew = Int64(Trust.defaultSkew)
    var earliest: Instant?
    if demands.forcesSignIn { earliest = context.begun.advanced(bySeconds: -skew) }
    if let age = demands.maxAge, !demands.forcesSignIn {
      earliest = clock.now.advanced(bySeconds: -Int64(age) - skew)
    }
    if let earliest {
      guard let instant = subject.authenticated, instant >= earliest else {
        throw TokenError(
          .issuingFreshness, node: "authentication instant",
          expected: "\(earliest.rfc3339) or later",
          found: subject.authenticated?.rfc3339 ?? "nothing")
      }
    }
    // Elsewhere contexts are a wish, and the token says what became of it.
    guard context.delivery == .saml, !demands.contexts.isEmpty else { return }
    let met = subject.context ?? Self.unspecifiedContext
    guard demands.contexts.contains(where: { $0.hasSameBytes(as: met) }) else {
      throw TokenError(
        .issuingFreshness, node: Self.contextNode,
        expected: TokenError.excerpt(demands.contexts.joined(separator: " or ")),
        found: subject.context.map { TokenError.excerpt($0) } ?? "nothing")
    }
  }

  /// What an assertion says where the provider says nothing (SAML Authentication Context, 3.4.25).
  private static let unspecifiedContext = "urn:oasis:names:tc:SAML:2.0:ac:classes:unspecified"
  static let contextNode = "authentication context"

  /// A page whose script passes the token to the program around the browser.
  private func notifying(
    _ token: IssuedToken, _ context: SignInContext, _ cookies: [SetCookie]
  ) throws(TokenError) -> HTTPResponse {
    var literal = JSONWriter()
    let message = try token.notifyMessage(context: context.context)
    literal.string(String(decoding: message, as: UTF8.self))
    // Nothing in it ends the script.
    let text = String(decoding: literal.bytes, as: UTF8.self).replacing("<", with: "\\u003c")
    let script = "window.external.Notify(\(text));"
    let digest = Base64.encode(DigestAlgorithm.sha256.digest(of: Array(script.utf8)) ?? [])
    let html =
      "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>Signed in</title>"
      + "<script type=\"text/javascript\">\(script)</script></head>"
      + "<body><p>You are signed in. Go back to the application.</p></body></html>\n"
    return responder.response(
      200, "text/html; charset=utf-8", Array(html.utf8),
      policy: "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; script-src "
        + "'sha256-\(digest)'", cookies: cookies)
  }

  /// Tells the relying party why there is no token, where it has an address for that, or the person.
  func refusal(
    _ error: TokenError, _ context: SignInContext, _ party: RelyingParty,
    _ provider: OfferedProvider
  ) -> HTTPResponse {
    note(party.realm, provider.id, error.code.rawValue)
    let place = ACSRefusal.Place.provider(provider.errors)
    // The relying party has its answer; what is wrong is in this browser.
    if error.code == .signInFinished { return refusal(error) }
    switch context.delivery {
    case .delegation:
      if let response = try? delegationRefused(error, context) { return response }
    case .passive:
      guard let address = party.errorAddress else { break }
      let code = ACSRefusal(error, at: place)
      let details = errorDetails(
        error, code, trace: logged(error, code), context: context.context, provider: provider.id)
      return responder.page(
        200,
        .form(
          address,
          fields: [(name: "ErrorDetails", value: String(decoding: details, as: UTF8.self))]))
    case .openID:
      if let redirect = try? party.returnAddress(asked: context.reply) {
        return openIDRefused(error, context, redirect)
      }
    case .saml:
      if let response = try? samlRefused(error, context, party) { return response }
    case .notify: break
    }
    return refusal(error, at: place)
  }

  /// The JSON of an error for a relying party.
  private func errorDetails(
    _ error: TokenError, _ code: ACSRefusal, trace: String, context: String?,
    provider: String
  ) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.name("context")
      if let context { json.string(context) } else { json.null() }
      json.name("httpReturnCode")
      json.integer(code.status)
      json.name("identityProvider")
      json.string(provider)
      json.name("timeStamp")
      json.string(timestamp)
      json.name("traceId")
      json.string(trace)
      json.name("errors")
      json.array { json in
        json.object { json in
          json.name("errorCode")
          json.string(code.description)
          json.name("errorMessage")
          json.string("\(error.code.summary) (\(error.code.rawValue))")
        }
      }
    }
    return json.bytes
  }

  /// The time as old clients read it: `2030-01-01 21:01:36Z`.
  var timestamp: String {
    Instant(secondsSinceEpoch: clock.now.seconds).rfc3339.replacing("T", with: " ")
  }

  func note(_ realm: String, _ source: String, _ outcome: String) {
    recent.add(
      RecentSignIns.Entry(time: clock.now, realm: realm, source: source, outcome: outcome))
    observer.happened(
      Activity("issuing.finished", [("realm", realm), ("source", source), ("outcome", outcome)]))
  }
}
