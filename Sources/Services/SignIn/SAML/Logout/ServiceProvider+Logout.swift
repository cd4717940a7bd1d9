public import Federation
public import HTTPExchange
import Octets
import TokenBasics
import XMLTree

extension ServiceProvider {
  /// Asks the identity provider to end its session, and those of other services (SAML Profiles 4.4). End the
  /// local session first: it must be over whatever the identity provider does.
  ///
  /// - Returns: Nil where the provider has no logout endpoint for browsers, the principal's session has no
  ///   name, or there is no key: an unsigned request ends nothing.
  /// - Throws: `policy.mint-*`.
  public func beginLogout(
    of principal: FederatedPrincipal, at provider: IdentityProvider,
    returningTo returnPath: ReturnPath? = nil, at now: Instant
  ) throws(TokenError) -> BegunSignIn? {
    try beginLogout(
      of: principal.issuerSession, at: provider, returningTo: returnPath, at: now)
  }

  /// As ``beginLogout(of:at:returningTo:at:)-(FederatedPrincipal,_,_,_)``, of a session that was stored.
  public func beginLogout(
    of session: IssuerSession, at provider: IdentityProvider,
    returningTo returnPath: ReturnPath? = nil, at now: Instant
  ) throws(TokenError) -> BegunSignIn? {
    guard let endpoint = provider.browserLogout, let name = session.name, let logout,
      !signingKeys.isEmpty
    else { return nil }
    let pending = PendingSignIn(
      .signOut, issuer: provider.entityID, endpoint: logout.text, returnPath: returnPath,
      random: random, at: now)
    let request = OutgoingMessage.logoutRequest(
      header(pending.messageID, to: endpoint.location, at: now), name: name,
      sessionIndex: session.index, notOnOrAfter: now.advanced(bySeconds: Self.logoutLifetime))
    let action = try send(
      request, named: "SAMLRequest", to: endpoint.location, endpoint.binding,
      relayState: pending.request)
    return BegunSignIn(action: action, pending: pending)
  }

  /// Verifies a message to the logout endpoint: by Redirect, by POST or over SOAP.
  ///
  /// A message without a signature ends nothing (`logout.unsigned`; SEM-19, GATE-29), nor one without
  /// `Destination` through a browser, which could have been meant for another service. A request is accepted
  /// once, while it is young.
  ///
  /// - Parameters:
  ///   - message: The request as it came.
  ///   - provider: The identity provider.
  ///   - trust: The trusted issuers and their keys.
  ///   - name: The provider's identifier in the service's configuration; nil for a service of one provider.
  ///   - pending: Opens the pending sign-out of a request that a response names.
  ///   - used: Remembers requests.
  ///   - now: The clock, read once by the caller.
  /// - Throws: `logout.*`, `client.*`, `xml.*`, `signature.*` and other errors of verification,
  ///   `response.destination-*`, `replay.used`.
  public func receiveLogout(
    _ message: WebRequest, from provider: IdentityProvider, named name: String? = nil,
    trust: Trust,
    pending: @Sendable (_ request: String) throws(TokenError) -> PendingSignIn,
    used: any ReplayStore, at now: Instant
  ) async throws(TokenError) -> ReceivedLogout {
    let trust = narrowed(trust)
    let (received, relayState, isDirect) = try verified(message, provider, trust, now)
    try check(received, isDirect: isDirect, trust, now)
    switch received.content {
    case .request(let subject, let sessionIndexes, let notOnOrAfter):
      if let end = notOnOrAfter?.advanced(bySeconds: Int64(trust.skew)), now >= end {
        throw TokenError(.logoutExpired, expected: "before \(end.rfc3339)", found: now.rfc3339)
      }
      // Until its age refuses it.
      let expires = received.issueInstant
        .advanced(bySeconds: Self.logoutLifetime + Int64(trust.skew) + 1)
      let identity = TokenIdentity(
        signIn: "logout:" + PrefixedTexts.text(name ?? "", received.issuer, received.id))
      guard try await used.remember(identity, until: expires, at: now) else {
        throw TokenError(.replayUsed, node: TokenError.excerpt(received.id))
      }
      return .request(
        LogoutDemand(
          issuer: received.issuer, name: subject, sessionIndexes: sessionIndexes, id: received.id,
          relayState: relayState.flatMap {
            $0.utf8.count <= Self.longestRelayState ? $0 : nil
          }, isDirect: isDirect))
    case .response(let request, let failure):
      guard let request, request.hasPrefix("_") else { throw TokenError(.logoutUnsolicited) }
      let begun = try pending(String(request.dropFirst()))
      guard begun.kind == .signOut, begun.issuer.hasSameBytes(as: received.issuer),
        name.map({ begun.provider.hasSameBytes(as: $0) }) ?? true
      else { throw TokenError(.logoutUnsolicited) }
      return .response(problem: failure.map { TokenError.excerpt($0) })
    }
  }

