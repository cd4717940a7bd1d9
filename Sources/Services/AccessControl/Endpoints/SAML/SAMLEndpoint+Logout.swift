import HTTPExchange
import Octets
import SAML
import SignIn
import XMLTree

extension SAMLEndpoint {
  /// `/v2/saml/slo`: a `LogoutRequest`, or the `LogoutResponse` to one of ours (SAML Profiles 4.4).
  func receiveLogout(_ request: WebRequest) async throws(TokenError) -> HTTPResponse {
    let message = try message(request)
    let claimed = try LogoutMessage(reading: message.root, decryptionKeys: [], Limits())
    switch (claimed.content, message.isRequest) {
    case (.request, true): return try await receiveRequest(message, claimed.issuer, request)
    case (.response(let answered, _), false):
      return try await receiveResponse(message, claimed.issuer, to: answered, request)
    default: throw TokenError(.issuingSAMLRequest, node: "LogoutRequest", expected: "one")
    }
  }

  /// This browser's session ends, and every other relying party that it signed in to is told before the answer goes out. Where
  /// the request is about another session, anybody may have brought it here, and the person is asked.
  private func receiveRequest(
    _ message: Message, _ issuer: String, _ request: WebRequest
  ) async throws(TokenError) -> HTTPResponse {
    let (party, provider) = try await serviceProvider(issuer)
    // Without a signature anybody could sign people out (SEM-19).
    guard let covered = try signed(message, by: provider) else {
      throw TokenError(.logoutUnsigned, node: message.root.path)
    }
    let demand = try LogoutMessage(reading: covered, decryptionKeys: [], Limits())
    guard demand.issuer.hasSameBytes(as: provider.entityID),
      case .request(let name, let indexes, let end) = demand.content
    else { throw TokenError(.issuingSAMLRequest, node: "LogoutRequest", expected: "one") }
    try check(demand.destination, demand.issueInstant, at: Self.logout, isSigned: true)
    if let end {
      guard service.clock.now < end.advanced(bySeconds: Int64(Trust.defaultSkew)) else {
        throw TokenError(
          .issuingSAMLRequest, node: "NotOnOrAfter", expected: "after \(service.clock.now.rfc3339)",
          found: end.rfc3339)
      }
    }
    let last = demand.issueInstant.advanced(bySeconds: Self.slack)
    try await service.grants.redeem(
      .logoutRequest(demand.id, of: demand.issuer, issued: demand.issueInstant, until: last))
    _ = try Self.browserLogout(of: provider)
    let reply = SignOut.Reply.serviceProvider(
      realm: party.realm, request: demand.id, relayState: message.relayState)
    return try await service.signOut(request, for: party, asked: party.realm, reply: reply) {
      Self.isSession(of: party, in: $0, name, indexes)
    }
  }

  /// Whether a request names the session that a service provider has in a visit (SAML Core 3.7.3.2); no index means all of
  /// the subject.
  private static func isSession(
    of party: RelyingParty, in visit: Visit, _ name: SubjectName, _ indexes: [String]
  ) -> Bool {
    visit.parties.contains { visited in
      visited.realm.hasSameBytes(as: party.realm)
        && visited.session.name?.isSubject(of: name) == true
        && (indexes.isEmpty || visited.session.index.map(indexes.containsBytes) == true)
    }
  }

  /// A service provider says what became of its session. What it did not sign counts as no answer.
  private func receiveResponse(
    _ message: Message, _ issuer: String, to answered: String?, _ request: WebRequest
  ) async throws(TokenError) -> HTTPResponse {
    guard var signOut = try await service.signOut(of: request),
      case .serviceProvider(let realm, let asked) = signOut.asked,
      answered.hasSameBytes(as: asked)
    else { throw TokenError(.logoutUnsolicited) }
    let provider = try await serviceProvider(realm).provider
    do throws(TokenError) {
      guard let covered = try signed(message, by: provider) else {
        throw TokenError(.logoutUnsigned, node: message.root.path)
      }
      let answer = try LogoutMessage(reading: covered, decryptionKeys: [], Limits())
      try check(answer.destination, answer.issueInstant, at: Self.logout, isSigned: true)
      try Self.check(answer, of: provider, to: asked)
    } catch {
      service.logNotTold(realm, error)
      signOut.isPartial = true
    }
    return try await service.proceed(with: signOut)
  }

