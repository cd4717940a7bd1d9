import BrowserExchange
import Octets
import SignIn
import TokenService

extension AccessControlSite {
  /// WS-Federation: begins a sign-in, or signs out.
  func passive(_ request: WebRequest) async throws(TokenError) -> HTTPResponse {
    let query = try query(request)
    switch query["wa"] {
    case "wsignin1.0": return try beginPassive(query, request)
    case "wsignout1.0", "wsignoutcleanup1.0": return try await signOut(query, request)
    default:
      throw TokenError(
        .issuingRequest, node: "wa", expected: "wsignin1.0 or wsignout1.0",
        found: query["wa"].map { TokenError.excerpt($0) })
    }
  }

  /// The query of a request. Campaigns and proxies add parameters with names of their own, which are not looked at.
  func query(_ request: WebRequest) throws(TokenError) -> FormReader {
    try FormReader((request.query ?? "").utf8, passingOver: .foreignNames)
  }

  private func beginPassive(
    _ query: FormReader, _ request: WebRequest
  ) throws(TokenError) -> HTTPResponse {
    guard let realm = query["wtrealm"] else {
      throw TokenError(.issuingRequest, node: "wtrealm", expected: "the realm")
    }
    let party = try namespace.relyingParty(realm)
    _ = try party.returnAddress(asked: query["wreply"])
    var context = SignInContext(.passive, realm: realm)
    context.reply = query["wreply"]
    context.context = query["wctx"]
    // WS-Federation 1.2, 13.2.2.
    if let text = query["wfresh"], !text.isEmpty {
      guard let minutes = Int(text), (0...5_256_000).contains(minutes) else {
        throw TokenError(.issuingRequest, node: "wfresh", expected: "minutes")
      }
      if minutes == 0 { context.demands.forcesSignIn = true }
      context.demands.maxAge = minutes * 60
    }
    if let type = query["wauth"], !type.isEmpty { context.demands.contexts = [type] }
    return try choose(
      context, party, query["whr"], request, staysOnPage: query["redirect"] == "false")
  }

  /// Sends the browser to the one provider, or asks which.
  ///
  /// - Parameter wanted: The provider that the relying party asks for; nil to ask the person. One that is none of ours is
  ///   passed on where there is one provider that has others behind it.
  func choose(
    _ context: SignInContext, _ party: RelyingParty, _ wanted: String?, _ request: WebRequest,
    staysOnPage: Bool = false
  ) throws(TokenError) -> HTTPResponse {
    let namespace = namespace
    let providers = namespace.providers(of: party)
    var context = context
    begin(&context)
    let (browser, cookies) = browser(request)
    if let wanted, !wanted.isEmpty {
      let chosen: OfferedProvider
      if let only = providers.first, providers.count == 1, case .upstream = only.kind,
        !only.id.hasSameBytes(as: wanted)
      {
        chosen = only
        context.demands.homeRealm = wanted
      } else {
        chosen = try namespace.provider(wanted, of: party)
      }
      try askNobody(context, chosen)
      return responder.redirect(signInAddress(chosen, context, browser), cookies: cookies)
    }
    if providers.count == 1, !staysOnPage, let only = providers.first {
      try askNobody(context, only)
      return responder.redirect(signInAddress(only, context, browser), cookies: cookies)
    }
    guard !context.demands.isPassive else {
      throw TokenError(.issuingFreshness, node: "passive", found: "a choice of providers")
    }
    let links = providers.map { ($0.name, signInAddress($0, context, browser)) }
    return responder.page(200, .providers(ChoicePage(providers: links)), cookies: cookies)
  }

  /// Where nobody may be asked, test people cannot sign in: somebody has to press.
  private func askNobody(
    _ context: SignInContext, _ provider: OfferedProvider
  ) throws(TokenError) {
    guard context.demands.isPassive, case .testPeople = provider.kind else { return }
    throw TokenError(.issuingFreshness, node: "passive", found: "a person has to be asked")
  }

  /// Tells the relying parties that this browser signed in to, and forgets them. Nothing but the person's own cookie
  /// says which, and the way back is a registered address.
  private func signOut(
    _ query: FormReader, _ request: WebRequest
  ) async throws(TokenError) -> HTTPResponse {
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
    let parties = visit(of: request).realms.compactMap { try? namespace.relyingParty($0) }
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
    return responder.page(200, .content(content), cookies: try await endVisit(request))
  }
}
