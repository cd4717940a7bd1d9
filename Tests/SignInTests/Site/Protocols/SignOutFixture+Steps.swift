import AccessControl
import HTTPExchange
import IdentityProviderTesting
import SAML
import SignIn
import TestSupport
import Testing
import TokenBasics
import XMLTree

/// What a browser does, and the messages that it brings.
extension SignOutFixture {
  func service(_ realm: String) throws -> ServiceProvider {
    try #require(parties.providers[realm])
  }

  /// From where a relying party sends the browser to what sends it to the provider.
  func begin(
    from target: String, _ browser: inout Browser
  ) async throws -> HTTPExchange.HTTPResponse {
    let chosen = try await browser.get(target)
    return try await browser.get(
      HTTPURL(try #require(chosen.fields["Location"], "\(chosen.text)")).target)
  }

  /// From where a relying party sends the browser to what brings it back from the provider.
  private func arrive(
    from target: String, _ browser: inout Browser, session: String
  ) async throws -> HTTPExchange.HTTPResponse {
    let there = try await begin(from: target, &browser)
    let answer = try upstream.answer(
      to: there, [Claim(.emailAddress, "ada@idp.example")], at: clock.now
    ) { answer in
      answer.session = session
      answer.nameFormat = NameFormat.persistent
    }
    let back = try await browser.post("/v2/upstream/saml/acs", answer)
    return try await browser.get(try #require(back.fields["Location"], "\(back.text)"))
  }

  /// Signs in at a service provider: who it takes the person for.
  func signIn(
    at realm: String, _ browser: inout Browser, session: String = "s1"
  ) async throws -> FederatedPrincipal {
    let service = try self.service(realm)
    let begun = try service.begin(at: below, at: clock.now)
    let page = try await arrive(from: begun.action.address.target, &browser, session: session)
    let fields = page.text.split(separator: "\n").compactMap { line -> (String, String)? in
      guard line.hasPrefix("field "), let equals = line.firstIndex(of: "=") else { return nil }
      return (
        String(line[line.index(line.startIndex, offsetBy: 6)..<equals]),
        String(line[line.index(after: equals)...])
      )
    }
    return try await service.finish(
      SAMLAnswer(IdentityProviderSimulator.form(fields)), begun.pending, from: below,
      trust: Trust(issuers: trusted.issuers, audiences: .oneOf([realm])),
      used: MemoryReplayStore(), at: clock.now)
  }

  /// Where the client of OpenID Connect sends a browser to sign in.
  static let authorize =
    "/v2/openid/authorize?response_type=code&client_id=client&scope=openid%20offline"
    + "&redirect_uri=https%3A%2F%2Fclient.example%2Fin"

  /// Signs in at the client of OpenID Connect: its refresh token.
  func signInAtClient(_ browser: inout Browser, session: String = "s1") async throws -> String {
    let response = try await arrive(from: Self.authorize, &browser, session: session)
    let location = try HTTPURL(try #require(response.fields["Location"], "\(response.text)"))
    let code = try FormReader((location.query ?? "").utf8).require("code")
    let tokens = try await token([
      ("grant_type", "authorization_code"), ("code", code),
      ("redirect_uri", "https://client.example/in"),
    ])
    return try #require(try JSONParser.parse(tokens.body)["refresh_token"]?.string)
  }

  /// Signs in at the relying party of WS-Federation.
  func signInAtTalks(_ browser: inout Browser) async throws {
    let page = try await arrive(
      from: "/v2/wsfederation?wa=wsignin1.0&wtrealm=urn%3Atalks", &browser, session: "s1")
    #expect(page.text.hasPrefix("form https://talks.example/in"))
  }

  /// Signs in at the relying party whose people have the provider of WS-Federation.
  func signInAtDesk(_ browser: inout Browser) async throws {
    let there = try await begin(
      from: "/v2/wsfederation?wa=wsignin1.0&wtrealm=urn%3Adesk", &browser)
    let asked = try HTTPURL(try #require(there.fields["Location"], "\(there.text)"))
    let context = try FormReader((asked.query ?? "").utf8).require("wctx")
    var draft = TokenDraft(
      issuer: adfs.entityID, audiences: ["urn:service"], issuedAt: clock.now,
      id: "_" + RandomSource().hex(20))
    draft.subject = "ada"
    let result = try SAMLIssuer(.v1, key: adfs.key).tokenResponse(draft)
    let back = try await browser.post(
      "/v2/upstream/wsfed",
      IdentityProviderSimulator.form([
        ("wa", "wsignin1.0"), ("wctx", context),
        ("wresult", String(decoding: result, as: UTF8.self)),
      ]))
    let page = try await browser.get(try #require(back.fields["Location"], "\(back.text)"))
    #expect(page.text.hasPrefix("form https://desk.example/in"), "\(page.text)")
  }

  func token(_ fields: [(String, String)]) async throws -> HTTPExchange.HTTPResponse {
    var browser = Browser(site: site)
    return try await browser.post(
      "/v2/openid/token",
      IdentityProviderSimulator.form(
        fields + [("client_id", "client"), ("client_secret", "client secret")]))
  }

  func refresh(_ token: String) async throws -> Int {
    try await self.token([("grant_type", "refresh_token"), ("refresh_token", token)]).status
  }

  /// Signs out where the client sends the browser to: the person says so.
  func confirmSignOut(
    at target: String, _ browser: inout Browser
  ) async throws -> HTTPExchange.HTTPResponse {
    let page = try await browser.get(target)
    #expect(page.text.hasPrefix("Sign out?"), "\(page.text)")
    let token = page.text.split(separator: "\n").first { $0.hasPrefix("field token=") }
    return try await browser.post(
      "/v2/sign-out",
      IdentityProviderSimulator.form([
        ("token", String(try #require(token).dropFirst("field token=".count))), ("answer", "out"),
      ]))
  }

  // MARK: Messages

  /// Begins to sign out at a service provider: the request, and what is sent.
  func signOut(
    at realm: String, _ principal: FederatedPrincipal
  ) throws -> (pending: PendingSignIn, target: String) {
    let out = try #require(
      try service(realm).beginLogout(of: principal, at: below, at: clock.now))
    return (out.pending, out.action.address.target)
  }

  /// A request of ours that the browser brings a service provider, answered: where the browser goes next.
  func answer(
    _ response: HTTPExchange.HTTPResponse, as realm: String, _ principal: FederatedPrincipal,
    _ outcome: LogoutOutcome = .done
  ) async throws -> String {
    let service = try self.service(realm)
    let location = try location(response, "\(realm.dropFirst(4)).example/slo?SAMLRequest=")
    guard
      case .request(let demand) = try await service.receiveLogout(
        WebRequest(method: "GET", query: location.query), from: below, trust: trusted,
        pending: { (_) throws(TokenError) in throw TokenError(.signInUnknown) },
        used: MemoryReplayStore(), at: clock.now),
      demand.ends(below.entityID, principal.issuerSession),
      case .browser(let action) = try service.answer(demand, outcome, to: below, at: clock.now)
    else { throw TokenError(.logoutOtherSession) }
    return action.address.target
  }

  /// What a service provider's answer says, for a test to change.
  struct Answer {
    var issuer: String
    var request: String
    var destination: String? = SignOutFixture.slo
    var issued: Instant
  }

  /// As ``answer(_:as:_:_:)``, with an answer that a test changed; the request may come in a form.
  func changedAnswer(
    _ response: HTTPExchange.HTTPResponse, as realm: String,
    _ edit: (inout Answer) -> Void = { _ in }
  ) throws -> String {
    let octets: [UInt8]
    if response.fields["Location"] == nil {
      #expect(response.text.hasPrefix("form https://\(realm.dropFirst(4)).example/slo\n"))
      let field = "field SAMLRequest="
      let line = try #require(
        response.text.split(separator: "\n").first { $0.hasPrefix(field) })
      octets = try Base64.decode(Array(line.utf8.dropFirst(field.utf8.count)))
    } else {
      let query = try location(response, "\(realm.dropFirst(4)).example/slo?SAMLRequest=").query
      octets = try RedirectMessage(query: query ?? "").octets
    }
    let demand = try LogoutMessage(
      reading: Document(parsing: octets, limits: Limits()).root, decryptionKeys: [], Limits())
    var answer = Answer(issuer: realm, request: demand.id, issued: clock.now)
    edit(&answer)
    let header = MessageHeader(
      id: "_" + RandomSource().hex(20), issuer: answer.issuer, issuedAt: answer.issued,
      destination: answer.destination)
    return try RedirectBinding.address(
      HTTPURL(Self.slo), "SAMLResponse",
      OutgoingMessage.logoutResponse(header, inResponseTo: answer.request, outcome: .done)
        .octets(signedWith: nil),
      relayState: nil, key: service(realm).signingKeys.first
    ).target
  }

  /// The provider above ends a session over SOAP, in a request with the cookies of that browser: what it is told in the answer.
  func demandDirectly(session: String, _ browser: inout Browser) async throws -> String? {
    let address = "https://app.example/v2/upstream/saml/slo"
    let header = MessageHeader(
      id: "_" + RandomSource().hex(20), issuer: idp.entityID, issuedAt: clock.now,
      destination: address)
    let request = OutgoingMessage.logoutRequest(
      header, name: SubjectName("ada", format: NameFormat.persistent), sessionIndex: session,
      notOnOrAfter: clock.now.advanced(bySeconds: 60))
    let response = try await browser.post(
      HTTPURL(address).target,
      WebRequest(
        method: "POST", contentType: "text/xml; charset=utf-8",
        body: SOAPEnvelope.octets(around: request.fragment(signedWith: idp.key))))
    let answer = try LogoutMessage(
      reading: SOAPEnvelope.message(in: response.body, limits: Limits()), decryptionKeys: [],
      Limits())
    guard case .response(_, let failure) = answer.content else {
      throw TokenError(.logoutUnsolicited)
    }
    return failure
  }

  /// A request of ours that the browser brings the provider above, answered: where the browser goes next.
  func answerAbove(
    _ response: HTTPExchange.HTTPResponse, _ outcome: LogoutOutcome = .done,
    ending session: String? = nil
  ) async throws -> String {
    let location = try location(response, "idp.example/slo?SAMLRequest=")
    guard
      case .request(let demand) = try await sender.receiveLogout(
        WebRequest(method: "GET", query: location.query), from: above, trust: trusted,
        pending: { (_) throws(TokenError) in throw TokenError(.signInUnknown) },
        used: MemoryReplayStore(), at: clock.now),
      demand.name.text == "ada", session.map({ demand.sessionIndexes == [$0] }) ?? true,
      case .browser(let action) = try sender.answer(demand, outcome, to: above, at: clock.now)
    else { throw TokenError(.logoutOtherSession) }
    return action.address.target
  }

  /// What the answer to a service provider says: nil for all done.
  func problem(
    _ response: HTTPExchange.HTTPResponse, at realm: String, _ pending: PendingSignIn
  ) async throws -> String? {
    try await problem(
      location(response, "\(realm.dropFirst(4)).example/slo?SAMLResponse="),
      service(realm), from: below, pending)
  }

  /// What the answer to the provider above says.
  func problemAbove(
    _ response: HTTPExchange.HTTPResponse, _ pending: PendingSignIn
  ) async throws -> String? {
    try await problem(
      location(response, "idp.example/slo?SAMLResponse="), sender, from: above, pending)
  }

  private func problem(
    _ location: HTTPURL, _ service: ServiceProvider, from provider: IdentityProvider,
    _ pending: PendingSignIn
  ) async throws -> String? {
    guard
      case .response(let problem) = try await service.receiveLogout(
        WebRequest(method: "GET", query: location.query), from: provider, trust: trusted,
        pending: { (_) throws(TokenError) in pending }, used: MemoryReplayStore(), at: clock.now)
    else { throw TokenError(.logoutUnsolicited) }
    return problem?.replacing("\"", with: "")
  }

  private func location(
    _ response: HTTPExchange.HTTPResponse, _ expected: String
  ) throws -> HTTPURL {
    let text = try #require(response.fields["Location"], "\(response.text)")
    #expect(text.hasPrefix("https://" + expected), "\(text)")
    return try HTTPURL(text)
  }

  /// The provider above ends a session: the request, and what it sends through the browser.
  func demand(
    session: String, name: String = "ada"
  ) throws -> (pending: PendingSignIn, target: String) {
    let ended = IssuerSession(
      index: session, name: SubjectName(name, format: NameFormat.persistent))
    let begun = try #require(try sender.beginLogout(of: ended, at: above, at: clock.now))
    return (begun.pending, begun.action.address.target)
  }
}
