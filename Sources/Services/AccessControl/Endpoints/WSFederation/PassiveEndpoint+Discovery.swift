import HTTPExchange
import Octets
import SignIn
import TokenBasics

extension PassiveEndpoint {
  /// The identity providers of a relying party as JSON, or as a script that calls a function with them.
  func listProviders(_ request: WebRequest) throws(TokenError) -> HTTPResponse {
    let query = try service.query(request)
    guard query["version"] == "1.0" else {
      throw TokenError(.issuingField, node: "version", expected: "1.0")
    }
    guard let delivery = deliveries.first(where: { query["protocol"].hasSameBytes(as: $0.name) })
    else {
      throw TokenError(
        .issuingField, node: "protocol", expected: "wsfederation or javascriptnotify")
    }
    let namespace = service.namespace
    let party = try namespace.relyingParty(query.require("realm"))
    if let reply = query["reply_to"] { _ = try party.returnAddress(asked: reply) }
    // Each provider has it in its link.
    let state = query["context"]
    guard state?.utf8.count ?? 0 <= Self.mostOctetsOfState else {
      throw TokenError(
        .issuingField, node: "context", expected: "at most \(Self.mostOctetsOfState) bytes")
    }
    var context = SignInContext(delivery, realm: party.realm)
    context.reply = query["reply_to"]
    context.relyingPartyState = state
    context.begun = service.clock.now
    try service.decide(context, party)
    var json = JSONWriter()
    json.array { json in
      for provider in namespace.providers(of: party) { write(provider, context, to: &json) }
    }
    guard let callback = query["callback"] else {
      return service.responder.response(200, "application/json; charset=utf-8", json.bytes)
    }
    guard Self.isFunction(callback) else {
      throw TokenError(.issuingField, node: "callback", expected: "the name of a function")
    }
    return service.responder.response(
      200, "text/javascript; charset=utf-8",
      Array("\(callback)(".utf8) + json.bytes + Array(");".utf8))
  }

  /// As much as `state` of an OpenID request.
  private static let mostOctetsOfState = 4_096

  private func write(
    _ provider: ACSIdentityProvider, _ context: SignInContext, to json: inout JSONWriter
  ) {
    json.object { json in
      json.name("Name")
      json.string(provider.name)
      json.name("LoginUrl")
      json.string(service.signInAddress(provider, context, nil))
      json.name("LogoutUrl")
      json.string(service.address("/v2/wsfederation?wa=wsignout1.0"))
      json.name("ImageUrl")
      json.string(provider.image?.text ?? "")
      json.name("EmailAddressSuffixes")
      json.array { json in
        for suffix in provider.emailSuffixes { json.string(suffix) }
      }
    }
  }

  /// A name, or names with dots, of ASCII letters: nothing that runs.
  private static func isFunction(_ text: String) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return text.utf8.count <= 64
      && parts.allSatisfy { part in
        guard let first = part.first, !ASCII.isDigit(first) else { return false }
        return part.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || "_$".utf8.contains($0) }
      }
  }
}

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
