import LocalFiles
import SAML
import TokenBasics

extension RogueProvider {
  /// A response in base64, as the POST binding carries it (SAML Bindings 3.5).
  func samlToken(
    for request: SignInRequest, _ plan: AnswerPlan, at now: Instant
  ) throws(TokenError) -> [UInt8] {
    let delivery = SAMLDelivery(
      recipient: request.consumer.text, inResponseTo: plan.inResponseTo.values(request.id).last,
      authenticationMethod: plan.hasOtherContext
        ? Self.weakContext : request.contexts.first,
      sessionIndex: plan.session)
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

  /// A way to sign in that no request asks for.
  private static let weakContext = "urn:oasis:names:tc:SAML:2.0:ac:classes:InternetProtocol"

  /// Metadata of a provider (SAML Metadata 2.4.3).
  func samlMetadata(
    of party: ProviderParty, _ content: MetadataContent
  ) throws(TokenError) -> [UInt8] {
    var metadata = IdentityProviderMetadata(
      entityID: content.name, certificates: content.certificates,
      signOn: configuration.address(Path.signOn, of: party))
    metadata.signOnBindings = [.redirect, .post]
    metadata.logout = configuration.address(Path.logout, of: party)
    metadata.nameFormats = ["urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified"]
    metadata.validUntil = content.validUntil
    return try metadata.document()
  }
}
