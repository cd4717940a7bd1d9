import HTTPExchange
import Octets
import SecurityKeys
import SignIn

/// The way of a browser from one party to the next, when a person signs out.
struct SignOutEndpoint: Endpoint {
  let service: IssuingService

  var routes: [Route] { [Route(Self.path, get: goOn, post: answerQuestion)] }

  static let path = "/v2/sign-out"

  /// `GET /v2/sign-out`: the browser has fetched the pictures of a page.
  private func goOn(_ request: WebRequest) async throws(TokenError) -> HTTPResponse {
    guard let signOut = try await service.signOut(of: request), case .page = signOut.asked else {
      throw TokenError(.logoutUnsolicited)
    }
    return try await service.proceed(with: signOut)
  }

  /// `POST /v2/sign-out`: the person was asked whether to sign out.
  private func answerQuestion(_ request: WebRequest) async throws(TokenError) -> HTTPResponse {
    let form = try service.form(request)
    // The form is the one that this browser was shown, and counts once.
    guard let signOut = try await service.signOut(of: request), case .person = signOut.asked,
      ConstantTime.areEqual(
        Array(service.formToken(signOut.id, Self.path).utf8),
        Array(try form.require("token").utf8))
    else { throw TokenError(.logoutUnsolicited) }
    let answer = try form.require("answer")
    guard answer == "out" || answer == "stay" else {
      throw TokenError(.issuingField, node: "answer")
    }
    let cookie = try await service.forget(signOut)
    guard answer == "out" else {
      var content = PageContent("You are still signed in", notes: signOut.stayed)
      content.nextLink = PageContent.Link("To the front page", to: "/")
      return service.responder.page(200, .content(content), cookies: [cookie])
    }
    // The sign-out that begins now has the cookie anew, or takes it out.
    return try await service.signOut(request, reply: signOut.reply)
  }
}

extension IssuingService {
  /// Signs the browser of a request out: here at once, at every relying party, and at the providers where its sign-ins were.
  ///
  /// - Parameters:
  ///   - request: The request of the browser.
  ///   - realm: The relying party that asked, which knows.
  ///   - reply: What the browser gets in the end.
  ///   - reachesProviders: Whether the sessions at real providers end, too.
  func signOut(
    _ request: WebRequest, asked realm: String? = nil, reply: SignOut.Reply,
    reachesProviders: Bool = true
  ) async throws(TokenError) -> HTTPResponse {
    var signOut = SignOut(id: random.hex(16), reply: reply)
    if let id = visitID(of: request) {
      try await end(visit: id, joining: &signOut, asked: realm)
    }
    if !reachesProviders { signOut.sessions = [] }
    // A picture of another page goes nowhere.
    if let mode = request.fields["Sec-Fetch-Mode"], mode != "navigate" { signOut.endHere() }
    observer.happened(Activity("issuing.signed-out"))
    let cookies = [SetCookie.removing(cookieName("sessions"), .none)]
    return adding(
      cookies + (try await endArrivals(request)), to: try await proceed(with: signOut))
  }

  /// Signs out at once where the relying party that asks shows something of the session in this browser, or none is there;
  /// otherwise the person is asked.
  ///
  /// - Parameters:
  ///   - request: The request of the browser.
  ///   - party: The relying party that asks; nil where it does not say who it is.
  ///   - realm: Its realm where it ends its own session, and is not told of the sign-out.
  ///   - reply: What the browser gets in the end.
  ///   - isMeant: Whether the relying party shows something of this visit.
  func signOut(
    _ request: WebRequest, for party: RelyingParty?, asked realm: String? = nil,
    reply: SignOut.Reply, ifMeant isMeant: (Visit) -> Bool
  ) async throws(TokenError) -> HTTPResponse {
    if let id = visitID(of: request), try await !grants.isOver(id) {
      let visit = try await grants.visit(id)
      guard isMeant(visit) else {
        return try await askToSignOut(of: visit, for: party, reply: reply)
      }
    }
    return try await signOut(request, asked: realm, reply: reply)
  }

  /// Ends the visit of a browser without a question, where it has a session at a provider of WS-Federation above: that provider
  /// alone sends a clean-up (WS-Federation 1.2, 13.2.4). Nothing else of the browser ends by it.
  func cleanUp(
    _ request: WebRequest, reply: SignOut.Reply
  ) async throws(TokenError) -> HTTPResponse {
    guard let id = visitID(of: request), try await !grants.isOver(id),
      try await !isOfFederation(grants.visit(id))
    else { return try await signOut(request, reply: reply, reachesProviders: false) }
    return stayingSignedIn(reply)
  }

  /// Whether a visit has a session at a provider of WS-Federation.
  private func isOfFederation(_ visit: Visit) -> Bool {
    visit.sessions.contains {
      upstream?.provider($0.provider)?.method is WSFederationMethod
    }
  }

  /// Ends nothing, and says so.
  func stayingSignedIn(_ reply: SignOut.Reply) -> HTTPResponse {
    var content = PageContent("Nothing was ended", notes: ["You were not signed out here."])
    if case .page(let back) = reply { content.nextLink = back }
    return responder.page(200, .content(content))
  }

