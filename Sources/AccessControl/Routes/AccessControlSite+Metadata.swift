import SignIn
import TokenService

extension AccessControlSite {
  /// Federation metadata: the keys of the namespace, current and next, and where people sign in.
  func metadata() throws(TokenError) -> HTTPResponse {
    let namespace = namespace
    var types: [ClaimType] = []
    for rule in namespace.ruleGroups.flatMap(\.rules) {
      guard let type = rule.outputType ?? rule.input.type, !types.contains(type) else { continue }
      types.append(type)
    }
    let document = try SecurityTokenServiceMetadata(
      issuer: namespace.issuer, certificates: namespace.keys.certificates,
      passive: address("/v2/wsfederation"), claimTypes: types
    ).document()
    return responder.response(200, "application/samlmetadata+xml", document)
  }
}
