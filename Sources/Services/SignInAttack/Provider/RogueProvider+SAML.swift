import LocalFiles
import Octets
import SAML
import SignIn

extension RogueProvider {
  /// A response in base64, as the POST binding carries it (SAML Bindings 3.5).
  func samlToken(
    for request: SignInRequest, _ plan: AnswerPlan, at now: Instant
  ) throws(TokenError) -> [UInt8] {
    let delivery = SAMLDelivery(
      recipient: request.consumer.text, inResponseTo: plan.inResponseTo.values(request.id).last,
      sessionIndex: Self.sessionIndex)
    let response = try SAMLIssuer(.v2, key: keys.signing(plan.key)).response(
      draft(for: request, plan, at: now), delivery: delivery)
    return Array(Base64.encode(response).utf8)
  }

  func samlAnswer(
    _ token: [UInt8], to request: SignInRequest, _ plan: AnswerPlan
  ) -> MadeAnswer {
    let state = plan.state.values(request.state).map { (name: "RelayState", value: $0) }
    let fields = [(name: "SAMLResponse", value: String(decoding: token, as: UTF8.self))] + state
    return MadeAnswer(
      answer: .post(request.consumer, fields), shown: (try? Base64.decode(token.span)) ?? token)
  }

  /// The session that assertions name, which a request for logout names too.
  static let sessionIndex = "claims-attack"

  /// Metadata of the provider (SAML Metadata 2.4.3).
  func samlMetadata() throws(TokenError) -> [UInt8] {
    var metadata = IdentityProviderMetadata(
      entityID: configuration.issuer, certificates: [keys.own.certificate],
      signOn: configuration.address(Path.signOn))
    metadata.signOnBindings = [.redirect, .post]
    metadata.logout = configuration.address(Path.logout)
    metadata.nameFormats = ["urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified"]
    return try metadata.document()
  }

  /// A request that the service end a person's session (SAML Profiles 4.4), in the query of an address.
  ///
  /// - Parameters:
  ///   - key: Signs the query; nil for no signature.
  ///   - id: The identifier of the message.
  package func logoutRequest(
    for subject: String, to address: HTTPURL, key: ProviderKey?, id: String, at now: Instant
  ) throws(TokenError) -> ProviderAnswer {
    let header = MessageHeader(
      id: id, issuer: configuration.issuer, issuedAt: now, destination: address.text)
    let message = OutgoingMessage.logoutRequest(
      header, name: SubjectName(subject), sessionIndex: Self.sessionIndex,
      notOnOrAfter: now.advanced(bySeconds: 300))
    let signing = try key.map { (key) throws(TokenError) in try keys.signing(key) }
    return .get(
      try RedirectBinding.address(
        address, "SAMLRequest", message.octets(signedWith: nil), relayState: nil, key: signing))
  }
}
