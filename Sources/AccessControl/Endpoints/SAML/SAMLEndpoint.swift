import BrowserExchange
import Octets
import SAML
import SignIn
import SingleSignOn
import TokenService
import XMLTree

extension AccessControlSite {
  /// A SAML message of a browser, before anything of it is believed.
  private struct Message {
    let root: Element
    let relayState: String?
    let redirect: RedirectMessage?
  }

  private func message(_ request: WebRequest) throws(TokenError) -> Message {
    let limits = Limits()
    if request.method == "GET" {
      let redirect = try RedirectMessage(query: request.query ?? "", limits: limits)
      let root = try Document(parsing: redirect.octets, limits: limits).root
      return Message(root: root, relayState: redirect.relayState, redirect: redirect)
    }
    let posted = try PostedMessage(request)
    let root = try Document(parsing: posted.octets, limits: limits).root
    return Message(root: root, relayState: posted.relayState, redirect: nil)
  }

  /// The element that the sender signed, or nil where it signed nothing.
  private func signed(
    _ message: Message, by service: SAMLServiceProvider
  ) throws(TokenError) -> Element? {
    if let redirect = message.redirect {
      guard redirect.isSigned else { return nil }
      try redirect.verify(service.keys, at: clock.now)
      return message.root
    }
    return try MessageSignature.verify(
      message.root, keys: service.keys, at: clock.now, limits: Limits())
  }

  private func service(
    _ entityID: String
  ) throws(TokenError) -> (RelyingParty, SAMLServiceProvider) {
    let party = try namespace.relyingParty(entityID)
    guard let service = party.serviceProvider else {
      throw TokenError(.issuingRealm, expected: "a relying party with metadata")
    }
    return (party, service)
  }

  // MARK: Sign-in

  /// `/v2/saml/sso`: an `AuthnRequest` (SAML Profiles 4.1).
  func beginSAML(_ request: WebRequest) throws(TokenError) -> HTTPResponse {
    let message = try message(request)
    let claimed = try AuthnRequest(reading: message.root)
    let (party, service) = try service(claimed.issuer)
    var asked = claimed
    if let covered = try signed(message, by: service) {
      asked = try AuthnRequest(reading: covered)
    } else if service.signsRequests {
      throw TokenError(.signatureMissing, node: message.root.path)
    }
    guard asked.issuer.hasSameBytes(as: service.entityID) else { throw TokenError(.issuingRealm) }
    try check(asked.destination, asked.issueInstant, at: "/v2/saml/sso")
    if let binding = asked.binding, !binding.hasSameBytes(as: SAMLBinding.post.rawValue) {
      throw TokenError(
        .issuingSAMLRequest, node: "ProtocolBinding", expected: SAMLBinding.post.rawValue,
        found: TokenError.excerpt(binding))
    }
    var context = SignInContext(.saml, realm: party.realm)
    context.reply = try service.consumer(asked: asked.consumer, index: asked.consumerIndex).text
    context.context = message.relayState
    context.request = asked.id
    context.nameFormat = asked.nameFormat
    context.demands.forcesSignIn = asked.forcesSignIn
    context.demands.isPassive = asked.isPassive
    context.demands.contexts = asked.contexts
    do throws(TokenError) {
      guard !asked.namesSubject else {
        throw TokenError(.issuingSAMLRequest, node: "Subject", expected: "a request for anybody")
      }
      // Contexts have no order here: what is asked for exactly, at least or at most is one of them.
      guard asked.contexts.isEmpty || asked.comparison != "better" else {
        throw TokenError(
          .issuingFreshness, node: Self.contextNode, expected: "exact", found: "better")
      }
      return try choose(context, party, try query(request)["whr"], request)
    } catch {
      return try samlRefused(error, context, party)
    }
  }

  /// Seconds by which a request may be old, or clocks differ.
  private static let slack = Int64(300 + Trust.defaultSkew)