  /// That a verified message of a service provider says that all ended that a request of ours was about.
  private static func check(
    _ answer: LogoutMessage, of provider: SAMLServiceProvider, to request: String
  ) throws(TokenError) {
    guard answer.issuer.hasSameBytes(as: provider.entityID),
      case .response(let answered, let failure) = answer.content,
      answered.hasSameBytes(as: request)
    else { throw TokenError(.logoutUnsolicited) }
    if let failure {
      throw TokenError(
        .responseStatus, node: "LogoutResponse", expected: "Success",
        found: TokenError.excerpt(failure))
    }
  }

  private static func browserLogout(
    of provider: SAMLServiceProvider
  ) throws(TokenError) -> SAMLServiceProvider.Endpoint {
    guard let endpoint = provider.logout.first else {
      throw TokenError(.signInNoEndpoint, node: "SingleLogoutService")
    }
    return endpoint
  }

  // MARK: Messages of ours

  /// The session of a service provider, as its assertion names it.
  static func session(_ draft: TokenDraft, _ delivery: SAMLDelivery) -> IssuerSession {
    IssuerSession(
      index: delivery.sessionIndex,
      name: draft.subject.map {
        SubjectName(
          $0, format: delivery.nameFormat, nameQualifier: delivery.nameQualifier,
          spNameQualifier: delivery.spNameQualifier)
      })
  }

  /// A `LogoutRequest` about the session of a service provider.
  private func request(
    _ session: IssuerSession, to destination: HTTPURL
  ) throws(TokenError) -> (id: String, message: OutgoingMessage) {
    guard let name = session.name else {
      throw TokenError(.issuingSubject, expected: "the name in its assertion")
    }
    let header = header(to: destination)
    let request = OutgoingMessage.logoutRequest(
      header, name: name, sessionIndex: session.index,
      notOnOrAfter: service.clock.now.advanced(bySeconds: Self.slack))
    return (header.id, request)
  }

  /// Asks a service provider through the browser to end its session.
  ///
  /// - Returns: The identifier of the request, and what the browser gets.
  /// - Throws: `signin.no-endpoint`, `issuing.unknown-realm`, `policy.mint-*`.
  func ask(
    _ visited: VisitedParty
  ) throws(TokenError) -> (request: String, response: HTTPResponse) {
    let endpoint = try Self.browserLogout(of: knownServiceProvider(visited.realm))
    let (id, message) = try request(visited.session, to: endpoint.location)
    return (
      id,
      try send(message, named: "SAMLRequest", to: endpoint.location, endpoint.binding, nil)
    )
  }

  /// Asks a service provider over SOAP to end its session, and reads its answer.
  ///
  /// - Throws: `transport.*`, `xml.*`, `signature.*`, `logout.unsolicited`; `response.status` where not all ended.
  func tell(
    _ provider: SAMLServiceProvider, of session: IssuerSession, at address: HTTPURL,
    over transport: any HTTPTransport
  ) async throws(TokenError) {
    let (id, message) = try request(session, to: address)
    let answer = try await SOAPEnvelope.exchange(
      message.fragment(signedWith: service.namespace.keys.signing), at: "SingleLogoutService",
      address, over: transport, limits: Limits(), timeout: IssuingService.answerTime)
    // Without a signature it is TLS that says who answers.
    let covered = try MessageSignature.verify(
      answer, keys: provider.keys, at: service.clock.now, limits: Limits())
    try Self.check(
      LogoutMessage(reading: covered ?? answer, decryptionKeys: [], Limits()), of: provider, to: id)
  }

  /// Answers the `LogoutRequest` of a service provider.
  func answer(
    _ request: String, of realm: String, _ outcome: LogoutOutcome, _ relayState: String?
  ) async throws(TokenError) -> HTTPResponse {
    let endpoint = try Self.browserLogout(of: await serviceProvider(realm).provider)
    let answer = OutgoingMessage.logoutResponse(
      header(to: endpoint.responseLocation), inResponseTo: request, outcome: outcome)
    return try send(
      answer, named: "SAMLResponse", to: endpoint.responseLocation, endpoint.binding, relayState)
  }

  private func send(
    _ message: OutgoingMessage, named name: String, to address: HTTPURL, _ binding: SAMLBinding,
    _ relayState: String?
  ) throws(TokenError) -> HTTPResponse {
    let key = service.namespace.keys.signing
    guard binding == .redirect else {
      return postForm(name, try message.octets(signedWith: key), to: address, relayState)
    }
    return service.responder.redirect(
      try RedirectBinding.address(
        address, name, message.octets(signedWith: nil), relayState: relayState, key: key
      ).text)
  }
}
