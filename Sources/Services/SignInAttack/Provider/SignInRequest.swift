import SignIn
import TokenBasics
import XMLTree

/// What a service asks of the provider, in any protocol.
package struct SignInRequest: Sendable {
  /// Where the answer goes: the assertion consumer, `wreply` or `redirect_uri`.
  package let consumer: HTTPURL
  /// Whom the token is for: the entity identifier, the realm or the client.
  package let audience: String
  /// What the service wants back unchanged: `RelayState`, `wctx` or `state`.
  package var state: String?
  /// The ways to sign in that an `AuthnRequest` takes; empty for any.
  package var contexts: [String] = []
  /// The identifier of an `AuthnRequest`.
  package var id: String?
  /// The `nonce` of OpenID Connect.
  package var nonce: String?
  /// The `code_challenge` of a proof key (RFC 7636).
  package var challenge: String?
  /// Whether the answer is posted in a form (`response_mode=form_post`).
  package var isPosted = false

  package init(consumer: HTTPURL, audience: String) {
    self.consumer = consumer
    self.audience = audience
  }

  /// Reads the request of the configured protocol.
  ///
  /// - Throws: `attack.request` with what is missing; `attack.origin` for an answer to another origin than the service's.
  package init(
    reading request: WebRequest, _ configuration: AttackConfiguration
  ) throws(TokenError) {
    do throws(TokenError) {
      switch configuration.protocolName {
      case .saml20: self = try Self.saml(request, configuration)
      case .wsFederation: self = try Self.passive(request, configuration)
      case .openID: self = try Self.openID(request, configuration)
      }
    } catch {
      guard error.code != .attackRequest else { throw error }
      throw TokenError(
        .attackRequest, node: error.node, expected: error.expected ?? error.message,
        found: error.found)
    }
    guard configuration.serviceOrigins.contains(consumer.origin) else {
      throw TokenError(
        .attackOrigin, node: "the address of the answer",
        expected: "an address of the origin of start or of probe", found: consumer.description)
    }
  }

  private static func saml(
    _ request: WebRequest, _ configuration: AttackConfiguration
  ) throws(TokenError) -> Self {
    let octets: [UInt8]
    let state: String?
    if request.method == "POST" {
      let form = try request.form
      octets = try Base64.decode(form.require("SAMLRequest").utf8, whiteSpace: .skipped)
      state = form["RelayState"]
    } else {
      let message = try RedirectMessage(query: request.query ?? "")
      octets = message.octets
      state = message.relayState
    }
    let asked = try AuthnRequest(reading: Document(parsing: octets).root)
    let consumer = try asked.consumer.map { (text) throws(TokenError) in try HTTPURL(text) }
    guard let consumer = consumer ?? configuration.consumer else {
      throw TokenError(
        .attackRequest, node: "AssertionConsumerServiceURL",
        expected: "an address, or consumer in the file")
    }
    var read = Self(consumer: consumer, audience: configuration.entity ?? asked.issuer)
    read.id = asked.id
    read.contexts = asked.contexts
    read.state = state
    return read
  }

  private static func passive(
    _ request: WebRequest, _ configuration: AttackConfiguration
  ) throws(TokenError) -> Self {
    let query = try request.parameters(passingOver: .foreignNames)
    guard query["wa"] == "wsignin1.0" else {
      throw TokenError(.attackRequest, node: "wa", expected: "wsignin1.0")
    }
    let reply = try query["wreply"].map { (text) throws(TokenError) in try HTTPURL(text) }
    guard let consumer = reply ?? configuration.consumer else {
      throw TokenError(
        .attackRequest, node: "wreply", expected: "an address, or consumer in the file")
    }
    var read = Self(
      consumer: consumer, audience: try name("wtrealm", query, configuration))
    read.state = query["wctx"]
    return read
  }

  private static func openID(
    _ request: WebRequest, _ configuration: AttackConfiguration
  ) throws(TokenError) -> Self {
    let query =
      request.method == "POST"
      ? try request.form(passingOver: .foreignNames)
      : try request.parameters(passingOver: .foreignNames)
    guard query["response_type"] == "code" else {
      throw TokenError(
        .attackRequest, node: "response_type", expected: "code",
        found: query["response_type"].map { TokenError.excerpt($0) })
    }
    var read = Self(
      consumer: try HTTPURL(query.require("redirect_uri")),
      audience: try name("client_id", query, configuration))
    read.state = query["state"]
    read.nonce = query["nonce"]
    read.isPosted = query["response_mode"] == "form_post"
    if let challenge = query["code_challenge"] {
      guard query["code_challenge_method"] == "S256" else {
        throw TokenError(.attackRequest, node: "code_challenge_method", expected: "S256")
      }
      read.challenge = challenge
    }
    return read
  }

  /// The name of the service by the file, or by the request.
  ///
  /// - Throws: `client.parameter`.
  private static func name(
    _ parameter: String, _ query: FormReader, _ configuration: AttackConfiguration
  ) throws(TokenError) -> String {
    guard let entity = configuration.entity else { return try query.require(parameter) }
    return entity
  }
}
