public import Federation
public import HTTPExchange
import Octets
import TokenBasics

extension ServiceProvider {
  /// Begins a sign-in at `provider` with an `AuthnRequest` whose answer is posted to ``consumer``.
  ///
  /// - Parameters:
  ///   - provider: The identity provider.
  ///   - returnPath: Opened after the sign-in.
  ///   - options: What the request asks for; nil for ``options``.
  ///   - now: The clock, read once by the caller.
  /// - Throws: `signin.no-endpoint`; `signin.configuration` where the provider wants a signature and there
  ///   is no key; `policy.mint-*`.
  public func begin(
    at provider: IdentityProvider, returningTo returnPath: ReturnPath? = nil,
    options: AuthnRequestOptions? = nil, at now: Instant
  ) throws(TokenError) -> BegunSignIn {
    let options = options ?? self.options
    guard let endpoint = provider.signOn.first else { throw TokenError(.signInNoEndpoint) }
    let key = signingKeys.first
    guard key != nil || !provider.wantsSignedRequests else {
      throw TokenError(
        .signInConfiguration, node: "signingKey",
        expected: "a key, since the identity provider wants signed requests")
    }
    let pending = PendingSignIn(
      .saml2, issuer: provider.entityID, endpoint: consumer.text, contexts: options.contexts,
      returnPath: returnPath, random: random, at: now)
    let request = OutgoingMessage.authnRequest(
      header(pending.messageID, to: endpoint.location, at: now), consumer: consumer.text,
      binding: answerBinding, options: options)
    let action = try send(
      request, named: "SAMLRequest", to: endpoint.location, endpoint.binding,
      relayState: pending.request)
    return BegunSignIn(action: action, pending: pending)
  }

  /// Judges the answer to a pending sign-in.
  ///
  /// Values that no signature covers can refuse the answer and never satisfy a check; the pending
  /// sign-in is used up only by an answer that passed all others.
  ///
  /// - Parameters:
  ///   - answer: The response, read and not verified.
  ///   - pending: The pending sign-in that ``SAMLAnswer/request`` names.
  ///   - provider: The identity provider.
  ///   - trust: The trusted identity providers. Its audiences and decryption keys are replaced by ours.
  ///   - used: Remembers finished sign-ins and used assertions.
  ///   - now: The clock, read once by the caller.
  /// - Throws: `signin.*`, errors of verification, `replay.*`.
  public func finish(
    _ answer: SAMLAnswer, _ pending: PendingSignIn, from provider: IdentityProvider, trust: Trust,
    used: any ReplayStore, at now: Instant
  ) async throws(TokenError) -> FederatedPrincipal {
    try check(answer, pending, provider)
    let trust = narrowed(trust)
    let verified = try TokenValidator(trust).validate(
      answer.token, at: now,
      expecting: Expectations(recipient: consumer.text, inResponseTo: pending.messageID))
    guard verified.facts.issuer.hasSameBytes(as: pending.issuer) else {
      throw TokenError(
        .signInOtherIssuer, expected: TokenError.excerpt(pending.issuer),
        found: TokenError.excerpt(verified.facts.issuer))
    }
    try checkContext(verified, pending)
    let principal = try principal(verified, provider)
    // The sign-in first: after a crash in between neither can be used again.
    guard try await used.remember(pending.use, at: now) else { throw TokenError(.signInFinished) }
    try await used.use(verified, under: trust, from: pending.provider, at: now)
    return principal
  }

  /// Judges an answer that the identity provider sends without a request, where that is allowed.
  /// RelayState is ignored: it never leads anywhere (GATE-12).
  ///
  /// - Parameters:
  ///   - answer: The response, read and not verified.
  ///   - provider: The identity provider.
  ///   - name: The provider's identifier in the service's configuration; nil for a service of one.
  ///   - trust: The trusted identity providers. Its audiences and decryption keys are replaced by ours.
  ///   - used: Remembers used assertions.
  ///   - now: The clock, read once by the caller.
  /// - Throws: As ``finish(_:_:from:trust:used:at:)``; `signin.other-request` and
  ///   `subject.in-response-to-mismatch` for an answer that names a request, also inside what is encrypted;
  ///   `signin.other-issuer`.
  public func finishUnsolicited(
    _ answer: SAMLAnswer, from provider: IdentityProvider, named name: String? = nil,
    trust: Trust, used: any ReplayStore, at now: Instant
  ) async throws(TokenError) -> FederatedPrincipal {
    guard answer.token.unverifiedRequest == nil else { throw TokenError(.signInOtherRequest) }
    let trust = narrowed(trust)
    var expectations = Expectations(recipient: consumer.text)
    expectations.isUnsolicited = true
    let verified = try TokenValidator(trust).validate(
      answer.token, at: now, expecting: expectations)
    guard verified.facts.issuer.hasSameBytes(as: provider.entityID) else {
      throw TokenError(
        .signInOtherIssuer, expected: TokenError.excerpt(provider.entityID),
        found: TokenError.excerpt(verified.facts.issuer))
    }
    let principal = try principal(verified, provider)
    try await used.use(verified, under: trust, from: name, at: now)
    return principal
  }

