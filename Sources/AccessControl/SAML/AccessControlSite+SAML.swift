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

  private func message(_ request: SiteRequest) throws(TokenError) -> Message {
    let limits = Limits()
    if request.method == "GET" {
      let redirect = try RedirectMessage(query: request.query ?? "", limits: limits)
      let root = try Document(parsing: redirect.octets, limits: limits).root
      return Message(root: root, relayState: redirect.relayState, redirect: redirect)
    }
    let posted = try PostedMessage(request.message)
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
  func beginSAML(_ request: SiteRequest) throws(TokenError) -> HTTPResponse {
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
        .issuingRequest, node: "ProtocolBinding", expected: SAMLBinding.post.rawValue,
        found: TokenError.excerpt(binding))
    }
    var context = SignInContext(.saml, realm: party.realm)
    context.reply = try service.consumer(asked: asked.consumer, index: asked.consumerIndex).text
    context.context = message.relayState
    context.request = asked.id
    context.nameFormat = asked.nameFormat
    guard !asked.isPassive else {
      return try failing(context, ("Responder", "NoPassive"), "a person has to be asked")
    }
    let wanted = try FormReader((request.query ?? "").utf8)["whr"]
    return try choose(context, party, wanted)
  }

  /// Where and when a request is for this endpoint (SAML Core 3.2.1).
  private func check(
    _ destination: String?, _ instant: Instant, at path: String
  ) throws(TokenError) {
    if let destination, !destination.hasSameBytes(as: address(path)) {
      throw TokenError(
        .issuingRequest, node: "Destination", expected: address(path),
        found: TokenError.excerpt(destination))
    }
    let now = clock.now
    let slack = Int64(300 + Trust.defaultSkew)
    guard instant < now.advanced(bySeconds: slack), instant > now.advanced(bySeconds: -slack) else {
      throw TokenError(
        .issuingRequest, node: "IssueInstant", expected: "about \(now.rfc3339)",
        found: instant.rfc3339)
    }
  }

  /// Posts the response with the assertion.
  func responding(
    _ context: SignInContext, _ party: RelyingParty, _ provider: OfferedProvider,
    _ claims: ClaimSet, _ request: SiteRequest
  ) throws(TokenError) -> HTTPResponse {
    guard let service = party.serviceProvider else { throw TokenError(.issuingReplyAddress) }
    let consumer = try service.consumer(asked: context.reply)
    let response = try namespace.response(
      claims, from: .provider(provider.id), to: party, nameFormat: context.nameFormat,
      delivery: SAMLDelivery(recipient: consumer.text, inResponseTo: context.request),
      at: clock.now)
    note(party.realm, provider.id, TokenFormat.saml20.name)
    return posting(
      "SAMLResponse", response, to: consumer, context.context,
      cookies: [remembering(party.realm, request)])
  }

  /// Posts a response that says why there is no assertion.
  func samlRefused(
    _ error: TokenError, _ context: SignInContext, _ party: RelyingParty
  ) throws(TokenError) -> HTTPResponse {
    let code = AccessControlCode(error)
    _ = logged(error, code)
    let codes: (String, String?) =
      switch error.code {
      case .issuingCancelled, .issuingProviderAnswer: ("Responder", "AuthnFailed")
      case .issuingRequest: ("Requester", "InvalidNameIDPolicy")
      default: ("Responder", nil)
      }
    return try failing(
      context, codes, "\(code): \(error.code.summary) (\(error.code.rawValue))")
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
  func endSAML(_ request: SiteRequest) throws(TokenError) -> HTTPResponse {
    let message = try message(request)
    let claimed = try LogoutMessage(reading: message.root, decryptionKeys: [], Limits())
    let (party, service) = try service(claimed.issuer)
    // Without a signature anybody could sign people out (SEM-19).
    guard let covered = try signed(message, by: service) else {
      throw TokenError(.logoutUnsigned, node: message.root.path)
    }
    let demand = try LogoutMessage(reading: covered, decryptionKeys: [], Limits())
    guard demand.issuer.hasSameBytes(as: service.entityID), case .request = demand.content else {
      throw TokenError(.issuingRequest, expected: "a LogoutRequest")
    }
    try check(demand.destination, demand.issueInstant, at: "/v2/saml/slo")
    guard let endpoint = service.logout.first else {
      throw TokenError(.signInNoEndpoint, node: "SingleLogoutService")
    }
    let others = participants(request).filter { !$0.hasSameBytes(as: party.realm) }
    let answer = OutgoingMessage.logoutResponse(
      header(to: endpoint.responseLocation), inResponseTo: demand.id,
      outcome: others.isEmpty ? .done : .partial)
    observer.happened(Activity("issuing.signed-out", [("realm", party.realm)]))
    let cookies = [SetCookie.removing(cookieName("sessions"), .lax)]
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