  /// Answers a logout request.
  ///
  /// - Throws: `signin.no-endpoint` where the provider has no logout endpoint for browsers; `policy.mint-*`.
  public func answer(
    _ demand: LogoutDemand, _ outcome: LogoutOutcome, to provider: IdentityProvider,
    at now: Instant
  ) throws(TokenError) -> LogoutAnswer {
    let id = "_" + random.hex(20)
    func response(_ destination: HTTPURL?) -> OutgoingMessage {
      OutgoingMessage.logoutResponse(
        header(id, to: destination, at: now), inResponseTo: demand.id, outcome: outcome)
    }
    if demand.isDirect {
      return .soap(
        try SOAPEnvelope.octets(around: response(nil).fragment(signedWith: signingKeys.first)))
    }
    guard let endpoint = provider.browserLogout else {
      throw TokenError(.signInNoEndpoint, node: "SingleLogoutService")
    }
    return .browser(
      try send(
        response(endpoint.responseLocation), named: "SAMLResponse", to: endpoint.responseLocation,
        endpoint.binding, relayState: demand.relayState))
  }

  /// Seconds for which a logout request is good: 300.
  static var logoutLifetime: Int64 { 300 }
  /// SAML Bindings 3.4.3 allows 80 octets, and providers send more; what comes back in an address is bounded.
  private static var longestRelayState: Int { 1_024 }

  private typealias Received = (message: LogoutMessage, relayState: String?, isDirect: Bool)

  /// The message as its signature covers it.
  private func verified(
    _ message: WebRequest, _ provider: IdentityProvider, _ trust: Trust, _ now: Instant
  ) throws(TokenError) -> Received {
    var context = VerificationContext(trust, Expectations(), at: now, isDetailed: false)
    let keys = try context.entry(forIssuer: Array(provider.entityID.utf8)[...], .saml20).keys
    if message.method.hasSameBytes(as: "GET") {
      let received = try RedirectMessage(query: message.query ?? "", limits: trust.limits)
      guard received.isSigned else { throw TokenError(.logoutUnsigned) }
      try received.verify(keys, at: now)
      let root = try Document(parsing: received.octets, limits: trust.limits).root
      let message = try read(root, provider, trust)
      try Self.check(message, isRequest: received.isRequest)
      return (message, received.relayState, false)
    }
    if message.hasForm {
      let posted = try PostedMessage(message)
      let root = try Document(parsing: posted.octets, limits: trust.limits).root
      let message = try signed(root, keys, provider, trust, now)
      try Self.check(message, isRequest: posted.isRequest)
      return (message, posted.relayState, false)
    }
    let element = try SOAPEnvelope.message(in: message.body, limits: trust.limits)
    let message = try signed(element, keys, provider, trust, now)
    try Self.check(message, isRequest: true)
    return (message, nil, true)
  }

  /// A request travels as `SAMLRequest` and a response as `SAMLResponse` (SAML Bindings 3.4.4, 3.5.4; SEM-15);
  /// over SOAP a request alone comes to us.
  private static func check(
    _ message: LogoutMessage, isRequest: Bool
  ) throws(TokenError) {
    let found = if case .request = message.content { true } else { false }
    guard found == isRequest else {
      throw TokenError(
        .clientParameter, node: isRequest ? "SAMLRequest" : "SAMLResponse",
        expected: isRequest ? "LogoutRequest" : "LogoutResponse",
        found: found ? "LogoutRequest" : "LogoutResponse")
    }
  }

  private func signed(
    _ element: Element, _ keys: [TrustedKey], _ provider: IdentityProvider, _ trust: Trust,
    _ now: Instant
  ) throws(TokenError) -> LogoutMessage {
    guard
      let covered = try MessageSignature.verify(element, keys: keys, at: now, limits: trust.limits)
    else { throw TokenError(.logoutUnsigned, node: element.path) }
    return try read(covered, provider, trust)
  }

  private func read(
    _ element: Element, _ provider: IdentityProvider, _ trust: Trust
  ) throws(TokenError) -> LogoutMessage {
    let message = try LogoutMessage(
      reading: element, decryptionKeys: trust.privateKeys, trust.limits)
    guard message.issuer.hasSameBytes(as: provider.entityID) else {
      throw TokenError(
        .logoutOtherSession, expected: TokenError.excerpt(provider.entityID),
        found: TokenError.excerpt(message.issuer))
    }
    return message
  }

  private func check(
    _ message: LogoutMessage, isDirect: Bool, _ trust: Trust, _ now: Instant
  ) throws(TokenError) {
    if let destination = message.destination {
      guard let logout, destination.hasSameBytes(as: logout.text) else {
        throw TokenError(
          .destinationMismatch, expected: logout?.text ?? "no logout endpoint",
          found: TokenError.excerpt(destination))
      }
    } else if !isDirect {
      // SAML Bindings 3.4.5.2, 3.5.5.2: every message here is signed.
      throw TokenError(.destinationMissing, expected: logout?.text ?? "no logout endpoint")
    }
    let latest = now.advanced(bySeconds: Int64(trust.skew))
    guard message.issueInstant <= latest else {
      throw TokenError(
        .issuedInFuture, expected: "before \(latest.rfc3339)", found: message.issueInstant.rfc3339)
    }
    let earliest = now.advanced(bySeconds: -Self.logoutLifetime - Int64(trust.skew))
    guard message.issueInstant >= earliest else {
      throw TokenError(
        .logoutExpired, expected: "\(earliest.rfc3339) or later",
        found: message.issueInstant.rfc3339)
    }
  }
}
