import SignIn
import TokenService

extension AccessControlSite {
  /// Federation metadata: the keys of the namespace, current and next, and where people sign in.
  func metadata() throws(TokenError) -> HTTPResponse {
    let namespace = try publishable()
    var types: [ClaimType] = []
    for rule in namespace.ruleGroups.flatMap(\.rules) {
      guard let type = rule.outputType ?? rule.input.type, !types.contains(type) else { continue }
      types.append(type)
    }
    var metadata = SecurityTokenServiceMetadata(
      issuer: namespace.issuer, certificates: namespace.keys.certificates,
      passive: address("/v2/wsfederation"), claimTypes: types)
    metadata.active = address(Self.trustRoute)
    metadata.displayName = origin.host
    return responder.response(
      200, "application/samlmetadata+xml",
      try metadata.document(signedWith: namespace.keys.signing))
  }

  /// The namespace, if it has a certificate to publish.
  ///
  /// - Throws: `issuing.metadata`.
  func publishable() throws(TokenError) -> ServiceNamespace {
    let namespace = namespace
    guard !namespace.keys.certificates.isEmpty else {
      throw TokenError(.issuingMetadata, expected: "a certificate", found: "none")
    }
    return namespace
  }
}
