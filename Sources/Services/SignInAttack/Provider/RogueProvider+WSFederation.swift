import Federation
import LocalFiles
import SAML

extension RogueProvider {
  /// A response of WS-Trust around the assertion (WS-Federation 1.2, 13.2.3).
  func passiveToken(
    for request: SignInRequest, _ plan: AnswerPlan, at now: Instant
  ) throws(TokenError) -> [UInt8] {
    let version = configuration.tokenVersion
    let draft = draft(for: request, plan, at: now)
    let delivery = version == .v1 ? SAMLDelivery() : SAMLDelivery(recipient: request.consumer.text)
    let assertion = try SAMLIssuer(version, key: keys.signing(plan.key)).assertionFragment(
      draft, delivery)
    return try WSTrustResponse.Draft(
      token: assertion, type: version == .v1 ? TokenTypeURI.saml11 : TokenTypeURI.saml20,
      created: draft.issuedAt, expires: draft.expires, appliesTo: request.audience
    ).octets()
  }

  func passiveAnswer(
    _ token: [UInt8], to request: SignInRequest, _ plan: AnswerPlan
  ) -> MadeAnswer {
    let state = plan.state.values(request.state).map { (name: "wctx", value: $0) }
    let fields =
      [
        (name: "wa", value: "wsignin1.0"),
        (name: "wresult", value: String(decoding: token, as: UTF8.self)),
      ]
      + state
    return MadeAnswer(answer: .post(request.consumer, fields), shown: token)
  }

  /// Metadata of a provider (WS-Federation 1.2, 3.1).
  func passiveMetadata(
    of party: ProviderParty, _ content: MetadataContent
  ) throws(TokenError) -> [UInt8] {
    let claims = configuration.person.claims.isEmpty ? [] : claims(of: configuration.person.subject)
    var metadata = SecurityTokenServiceMetadata(
      issuer: content.name, certificates: content.certificates,
      passive: configuration.address(Path.signOn, of: party), claimTypes: claims.map(\.type))
    metadata.validUntil = content.validUntil
    return try metadata.document()
  }
}
