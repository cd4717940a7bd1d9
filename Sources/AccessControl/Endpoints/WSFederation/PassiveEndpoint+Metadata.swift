import SignIn
import TokenService

extension PassiveEndpoint {
  /// Federation metadata: the keys of the namespace, current and next, and where people sign in.
  func showMetadata(_ request: WebRequest) throws(TokenError) -> HTTPResponse {
    let namespace = try service.publishable()
    var types: [ClaimType] = []
    for rule in namespace.ruleGroups.flatMap(\.rules) {
      guard let type = rule.outputType ?? rule.input.type, !types.contains(type) else { continue }
      types.append(type)
    }
    var metadata = SecurityTokenServiceMetadata(
      issuer: namespace.issuer, certificates: namespace.keys.certificates,
      passive: service.address("/v2/wsfederation"), claimTypes: types)
    metadata.active = service.address(WSTrustEndpoint.path)
    metadata.displayName = service.origin.host
    return service.responder.response(
      200, "application/samlmetadata+xml",
      try metadata.document(signedWith: namespace.keys.signing))
  }
}
