import HTTPExchange
import Octets
import SAML
import SignIn
import XMLTree

extension SignInContext.Delivery {
  /// In a response of SAML 2.0 that the browser posts.
  package static let saml = Self(name: "samlp")
}

/// SAML 2.0: sign-in and sign-out at relying parties with metadata.
struct SAMLEndpoint: SignInEndpoint {
  let service: IssuingService

  var deliveries: [SignInContext.Delivery] { [.saml] }

  var routes: [Route] {
    [
      Route(Self.signOn, get: begin, post: begin),
      Route(Self.logout, get: receiveLogout, post: receiveLogout),
      Route("/v2/saml/metadata", get: showMetadata),
    ]
  }

  static let signOn = "/v2/saml/sso"
  static let logout = "/v2/saml/slo"

  /// `/v2/saml/sso`: an `AuthnRequest` (SAML Profiles 4.1).
  func begin(_ request: WebRequest) async throws(TokenError) -> HTTPResponse {
    let message = try message(request)
    let claimed = try AuthnRequest(reading: message.root)
    let (party, provider) = try await serviceProvider(claimed.issuer)
    let covered = try signed(message, by: provider)
    guard covered != nil || !provider.signsRequests else {
      throw TokenError(.signatureMissing, node: message.root.path)
    }
    let asked = if let covered { try AuthnRequest(reading: covered) } else { claimed }
    guard asked.issuer.hasSameBytes(as: provider.entityID) else { throw TokenError(.issuingRealm) }
    try check(
      asked.destination, asked.issueInstant, at: Self.signOn, isSigned: covered != nil)
    if let binding = asked.binding, !binding.hasSameBytes(as: SAMLBinding.post.rawValue) {
      throw TokenError(
        .issuingSAMLRequest, node: "ProtocolBinding", expected: SAMLBinding.post.rawValue,
        found: TokenError.excerpt(binding))
    }
    var context = SignInContext(.saml, realm: party.realm)
    context.reply = try provider.consumer(asked: asked.consumer, index: asked.consumerIndex).text
    context.relyingPartyState = message.relayState
    context.request = asked.id
    context.nameFormat = asked.nameFormat
    context.demands.forcesSignIn = asked.forcesSignIn
    context.demands.isPassive = asked.isPassive
    context.demands.contexts = asked.contexts
    context.demands.proxyCount = asked.proxyCount
    context.demands.providers = asked.providers
    do throws(TokenError) {
      guard !asked.namesSubject else {
        throw TokenError(.issuingSAMLRequest, node: "Subject", expected: "a request for anybody")
      }
      // Nobody here is named for another service provider or for a group of them (SAML Core 3.4.1.1).
      guard asked.nameQualifier?.hasSameBytes(as: provider.entityID) ?? true else {
        throw TokenError(
          .issuingNameFormat, node: "NameIDPolicy/@SPNameQualifier", expected: provider.entityID,
          found: asked.nameQualifier.map { TokenError.excerpt($0) })
      }
      // Contexts have no order here: what is asked for exactly, at least or at most is one of them.
      guard asked.contexts.isEmpty || asked.comparison != "better" else {
        throw TokenError(
          .issuingFreshness, node: Self.contextNode, expected: "exact", found: "better",
          .authenticationContext)
      }
      return try await service.choose(context, party, try service.query(request)["whr"], request)
    } catch {
      // What is too large is not sent on.
      guard error.code != .inputTooLarge else { throw error }
      return try refuse(error, context, provider)
    }
  }

  // MARK: Answers

  func checkReply(
    _ context: SignInContext, _ party: RelyingParty
  ) async throws(TokenError) {
    _ = try await consumer(context, party)
  }

  /// Where the answer of a sign-in goes by the metadata of now.
  ///
  /// - Throws: `issuing.reply-address`, `issuing.metadata-unavailable`, `key.metadata-expired`.
  private func consumer(
    _ context: SignInContext, _ party: RelyingParty
  ) async throws(TokenError) -> HTTPURL {
    guard let metadata = party.metadata else {
      throw TokenError(.issuingReplyAddress, node: party.name)
    }
    return try await metadata.provider(at: service.clock.now).consumer(asked: context.reply)
  }

