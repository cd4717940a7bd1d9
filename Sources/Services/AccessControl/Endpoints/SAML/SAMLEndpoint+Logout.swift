import HTTPExchange
import Octets
import SAML
import SignIn
import XMLTree

extension SAMLEndpoint {
  /// `/v2/saml/slo`: a `LogoutRequest` (SAML Profiles 4.4). This browser's session ends; another relying party that
  /// it signed in to is not told, which the answer says.
  func receiveLogoutRequest(_ request: WebRequest) async throws(TokenError) -> HTTPResponse {
    let message = try message(request)
    let claimed = try LogoutMessage(reading: message.root, decryptionKeys: [], Limits())
    let (party, provider) = try serviceProvider(claimed.issuer)
    // Without a signature anybody could sign people out (SEM-19).
    guard let covered = try signed(message, by: provider) else {
      throw TokenError(.logoutUnsigned, node: message.root.path)
    }
    let demand = try LogoutMessage(reading: covered, decryptionKeys: [], Limits())
    guard demand.issuer.hasSameBytes(as: provider.entityID),
      case .request(_, _, let end) = demand.content
    else { throw TokenError(.issuingSAMLRequest, node: "LogoutRequest", expected: "one") }
    // A signed message says where it goes (SAML Bindings 3.4.5.2, 3.5.5.2).
    guard demand.destination != nil else {
      throw TokenError(
        .issuingSAMLRequest, node: "Destination", expected: service.address(Self.logout),
        found: "nothing")
    }
    try check(demand.destination, demand.issueInstant, at: Self.logout)
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
    guard let endpoint = provider.logout.first else {
      throw TokenError(.signInNoEndpoint, node: "SingleLogoutService")
    }
    let others = service.visit(of: request).realms.filter { !$0.hasSameBytes(as: party.realm) }
    let answer = OutgoingMessage.logoutResponse(
      header(to: endpoint.responseLocation), inResponseTo: demand.id,
      outcome: others.isEmpty ? .done : .partial)
    let cookies = try await service.endVisit(request)
    guard endpoint.binding == .redirect else {
      return postForm(
        "SAMLResponse", try answer.octets(signedWith: service.namespace.keys.signing),
        to: endpoint.responseLocation, message.relayState, cookies: cookies)
    }
    return service.responder.redirect(
      try RedirectBinding.address(
        endpoint.responseLocation, "SAMLResponse", answer.octets(signedWith: nil),
        relayState: message.relayState, key: service.namespace.keys.signing
      ).text, cookies: cookies)
  }

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
