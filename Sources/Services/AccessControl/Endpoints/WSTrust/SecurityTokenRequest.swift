import Federation
public import HTTPExchange
import Octets
public import TokenBasics
import XMLTree

/// A request for a token by WS-Trust (1.3 or February 2005) in SOAP (1.2 or 1.1), with the name and password of a
/// service identity (WSS UsernameToken Profile 1.0).
public struct SecurityTokenRequest: Sendable, CustomReflectable {
  /// The name of the service identity.
  public let name: String
  /// Its password.
  public let password: Secret
  /// What the `Nonce` of the request makes of it, which comes once within ``nonceMemory`` seconds; nil without one.
  public let nonce: String?
  /// The realm of the relying party, from `AppliesTo`.
  public let realm: String
  /// The format that is asked for; nil for the relying party's.
  public let format: TokenFormat?
  /// What the answer relates to; nil without one.
  public let messageID: String?
  /// What the answer carries along.
  public let context: String?
  /// How the request, and so the answer, is spoken.
  public let dialect: Dialect

  /// Reads a request.
  ///
  /// - Parameters:
  ///   - octets: The SOAP message.
  ///   - address: Where it arrived: a `To` has to name it.
  ///   - now: A timestamp has to hold, by five minutes.
  ///   - dialect: Becomes what the request speaks as soon as that is known, so that a refusal can speak it too.
  /// - Throws: `issuing.soap-message`, `issuing.soap-header`, `issuing.soap-security`, `issuing.soap-body`.
  public init(
    parsing octets: [UInt8], at address: String, now: Instant, dialect: inout Dialect
  ) throws(TokenError) {
    let envelope = try Self.within(.issuingSOAPMessage) { () throws(TokenError) in
      try Document(parsing: octets).root
    }
    guard let soap = WSSName.soapVersions.first(where: { envelope.isNamed($0.envelope) }) else {
      throw TokenError(
        .issuingSOAPMessage, node: envelope.path, expected: "an Envelope of SOAP 1.2 or 1.1",
        found: TokenError.excerpt(envelope.localName))
    }
    dialect.soap = soap
    let (header, body) = try Self.within(.issuingSOAPMessage) { () throws(TokenError) in
      var children = try ChildReader(envelope)
      let parts = (try children.require(soap.header), try children.require(soap.body))
      try children.finish()
      return parts
    }
    let (request, trust) = try Self.request(body)
    dialect.trust = trust
    let block = try Self.within(.issuingSOAPHeader) { () throws(TokenError) in
      try HeaderBlock(header, soap, trust, address)
    }
    messageID = block.messageID
    let token = try Self.within(.issuingSOAPSecurity) { () throws(TokenError) in
      try UsernameToken(reading: block.security, at: now)
    }
    name = token.name
    password = token.password
    nonce = token.nonce
    let details = try Self.within(.issuingSOAPBody) { () throws(TokenError) in
      try Self.details(request, trust)
    }
    realm = details.realm
    format = details.format
    context = request.attribute(ExpandedName("Context"))
    self.dialect = dialect
  }

  /// Seconds for which a nonce is remembered.
  public static let nonceMemory = UsernameToken.memory

  /// Has no children, so that a dump shows no password.
  public var customMirror: Mirror { Mirror(self, children: [:]) }

  /// What is wrong in a part has the code of the part, and says what it was.
  private static func within<Value>(
    _ code: TokenError.Code, _ read: () throws(TokenError) -> Value
  ) throws(TokenError) -> Value {
    do throws(TokenError) {
      return try read()
    } catch {
      throw TokenError(
        code, node: error.node, expected: error.expected, found: error.found ?? error.code.summary)
    }
  }

  private static func request(
    _ body: Element
  ) throws(TokenError) -> (Element, WSSName.Trust) {
    let children = try within(.issuingSOAPBody) { () throws(TokenError) in try body.children() }
    guard children.count == 1,
      let trust = WSSName.trustVersions.first(where: { children[0].isNamed($0.request) })
    else {
      throw TokenError(
        .issuingSOAPBody, node: body.path, expected: "one RequestSecurityToken of WS-Trust 1.3",
        found: children.first.map { TokenError.excerpt($0.localName) } ?? "nothing")
    }
    return (children[0], trust)
  }

  /// WS-Trust 1.4, 4.2 (and 1.3, 9.2): who the token is about, and through whom.
  private static let delegation = ["OnBehalfOf", "ActAs", "DelegateTo", "Participants"]

  private static func details(
    _ request: Element, _ trust: WSSName.Trust
  ) throws(TokenError) -> (realm: String, format: TokenFormat?) {
    let children = try request.children()
    func only(_ name: ExpandedName) throws(TokenError) -> Element? {
      let found = children.filter { $0.isNamed(name) }
      guard found.count < 2 else { throw TokenError(.repeatedElement, node: found[1].path) }
      return found.first
    }
    func uri(_ name: ExpandedName, _ allowed: [String]) throws(TokenError) {
      guard let element = try only(name) else { return }
      let text = try element.collapsedText()
      guard allowed.contains(where: { $0.hasSameBytes(as: text) }) else {
        throw TokenError(
          .unexpectedElement, node: element.path, expected: allowed.joined(separator: " or "),
          found: TokenError.excerpt(text))
      }
    }
    // The service issues no token for another subject, or through a third party.
    for child in children where delegation.contains(where: { child.localName == $0 }) {
      throw TokenError(
        .unexpectedElement, node: child.path, expected: "a request for the sender itself")
    }
    try uri(trust.requestType, [trust.namespace + "/Issue"])
    try uri(trust.keyType, [trust.namespace + "/Bearer", WSTrustResponse.Draft.bearer])
    guard let scope = try only(WSSName.appliesTo) else {
      throw TokenError(.missingElement, node: request.path, expected: "AppliesTo")
    }
    var holder = try ChildReader(scope)
    let reference = try holder.require(WSSName.endpointReference)
    try holder.finish()
    var addresses = try ChildReader(reference)
    let realm = try addresses.require(WSSName.address).collapsedText()
    guard let type = try only(trust.tokenType) else { return (realm, nil) }
    let text = try type.collapsedText()
    guard let format = TokenTypeURI.format(text) else {
      throw TokenError(
        .unexpectedElement, node: type.path, expected: "the URI of SWT, JWT or SAML",
        found: TokenError.excerpt(text))
    }
    return (realm, format)
  }
}