  /// Posts the response with the assertion.
  func deliver(_ signIn: FinishedSignIn) async throws(TokenError) -> Answer {
    let (context, party) = (signIn.context, signIn.party)
    try check(signIn.subject.context, meets: context.demands.contexts)
    let consumer = try await consumer(context, party)
    let id = TokenDraft.unpredictableID()
    let now = service.clock.now
    let (draft, delivery) = try service.namespace.draft(
      signIn.subject, to: party, nameFormat: context.nameFormat,
      delivery: SAMLDelivery(recipient: consumer.text, inResponseTo: context.request), id: id,
      at: now)
    let response = try service.namespace.response(draft, delivery, to: party)
    return { () async throws(TokenError) in
      try await service.remember(
        signIn.subject, of: .id(id), as: .saml20, to: party, by: .saml, client: party.realm,
        in: signIn.visit.id, at: now)
      service.note(party.realm, signIn.provider.id, TokenFormat.saml20.name)
      let cookie = try await service.joining(signIn, as: Self.session(draft, delivery))
      return postForm(
        "SAMLResponse", response, to: consumer, context.relyingPartyState, cookies: [cookie])
    }
  }

  /// Refuses a context that was not asked for. Elsewhere contexts are a wish, and the token says what became of it.
  ///
  /// - Throws: `issuing.freshness`.
  private func check(_ context: String?, meets wanted: [String]) throws(TokenError) {
    let met = context ?? Self.unspecifiedContext
    guard wanted.isEmpty || wanted.contains(where: { $0.hasSameBytes(as: met) }) else {
      throw TokenError(
        .issuingFreshness, node: Self.contextNode,
        expected: TokenError.excerpt(wanted.joined(separator: " or ")),
        found: context.map { TokenError.excerpt($0) } ?? "nothing", .authenticationContext)
    }
  }

  /// What an assertion says where the provider says nothing (SAML Authentication Context, 3.4.25).
  private static let unspecifiedContext = "urn:oasis:names:tc:SAML:2.0:ac:classes:unspecified"
  private static let contextNode = "authentication context"

  func refuse(
    _ error: TokenError, _ context: SignInContext, _ party: RelyingParty,
    from provider: ACSIdentityProvider?
  ) async throws(TokenError) -> HTTPResponse? {
    let provider = try await serviceProvider(context.realm).provider
    return try refuse(error, context, provider)
  }

  /// Posts a response that says why there is no assertion.
  private func refuse(
    _ error: TokenError, _ context: SignInContext, _ provider: SAMLServiceProvider
  ) throws(TokenError) -> HTTPResponse {
    let refusal = ACSRefusal(error)
    service.logged(error, refusal)
    let consumer = try provider.consumer(asked: context.reply)
    let status = ErrorAnswer(error, isPassive: context.demands.isPassive).saml
    let response = OutgoingMessage.failedResponse(
      header(to: consumer), inResponseTo: context.request, codes: (status.first, status.second),
      text: "\(refusal): \(error.code.summary) (\(error.code.rawValue))")
    return postForm(
      "SAMLResponse", try response.octets(signedWith: service.namespace.keys.signing),
      to: consumer, context.relyingPartyState)
  }
}

extension SAMLEndpoint {
  /// `/v2/saml/metadata`: the metadata of this identity provider, signed.
  func showMetadata(_ request: WebRequest) throws(TokenError) -> HTTPResponse {
    let namespace = try service.publishable()
    var metadata = IdentityProviderMetadata(
      entityID: namespace.issuer, certificates: namespace.keys.certificates,
      signOn: service.address(Self.signOn),
      validUntil: service.clock.now.advanced(bySeconds: 604_800))
    metadata.signOnBindings = [.redirect, .post]
    metadata.logout = service.address(Self.logout)
    metadata.nameFormats = NameFormat.all
    return service.responder.response(
      200, "application/samlmetadata+xml",
      try metadata.document(signedWith: namespace.keys.signing))
  }
}
