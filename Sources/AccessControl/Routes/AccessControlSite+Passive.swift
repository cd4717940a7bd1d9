import BrowserExchange
import Octets
import SignIn
import TokenService

extension AccessControlSite {
  /// WS-Federation: begins a sign-in, or signs out.
  func passive(_ request: SiteRequest) throws(TokenError) -> HTTPResponse {
    let query = try FormReader((request.query ?? "").utf8)
    switch query["wa"] {
    case "wsignin1.0": return try beginPassive(query)
    case "wsignout1.0", "wsignoutcleanup1.0": return try signOut(query, request)
    default:
      throw TokenError(
        .issuingRequest, node: "wa", expected: "wsignin1.0 or wsignout1.0",
        found: query["wa"].map { TokenError.excerpt($0) })
    }
  }

  private func beginPassive(_ query: FormReader) throws(TokenError) -> HTTPResponse {
    guard let realm = query["wtrealm"] else {
      throw TokenError(.issuingRequest, node: "wtrealm", expected: "the realm")
    }
    let party = try namespace.relyingParty(realm)
    _ = try party.returnAddress(asked: query["wreply"])
    var context = SignInContext(.passive, realm: realm)
    context.reply = query["wreply"]
    context.context = query["wctx"]
    return try choose(context, party, query["whr"], staysOnPage: query["redirect"] == "false")
  }

  /// Sends the browser to the one provider, or asks which.
  ///
  /// - Parameter wanted: The provider that the relying party asks for; nil to ask the person.
  func choose(
    _ context: SignInContext, _ party: RelyingParty, _ wanted: String?, staysOnPage: Bool = false
  ) throws(TokenError) -> HTTPResponse {
    let namespace = namespace
    if let wanted, !wanted.isEmpty {
      return responder.redirect(
        signInAddress(try namespace.provider(wanted, of: party), context))
    }
    let providers = namespace.providers(of: party)
    if providers.count == 1, !staysOnPage, let only = providers.first {
      return responder.redirect(signInAddress(only, context))
    }
    let links = providers.map { ($0.name, signInAddress($0, context)) }
    return responder.page(200, .providers(ChoicePage(providers: links)))
  }

  /// Tells the relying parties that this browser signed in to, and forgets them. Nothing but the person's own cookie
  /// says which, and the way back is a registered address.
  private func signOut(
    _ query: FormReader, _ request: SiteRequest
  ) throws(TokenError) -> HTTPResponse {
    let namespace = namespace
    var back: String?
    if let reply = query["wreply"], !reply.isEmpty {
      guard
        let party = query["wtrealm"] == nil
          ? namespace.relyingParties.first(where: { (try? $0.returnAddress(asked: reply)) != nil })
          : try namespace.relyingParty(query["wtrealm"] ?? "")
      else { throw TokenError(.issuingReplyAddress, found: TokenError.excerpt(reply)) }
      back = try party.returnAddress(asked: reply).text
    }
    let parties = participants(request).compactMap { try? namespace.relyingParty($0) }
    var content = PageContent("You are signed out")
    content.notes =
      parties.isEmpty
      ? ["You were signed in to nothing here."]
      : ["You were signed in to " + parties.map(\.name).joined(separator: ", ") + "."]
    content.pings = parties.compactMap { party in
      party.returnAddresses.first.map {
        $0.adding([("wa", "wsignoutcleanup1.0")]).text
      }
    }
    content.onward = back.map { PageContent.Link("Back to the application", to: $0) }
    observer.happened(Activity("issuing.signed-out"))
    return responder.page(
      200, .content(content), cookies: [SetCookie.removing(cookieName("sessions"), .lax)])
  }
}