  /// Asks the person whether to sign out, where the one who asks shows nothing of the session: any page could ask (OpenID
  /// Connect RP-Initiated Logout 1.0, 2 and 6).
  ///
  /// - Parameters:
  ///   - party: The relying party that asks; nil where it does not say who it is.
  ///   - reply: What the browser gets in the end.
  private func askToSignOut(
    of visit: Visit, for party: RelyingParty?, reply: SignOut.Reply
  ) async throws(TokenError) -> HTTPResponse {
    var signOut = SignOut(id: random.hex(16), reply: reply)
    signOut.asked = .person
    for visited in visit.parties {
      if let party = try? await self.party(visited.realm) { signOut.names.append(party.name) }
    }
    var content = PageContent(
      "Sign out?",
      notes: [
        "\(party?.name ?? "Another site") asks to sign you out here.", signOut.question,
      ])
    let token = (name: "token", value: formToken(signOut.id, SignOutEndpoint.path))
    func form(_ answer: String, _ text: String, _ action: PageContent.Action) -> PageContent.Form {
      PageContent.Form(
        to: SignOutEndpoint.path, fields: [token, (name: "answer", value: answer)], button: text,
        action: action)
    }
    content.forms = [
      form("out", "Sign out", .primary), form("stay", "Stay signed in", .aside),
    ]
    observer.happened(Activity("issuing.sign-out-asked"))
    return responder.page(
      200, .content(content), cookies: [try await remembering(signOut)])
  }

  /// Ends a sign-out that did not begin.
  ///
  /// - Returns: What takes it out of the browser.
  func forget(_ signOut: SignOut) async throws(TokenError) -> SetCookie {
    try await grants.remove(.signOut(signOut.id))
    return SetCookie.removing(cookieName("leaving"), .none)
  }

  /// The sign-out that a browser is on; nil for none.
  func signOut(of request: WebRequest) async throws(TokenError) -> SignOut? {
    guard let id = request.cookies[cookieName("leaving")]?.revealed, id.utf8.count == 32,
      var signOut = try await grants.kept(under: .signOut(id))
    else { return nil }
    signOut.id = id
    return signOut
  }

  /// Sends the browser to the next who has to hear of it, or to the end.
  func proceed(with signOut: SignOut) async throws(TokenError) -> HTTPResponse {
    var signOut = signOut
    if !signOut.pictures.isEmpty, !signOut.isOnLastPage {
      return try await showPictures(of: signOut)
    }
    while let party = signOut.parties.popLast() {
      let request: String
      let response: HTTPResponse
      do throws(TokenError) {
        (request, response) = try SAMLEndpoint(service: self).ask(party)
      } catch {
        logNotTold(party.realm, error)
        signOut.isPartial = true
        continue
      }
      signOut.asked = .serviceProvider(realm: party.realm, request: request)
      return adding([try await remembering(signOut)], to: response)
    }
    while let session = signOut.sessions.popLast() {
      guard let response = try await upstream?.beginSignOut(of: session) else {
        signOut.isPartial = true
        continue
      }
      signOut.asked = .provider
      return adding([try await remembering(signOut)], to: response)
    }
    return adding([try await forget(signOut)], to: try await answer(signOut))
  }

  /// A page that tells WS-Federation by its pictures and goes on by itself.
  private func showPictures(of signOut: SignOut) async throws(TokenError) -> HTTPResponse {
    var signOut = signOut
    var content = PageContent("Signing you out", notes: [signOut.sentence])
    content.signOutImages = signOut.pictures
    content.primaryLink = PageContent.Link("Continue", to: SignOutEndpoint.path)
    signOut.pictures = []
    signOut.asked = .page
    var response = responder.page(
      200, .content(content), cookies: [try await remembering(signOut)])
    try response.fields.append("Refresh", "2;url=" + SignOutEndpoint.path)
    return response
  }

  /// Keeps a sign-out while the browser is elsewhere.
  private func remembering(_ signOut: SignOut) async throws(TokenError) -> SetCookie {
    try await grants.keep(
      signOut, under: .signOut(signOut.id),
      until: clock.now.advanced(bySeconds: SignOut.lifetime))
    // It has to come along with the answer that a service provider posts.
    return SetCookie(
      name: cookieName("leaving"), value: Secret(signOut.id), maximumAge: SignOut.lifetime,
      sameSite: .none)
  }

  /// What the browser gets in the end.
  private func answer(_ signOut: SignOut) async throws(TokenError) -> HTTPResponse {
    switch signOut.reply {
    case .page(let back):
      var content = PageContent("You are signed out", notes: [signOut.sentence])
      if signOut.isPartial, !signOut.names.isEmpty {
        content.notes.append(
          "Not each of them said that your session there ended; close the browser.")
      }
      content.signOutImages = signOut.pictures
      content.nextLink = back
      return responder.page(200, .content(content))
    case .redirect(let address): return responder.redirect(address)
    case .serviceProvider(let realm, let request, let relayState):
      return try await SAMLEndpoint(service: self).answer(
        request, of: realm, signOut.isPartial ? .partial : .done, relayState)
    case .provider(let done, let partial):
      switch signOut.isPartial ? partial : done {
      case .redirect(let address): return responder.redirect(address.text)
      case .post(let address, let fields):
        return responder.page(200, .form(address, fields: fields))
      }
    }
  }
}

