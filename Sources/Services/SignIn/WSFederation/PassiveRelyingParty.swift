public import Federation
public import HTTPExchange
import Octets

/// A WS-Federation relying party (WS-Federation 1.2, 13). Its tokens are SAML 1.1, SAML 2.0, JWT or SWT inside
/// a `RequestSecurityTokenResponse`.
///
/// A token of WS-Federation names neither the request nor the endpoint that it answers. What binds it to the
/// browser is `wctx`, which names a pending sign-in in the browser's own cookie; audience, issuer, end
/// of validity and one use are mandatory (WSF-10, WSF-12).
public struct PassiveRelyingParty: Sendable {
  /// The realm (`wtrealm`), which is the audience of its tokens.
  public let realm: String
  /// Where tokens are posted (`wreply`).
  public let reply: HTTPURL
  /// The keys that decrypt tokens.
  public let decryptionKeys: [PrivateKey]
  /// Certificates of ``decryptionKeys`` to publish.
  public let encryptionCertificates: [Certificate]
  let random: RandomSource

  /// A relying party.
  ///
  /// - Throws: `signin.configuration` for an empty realm.
  public init(
    realm: String, reply: HTTPURL, decryptionKeys: [PrivateKey] = [],
    encryptionCertificates: [Certificate] = [],
    random: RandomSource = RandomSource()
  ) throws(TokenError) {
    guard !realm.isEmpty else {
      throw TokenError(.signInConfiguration, node: "realm", expected: "a name")
    }
    self.realm = realm
    self.reply = reply
    self.decryptionKeys = decryptionKeys
    self.encryptionCertificates = encryptionCertificates
    self.random = random
  }

  /// The federation metadata to hand to issuers.
  public var metadata: ApplicationServiceMetadata {
    ApplicationServiceMetadata(
      realm: realm, reply: reply.text, encryptionCertificates: encryptionCertificates)
  }

  /// Begins a sign-in at `issuer`.
  public func begin(
    at issuer: PassiveIssuer, returningTo returnPath: ReturnPath? = nil,
    options: PassiveOptions = PassiveOptions(), at now: Instant
  ) -> BegunSignIn {
    let pending = PendingSignIn(
      .wsFederation, issuer: issuer.entityID, endpoint: reply.text, returnPath: returnPath,
      random: random, at: now)
    let parameters = PassiveRequestParameters.signIn(
      realm: realm, reply: reply, state: pending.request, homeRealm: options.homeRealm,
      authenticationType: options.authenticationType, freshness: options.freshness, at: now)
    return BegunSignIn(action: .redirect(issuer.endpoint.adding(parameters)), pending: pending)
  }

  /// Reads a request to the endpoint.
  ///
  /// - Throws: `client.*`; `input.*`, `xml.*`, `response.*` for the token.
  public func receive(
    _ message: WebRequest, limits: Limits = Limits()
  ) throws(TokenError) -> PassiveAnswer {
    let form = try PassiveForm(message)
    if form.isSignOutCleanup {
      return .signOutCleanup(reply: form.parameters["wreply"].flatMap { try? HTTPURL($0) })
    }
    let token = try AnyToken(reading: try form.signInResult(), as: .rstr, limits: limits)
    return .token(PassiveToken(token: token, context: form.parameters["wctx"]))
  }

  /// Judges the answer to a pending sign-in.
  ///
  /// - Throws: `signin.*`, errors of verification, `time.no-expiry`, `replay.*`.
  public func finish(
    _ answer: PassiveToken, _ pending: PendingSignIn, trust: Trust, used: any ReplayStore,
    at now: Instant
  ) async throws(TokenError) -> FederatedPrincipal {
    guard try answer.request.hasSameBytes(as: pending.request) else {
      throw TokenError(.signInOtherRequest)
    }
    guard pending.kind == .wsFederation, pending.endpoint.hasSameBytes(as: reply.text) else {
      throw TokenError(
        .signInOtherEndpoint, expected: TokenError.excerpt(pending.endpoint), found: reply.text)
    }
    var trust = trust
    trust.audiences = .oneOf([realm])
    if !decryptionKeys.isEmpty { trust.decryptionKeys = decryptionKeys.map { DecryptionKey($0) } }
    let verified = try TokenValidator(trust).validate(answer.token, at: now)
    guard verified.facts.issuer.hasSameBytes(as: pending.issuer) else {
      throw TokenError(
        .signInOtherIssuer, expected: TokenError.excerpt(pending.issuer),
        found: TokenError.excerpt(verified.facts.issuer))
    }
    guard try await used.remember(pending.use, at: now) else { throw TokenError(.signInFinished) }
    try await used.use(verified, under: trust, from: pending.provider, at: now)
    return FederatedPrincipal(
      issuer: verified.facts.issuer, subject: verified.facts.subject ?? "",
      claims: verified.decidingClaims, format: verified.token.format,
      issuerSession: IssuerSession(
        index: verified.facts.sessionIndex, end: verified.facts.sessionEnd),
      warnings: verified.warnings)
  }

