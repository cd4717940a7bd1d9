import HTTPExchange
import Octets
import SAML
import SignIn
import TokenBasics
import XMLTree

extension SAMLEndpoint {
  /// A SAML message of a browser, before anything of it is believed.
  struct Message {
    let root: Element
    /// Whether it came as a request.
    let isRequest: Bool
    let relayState: String?
    let redirect: RedirectMessage?
  }

  func message(_ request: WebRequest) throws(TokenError) -> Message {
    let limits = Limits()
    if request.method == "GET" {
      let redirect = try RedirectMessage(query: request.query ?? "", limits: limits)
      let root = try Document(parsing: redirect.octets, limits: limits).root
      return Message(
        root: root, isRequest: redirect.isRequest, relayState: redirect.relayState,
        redirect: redirect)
    }
    let posted = try PostedMessage(request)
    let root = try Document(parsing: posted.octets, limits: limits).root
    return Message(
      root: root, isRequest: posted.isRequest, relayState: posted.relayState, redirect: nil)
  }

  /// The element that the sender signed, or nil where it signed nothing.
  func signed(
    _ message: Message, by provider: SAMLServiceProvider
  ) throws(TokenError) -> Element? {
    if let redirect = message.redirect {
      guard redirect.isSigned else { return nil }
      try redirect.verify(provider.keys, at: service.clock.now)
      return message.root
    }
    return try MessageSignature.verify(
      message.root, keys: provider.keys, at: service.clock.now, limits: Limits())
  }

  /// The relying party of that realm, with the service provider of its metadata. Waits for metadata at an address that was
  /// not fetched yet.
  ///
  /// - Throws: `issuing.unknown-realm`, `issuing.metadata-unavailable`, `key.metadata-expired`.
  func serviceProvider(
    _ entityID: String
  ) async throws(TokenError) -> (party: RelyingParty, provider: SAMLServiceProvider) {
    let party = try service.namespace.relyingParty(entityID)
    return (party, try await metadata(of: party).provider(at: service.clock.now))
  }

  /// The service provider of that realm, without waiting: a sign-out does not wait for the metadata of each relying party.
  ///
  /// - Throws: As ``serviceProvider(_:)``.
  func knownServiceProvider(_ entityID: String) throws(TokenError) -> SAMLServiceProvider {
    let party = try service.namespace.relyingParty(entityID)
    return try metadata(of: party).knownProvider(at: service.clock.now)
  }

  private func metadata(of party: RelyingParty) throws(TokenError) -> PartyMetadata {
    guard let metadata = party.metadata else {
      throw TokenError(.issuingRealm, expected: "a relying party with metadata")
    }
    return metadata
  }

  /// Seconds by which a request may be old, or clocks differ.
  static let slack = Int64(300 + Trust.defaultSkew)

  /// Where and when a message is for this endpoint (SAML Core 3.2.1). A signed one says where it goes (SAML Bindings
  /// 3.4.5.2, 3.5.5.2).
  func check(
    _ destination: String?, _ instant: Instant, at path: String, isSigned: Bool
  ) throws(TokenError) {
    guard destination?.hasSameBytes(as: service.address(path)) ?? !isSigned else {
      throw TokenError(
        .issuingSAMLRequest, node: "Destination", expected: service.address(path),
        found: destination.map { TokenError.excerpt($0) } ?? "nothing")
    }
    let now = service.clock.now
    guard instant < now.advanced(bySeconds: Self.slack),
      instant > now.advanced(bySeconds: -Self.slack)
    else {
      throw TokenError(
        .issuingSAMLRequest, node: "IssueInstant", expected: "about \(now.rfc3339)",
        found: instant.rfc3339)
    }
  }

  func postForm(
    _ name: String, _ message: [UInt8], to address: HTTPURL, _ relayState: String?,
    cookies: [SetCookie] = []
  ) -> HTTPResponse {
    var fields = [(name: name, value: Base64.encode(message))]
    if let relayState { fields.append((name: "RelayState", value: relayState)) }
    return service.responder.page(200, .form(address, fields: fields), cookies: cookies)
  }

  func header(to destination: HTTPURL) -> MessageHeader {
    MessageHeader(
      id: "_" + service.random.hex(20), issuer: service.namespace.issuer,
      issuedAt: service.clock.now, destination: destination.text)
  }
}