  /// Where and when a request is for this endpoint (SAML Core 3.2.1).
  private func check(
    _ destination: String?, _ instant: Instant, at path: String
  ) throws(TokenError) {
    if let destination, !destination.hasSameBytes(as: address(path)) {
      throw TokenError(
        .issuingSAMLRequest, node: "Destination", expected: address(path),
        found: TokenError.excerpt(destination))
    }
    let now = clock.now
    guard instant < now.advanced(bySeconds: Self.slack),
      instant > now.advanced(bySeconds: -Self.slack)
    else {
      throw TokenError(
        .issuingSAMLRequest, node: "IssueInstant", expected: "about \(now.rfc3339)",
        found: instant.rfc3339)
    }
  }

  /// The response with the assertion.
  func samlResponse(
    _ context: SignInContext, _ party: RelyingParty, _ subject: SignedInSubject
  ) throws(TokenError) -> (octets: [UInt8], consumer: HTTPURL) {
    guard let service = party.serviceProvider else { throw TokenError(.issuingReplyAddress) }
    let consumer = try service.consumer(asked: context.reply)
    let response = try namespace.response(
      subject, to: party, nameFormat: context.nameFormat,
      delivery: SAMLDelivery(recipient: consumer.text, inResponseTo: context.request),
      at: clock.now)
    return (response, consumer)
  }

  /// Posts the response.
  func postSAML(
    _ context: SignInContext, _ response: (octets: [UInt8], consumer: HTTPURL), _ visit: Visit,
    _ party: RelyingParty, _ provider: OfferedProvider
  ) -> HTTPResponse {
    note(party.realm, provider.id, TokenFormat.saml20.name)
    return posting(
      "SAMLResponse", response.octets, to: response.consumer, context.context,
      cookies: [remembering(visit, joining: party.realm)])
  }

  /// Posts a response that says why there is no assertion.
  func samlRefused(
    _ error: TokenError, _ context: SignInContext, _ party: RelyingParty
  ) throws(TokenError) -> HTTPResponse {
    let code = ACSRefusal(error)
    _ = logged(error, code)
    return try failing(
      context, Self.statusCodes(error, context),
      "\(code): \(error.code.summary) (\(error.code.rawValue))")
  }

  /// The status of an error (SAML Core 3.2.2.2).
  private static func statusCodes(
    _ error: TokenError, _ context: SignInContext
  ) -> (String, String?) {
    switch error.code {
    case .issuingFreshness where error.node == contextNode, .signInContext:
      ("Responder", "NoAuthnContext")
    case .issuingFreshness where error.node == "passive": ("Responder", "NoPassive")
    case .signInRefused where context.demands.isPassive,
      .responseStatus where context.demands.isPassive:
      ("Responder", "NoPassive")
    case .issuingNameFormat: ("Requester", "InvalidNameIDPolicy")
    case .issuingSAMLRequest: ("Requester", "RequestUnsupported")
    case .issuingCancelled, .issuingProviderAnswer, .issuingFreshness, .issuingSubject,
      .signInRefused:
      ("Responder", "AuthnFailed")
    default: ("Responder", nil)
    }
  }

  private func failing(
    _ context: SignInContext, _ codes: (String, String?), _ text: String
  ) throws(TokenError) -> HTTPResponse {
    let (_, service) = try service(context.realm)
    let consumer = try service.consumer(asked: context.reply)
    let response = OutgoingMessage.failedResponse(
      header(to: consumer), inResponseTo: context.request, codes: codes, text: text)
    return posting(
      "SAMLResponse", try response.octets(signedWith: namespace.keys.signing), to: consumer,
      context.context)
  }

  private func posting(
    _ name: String, _ message: [UInt8], to address: HTTPURL, _ relayState: String?,
    cookies: [SetCookie] = []
  ) -> HTTPResponse {
    var fields = [(name: name, value: Base64.encode(message))]
    if let relayState { fields.append((name: "RelayState", value: relayState)) }
    return responder.page(200, .form(address, fields: fields), cookies: cookies)
  }