  /// The address at which the issuer ends its session (`wsignout1.0`). End the local session first.
  public func signOut(
    at issuer: PassiveIssuer, returningTo address: HTTPURL? = nil
  ) -> BrowserAction {
    .redirect(
      issuer.endpoint.adding(PassiveRequestParameters.signOut(realm: realm, reply: address)))
  }
}

/// What a WS-Federation sign-in request asks for beyond a sign-in (WS-Federation 1.2, 13.2.2).
public struct PassiveOptions: Hashable, Sendable {
  /// The identity provider to use without a prompt (`whr`); nil to let the service ask.
  public var homeRealm: String?
  /// The required way to sign in, as a URI (`wauth`).
  public var authenticationType: String?
  /// The highest age of an earlier sign-in in minutes (`wfresh`); 0 forces a new one.
  public var freshness: Int?

  /// A request without demands.
  public init() {}
}

/// What came to the endpoint of a WS-Federation relying party.
public enum PassiveAnswer: Sendable {
  /// A token, not verified.
  case token(PassiveToken)
  /// The person signed out elsewhere. End the session that this browser's own cookie names, if there is
  /// one, whoever asks (WSF-11). Then answer with an image, or send a browser that was redirected here back
  /// to `reply`, if that is an address of one known issuer alone.
  case signOutCleanup(reply: HTTPURL?)
}

/// A posted token, parsed and not verified.
public struct PassiveToken: Sendable {
  let token: AnyToken
  let context: String?

  /// The identifier of the request that `wctx` names; it only finds the pending sign-in.
  ///
  /// - Throws: `signin.unsolicited` without a `wctx`.
  public var request: String {
    get throws(TokenError) {
      guard let context, !context.isEmpty else { throw TokenError(.signInUnsolicited) }
      return context
    }
  }
}

/// A security token service that signs people in by WS-Federation: its name and its endpoint. Its keys are
/// those of the trust.
public struct PassiveIssuer: Sendable {
  /// The name that its tokens carry as their issuer.
  public let entityID: String
  /// The passive requestor endpoint, for sign-in and sign-out.
  public let endpoint: HTTPURL
  /// The name to show to people.
  public let displayName: String

  /// A service at that endpoint.
  public init(entityID: String, endpoint: HTTPURL, displayName: String? = nil) {
    self.entityID = entityID
    self.endpoint = endpoint
    self.displayName = displayName ?? entityID
  }

  /// The service that federation metadata describes (WS-Federation 1.2, 3.1.2.3); nil without that role.
  ///
  /// - Throws: `signin.no-endpoint` without a usable `PassiveRequestorEndpoint`.
  public init?(_ entity: EntityDescriptor) throws(TokenError) {
    guard let role = entity.roles.first(where: { $0.kind == .securityTokenService }) else {
      return nil
    }
    let endpoint = role.endpoints.lazy.filter { $0.name == "PassiveRequestorEndpoint" }
      .compactMap { try? HTTPURL($0.location) }.first
    guard let endpoint else {
      throw TokenError(
        .signInNoEndpoint, node: "PassiveRequestorEndpoint", expected: "an https address",
        found: TokenError.excerpt(entity.entityID))
    }
    self.init(
      entityID: entity.entityID, endpoint: endpoint, displayName: role.displayNames.first?.name)
  }
}