extension SignOut {
  /// Whether nothing comes after the page that the browser gets now.
  fileprivate var isOnLastPage: Bool {
    guard case .page = reply else { return false }
    return parties.isEmpty && sessions.isEmpty
  }

  fileprivate var sentence: String {
    names.isEmpty
      ? "You were signed in to nothing here."
      : "You were signed in to " + names.joined(separator: ", ") + "."
  }

  /// What a sign-out would end.
  fileprivate var question: String {
    names.isEmpty
      ? "Signing out ends what you began in this browser."
      : "Signing out ends your session at \(names.joined(separator: ", ")), and at the provider where you signed in."
  }

  /// What a person who stays reads.
  fileprivate var stayed: [String] {
    ["Nothing was ended here."]
      + (names.isEmpty ? [] : ["You are signed in to \(names.joined(separator: ", "))."])
  }

  /// Leaves out whoever is told through the browser.
  mutating func endHere() {
    if !parties.isEmpty || !pictures.isEmpty || !sessions.isEmpty { isPartial = true }
    (parties, sessions) = ([], [])
    if !isOnLastPage { pictures = [] }
  }
}

// MARK: Sign-outs of providers

extension IssuingService {
  /// Passes a sign-out of a real provider on to every relying party that got something for a session there.
  ///
  /// - Returns: Nil where nothing was given for it: the site answers then.
  func relay(
    _ event: ProviderSignOut, _ request: WebRequest, at site: SignInSite
  ) async throws(TokenError) -> HTTPResponse? {
    switch event {
    case .demanded(let ended, let reply):
      guard let ended else { return nil }
      return try await relay(ended, reply, request, at: site)
    case .ofBrowser(let address):
      var signOut = SignOut(
        id: random.hex(16),
        reply: address.map { .redirect($0.text) } ?? .page(back: nil))
      guard let id = visitID(of: request), try await isOfFederation(grants.visit(id)) else {
        return nil
      }
      try await end(visit: id, joining: &signOut)
      guard request.wantsDocument else { return nil }
      signOut.sessions = []
      return adding(
        [SetCookie.removing(cookieName("sessions"), .none)],
        to: try await proceed(with: signOut))
    case .finished(let isComplete):
      guard var signOut = try await self.signOut(of: request), case .provider = signOut.asked
      else { return nil }
      if !isComplete { signOut.isPartial = true }
      return try await proceed(with: signOut)
    }
  }

  private func relay(
    _ ended: EndedSessions,
    _ reply: @Sendable (LogoutOutcome) throws(TokenError) -> ReceivedSignOut.Reply,
    _ request: WebRequest, at site: SignInSite
  ) async throws(TokenError) -> HTTPResponse? {
    // Visits of earlier versions know the provider by another name.
    let names = [ended.provider] + (site.provider(ended.provider)?.formerIDs ?? [])
    var visits: [Visit] = []
    for name in names {
      let known = Set(visits.map(\.id))
      visits += try await grants.visits(of: ended.at(name)).filter { !known.contains($0.id) }
    }
    guard !visits.isEmpty else { return nil }
    let own = visitID(of: request)
    var signOut = SignOut(id: random.hex(16), reply: .page(back: nil))
    for visit in visits where visit.id != own {
      // Nothing of another browser is told through this one.
      var other = SignOut(id: "", reply: .page(back: nil))
      try await end(visit: visit.id, joining: &other)
      if other.isPartial || !other.parties.isEmpty { signOut.isPartial = true }
    }
    if let own, visits.contains(where: { $0.id == own }) {
      try await end(visit: own, joining: &signOut)
      // Its own sign-out is on the way there.
      signOut.sessions.removeAll { names.containsBytes(of: $0.provider) }
    }
    for name in names { try await grants.forget(ended.at(name)) }
    guard case .browser(let done) = try reply(.done),
      case .browser(let partial) = try reply(.partial)
    else {
      signOut.endHere()
      return site.response(try reply(signOut.isPartial ? .partial : .done))
    }
    signOut.reply = .provider(done: done, partial: partial)
    return adding(
      [SetCookie.removing(cookieName("sessions"), .none)], to: try await proceed(with: signOut))
  }

  /// Removes the sessions that answers of providers began in this browser, and that no sign-in used.
  func endArrivals(_ request: WebRequest) async throws(TokenError) -> [SetCookie] {
    guard let upstream else { return [] }
    var cookies: [SetCookie] = []
    for (name, session) in Arrival.all(in: request.cookies, self) {
      if let session { try await upstream.sessions.remove(session) }
      cookies.append(SetCookie.removing(name, .lax))
    }
    return cookies
  }
}