  private func header(to destination: HTTPURL) -> MessageHeader {
    MessageHeader(
      id: "_" + random.hex(20), issuer: namespace.issuer, issuedAt: clock.now,
      destination: destination.text)
  }

  // MARK: Sign-out

  /// `/v2/saml/slo`: a `LogoutRequest` (SAML Profiles 4.4). This browser's session ends; another relying party that
  /// it signed in to is not told, which the answer says.
  func endSAML(_ request: WebRequest) async throws(TokenError) -> HTTPResponse {
    let message = try message(request)
    let claimed = try LogoutMessage(reading: message.root, decryptionKeys: [], Limits())
    let (party, service) = try service(claimed.issuer)
    // Without a signature anybody could sign people out (SEM-19).
    guard let covered = try signed(message, by: service) else {
      throw TokenError(.logoutUnsigned, node: message.root.path)
    }
    let demand = try LogoutMessage(reading: covered, decryptionKeys: [], Limits())
    guard demand.issuer.hasSameBytes(as: service.entityID),
      case .request(_, _, let end) = demand.content
    else { throw TokenError(.issuingSAMLRequest, node: "LogoutRequest", expected: "one") }
    // A signed message says where it goes (SAML Bindings 3.4.5.2, 3.5.5.2).
    guard demand.destination != nil else {
      throw TokenError(
        .issuingSAMLRequest, node: "Destination", expected: address("/v2/saml/slo"),
        found: "nothing")
    }
    try check(demand.destination, demand.issueInstant, at: "/v2/saml/slo")
    if let end {
      guard clock.now < end.advanced(bySeconds: Int64(Trust.defaultSkew)) else {
        throw TokenError(
          .issuingSAMLRequest, node: "NotOnOrAfter", expected: "after \(clock.now.rfc3339)",
          found: end.rfc3339)
      }
    }
    let last = demand.issueInstant.advanced(bySeconds: Self.slack)
    guard
      try await isFirstUse(
        "logout:\(demand.issuer.utf8.count):\(demand.issuer)\(demand.id)",
        .issued(demand.issueInstant), until: last)
    else { throw TokenError(.issuingSAMLRequest, node: "ID", expected: "one that is new") }
    guard let endpoint = service.logout.first else {
      throw TokenError(.signInNoEndpoint, node: "SingleLogoutService")
    }
    let others = visit(of: request).realms.filter { !$0.hasSameBytes(as: party.realm) }
    let answer = OutgoingMessage.logoutResponse(
      header(to: endpoint.responseLocation), inResponseTo: demand.id,
      outcome: others.isEmpty ? .done : .partial)
    let cookies = try await endVisit(request)
    guard endpoint.binding == .redirect else {
      return posting(
        "SAMLResponse", try answer.octets(signedWith: namespace.keys.signing),
        to: endpoint.responseLocation, message.relayState, cookies: cookies)
    }
    return responder.redirect(
      try RedirectBinding.address(
        endpoint.responseLocation, "SAMLResponse", answer.octets(signedWith: nil),
        relayState: message.relayState, key: namespace.keys.signing
      ).text, cookies: cookies)
  }

  // MARK: Metadata

  /// `/v2/saml/metadata`: the metadata of this identity provider, signed.
  func samlMetadata() throws(TokenError) -> HTTPResponse {
    let namespace = try publishable()
    var metadata = IdentityProviderMetadata(
      entityID: namespace.issuer, certificates: namespace.keys.certificates,
      signOn: address("/v2/saml/sso"), validUntil: clock.now.advanced(bySeconds: 604_800))
    metadata.signOnBindings = [.redirect, .post]
    metadata.logout = address("/v2/saml/slo")
    metadata.nameFormats = NameFormat.all
    return responder.response(
      200, "application/samlmetadata+xml",
      try metadata.document(signedWith: namespace.keys.signing))
  }
}