  private func check(
    _ answer: SAMLAnswer, _ pending: PendingSignIn, _ provider: IdentityProvider
  ) throws(TokenError) {
    let named = try answer.request
    guard named.hasSameBytes(as: pending.request),
      answer.relayState.map({ $0.hasSameBytes(as: pending.request) }) ?? true
    else { throw TokenError(.signInOtherRequest) }
    guard pending.kind == .saml2, pending.endpoint.hasSameBytes(as: consumer.text) else {
      throw TokenError(
        .signInOtherEndpoint, expected: TokenError.excerpt(pending.endpoint),
        found: TokenError.excerpt(consumer.text))
    }
    guard pending.issuer.hasSameBytes(as: provider.entityID) else {
      throw TokenError(
        .signInOtherIssuer, expected: TokenError.excerpt(pending.issuer),
        found: TokenError.excerpt(provider.entityID))
    }
  }

  /// SAML Core 3.3.2.2.1: with `exact`, one of the demanded classes.
  private func checkContext(
    _ verified: Verified<SAMLToken>, _ pending: PendingSignIn
  ) throws(TokenError) {
    guard !pending.contexts.isEmpty else { return }
    let found = verified.claims[.authenticationMethod]
    let isMet =
      !found.isEmpty
      && found.allSatisfy { one in pending.contexts.contains { $0.hasSameBytes(as: one) } }
    guard isMet else {
      throw TokenError(
        .signInContext, expected: TokenError.excerpt(pending.contexts.joined(separator: " or ")),
        found: found.isEmpty ? "none" : TokenError.excerpt(found.joined(separator: ", ")))
    }
  }

  /// The subject of a verified assertion, without the claims that are out of the provider's scopes.
  ///
  /// - Throws: `signin.scope` where these refuse.
  func principal(
    _ verified: Verified<SAMLToken>, _ provider: IdentityProvider
  ) throws(TokenError) -> FederatedPrincipal {
    let scoped = ScopeFilter(provider.scopes).apply(to: verified.claims)
    if enforcesScopes, let first = scoped.dropped.first {
      throw TokenError(
        .signInScope, node: TokenError.excerpt(first.name),
        expected: provider.scopes.joined(separator: " or "))
    }
    return FederatedPrincipal(
      issuer: verified.facts.issuer, subject: verified.facts.subject ?? "",
      claims: ClaimSet(verified.projection.deciding(scoped.claims)), format: verified.token.format,
      issuerSession: IssuerSession(verified),
      warnings: verified.warnings
        + scoped.dropped.map { "scope: \($0) was dropped, since its scope is not the issuer's" })
  }

  /// The header of a message of ours.
  func header(_ id: String, to destination: HTTPURL?, at now: Instant) -> MessageHeader {
    MessageHeader(id: id, issuer: entityID, issuedAt: now, destination: destination?.text)
  }

  /// Sends a message through the browser: signed in the query, or inside the XML of a form.
  func send(
    _ message: OutgoingMessage, named name: String, to location: HTTPURL, _ binding: SAMLBinding,
    relayState: String?
  ) throws(TokenError) -> BrowserAction {
    let key = signingKeys.first
    if binding == .redirect {
      let octets = try message.octets(signedWith: nil)
      return .redirect(
        try RedirectBinding.address(location, name, octets, relayState: relayState, key: key))
    }
    let octets = try message.octets(signedWith: key)
    var fields = [(name: name, value: Base64.encode(octets))]
    if let relayState { fields.append((name: "RelayState", value: relayState)) }
    return .post(location, fields: fields)
  }
}

/// Withholds scoped attributes whose scope is not the issuer's (SEM-20; Shibboleth Metadata Extension).
struct ScopeFilter {
  private let scopes: [String]

  init(_ scopes: [String]) { self.scopes = scopes }

  /// The attributes whose values are `name@scope` (eduPerson 202208; SAML Subject Identifier Attributes).
  private static let scoped: [ClaimType] = [
    "urn:oid:1.3.6.1.4.1.5923.1.1.1.6", "eduPersonPrincipalName",
    "urn:oid:1.3.6.1.4.1.5923.1.1.1.9", "eduPersonScopedAffiliation",
    "urn:oid:1.3.6.1.4.1.5923.1.1.1.13", "eduPersonUniqueId",
    "urn:oasis:names:tc:SAML:attribute:subject-id",
    "urn:oasis:names:tc:SAML:attribute:pairwise-id",
  ]

  /// The claims without those out of scope, and the types of these. Without scopes in the metadata there is
  /// nothing to compare with.
  func apply(to claims: ClaimSet) -> (claims: ClaimSet, dropped: [ClaimType]) {
    guard !scopes.isEmpty else { return (claims, []) }
    var dropped: [ClaimType] = []
    let kept = claims.filter { claim in
      guard Self.scoped.contains(claim.type), !isInScope(claim.value) else { return true }
      dropped.append(claim.type)
      return false
    }
    return dropped.isEmpty ? (claims, []) : (ClaimSet(kept), dropped)
  }

  /// Whether there is exactly one `@`, and behind it, without case, a scope of the issuer.
  private func isInScope(_ value: String) -> Bool {
    let parts = value.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { return false }
    return scopes.contains { scope in
      scope.utf8.elementsEqual(parts[1]) { ASCII.lowercased($0) == ASCII.lowercased($1) }
    }
  }
}
