import Octets

/// Verifies the tokens that requests carry, for APIs.
public struct TokenAuthenticator: Sendable {
  private let registry: any IssuerRegistry
  /// The registry, where it fetches and asks.
  private let bearers: BearerTokenRegistry?
  private let clock: any TimeSource

  /// - Parameters:
  ///   - registry: The trusted issuers and our audiences. A trust that accepts any audience would open this API
  ///     to tokens for others; requests are then refused (GATE-26).
  ///   - clock: The clock; another one in tests.
  public init(_ registry: any IssuerRegistry, clock: any TimeSource = SystemTime()) {
    self.registry = registry
    // Known once: a cast for each request takes as long as a check of the claims.
    bearers = registry as? BearerTokenRegistry
    self.clock = clock
  }

  /// The principal of a request's token; nil where it has none.
  ///
  /// - Throws: `client.*` for a malformed header, and as for the token alone.
  public func principal(_ fields: HTTPFields) async throws(TokenError) -> FederatedPrincipal? {
    guard let token = try RequestToken(fields) else { return nil }
    return try await principal(token)
  }

  /// The principal of a token that a request carries.
  ///
  /// - Throws: errors of verification, `signin.configuration`, and `registry.*` while no issuer is known.
  public func principal(_ token: RequestToken) async throws(TokenError) -> FederatedPrincipal {
    try await authenticate(token).principal
  }

  /// As ``principal(_:)-(RequestToken)``, with what the trust says of the issuer.
  ///
  /// - Parameters:
  ///   - expected: What the service expects of the token.
  package func authenticate(
    _ token: RequestToken, expecting expected: BearerExpectations = BearerExpectations()
  ) async throws(TokenError) -> (principal: FederatedPrincipal, entry: BearerIssuer) {
    let now = clock.now
    var trust: Trust
    if let ready = bearers?.presentTrust(at: now) ?? registry.readyTrust(at: now) {
      trust = ready
    } else {
      trust = try await current(at: now)
    }
    if expected.audiences != nil || !expected.furtherAudiences.isEmpty {
      trust.audiences = expected.audiences(trust.audiences)
    }
    guard case .oneOf = trust.audiences else {
      throw TokenError(.signInConfiguration, node: "audiences", expected: "a name of this API")
    }
    let read = Result { () throws(TokenError) in
      try AnyToken(readingWithoutNames: token.octets, limits: trust.limits)
    }
    if let (remote, introspector) = bearers?.introspector(at: now),
      OpaqueToken.isFor(introspector.issuer, token.octets, try? read.get(), trust.limits)
    {
      let domains = remote.id.map(expected.domains) ?? []
      return (
        try await asked(
          introspector, remote, token.octets, trust, domains,
          needsAudience: expected.demandsAudience || !remote.rules.acceptsNoAudience, at: now),
        BearerIssuer(id: remote.id, sources: remote.rules.claimSources)
      )
    }
    let parsed = try read.mapError {
      RecognisedText.tokenError(for: token.octets[...], instead: $0)
    }
    .get()
    let verified = try await verified(parsed, trust, at: now)
    try AccessTokenCheck.check(verified, clientIDs: expected.clientIDs)
    let claims = Self.counted(verified, verified.entry.id.map(expected.domains) ?? [])
    let principal = FederatedPrincipal(
      issuer: verified.facts.issuer, subject: verified.facts.subject ?? "", claims: claims,
      format: parsed.format, issuerSession: IssuerSession(), warnings: verified.warnings)
    return (
      principal,
      BearerIssuer(
        id: verified.entry.id, sources: verified.entry.accessTokens.claimSources)
    )
  }

  /// The claims of a token as the trust shows them. An e-mail address is as good as its issuer says that it is (OpenID
  /// Connect Core 1.0, 5.1; GATE-13), as at a sign-in; SAML and Simple Web Tokens have no word for that.
  private static func counted(_ verified: Verified<AnyToken>, _ domains: [String]) -> ClaimSet {
    let claims = verified.decidingClaims
    guard ClaimName.email.types.contains(where: { !claims[$0].isEmpty }) else { return claims }
    let statements = verified.claims["email_verified"]
    if statements.contains(where: { !$0.hasSameBytes(as: "true") }) {
      return ClaimSet(CountedEmail.without(claims))
    }
    guard statements.isEmpty, verified.token.format == .jwt else { return claims }
    return ClaimSet(CountedEmail.marked(claims, domains: domains))
  }

  /// Verifies a token. Where the keys of its issuer are not there it waits for them, and for a key that is not known they
  /// are fetched once more.
  private func verified(
    _ token: AnyToken, _ trust: Trust, at now: Instant
  ) async throws(TokenError) -> Verified<AnyToken> {
    let bearers: BearerTokenRegistry
    let issuer = token.unverifiedFacts.issuer
    let expected = AccessTokenCheck.expectations(of: token, from: issuer, trust)
    do throws(TokenError) {
      return try TokenValidator(trust).validate(token, at: now, expecting: expected)
    } catch {
      guard [.unknownKeyID, .issuerUntrusted, .noKey].contains(error.code),
        let fetching = self.bearers, issuer.isEmpty || fetching.fetchesKeys(of: issuer, at: now)
      else { throw error }
      bearers = fetching
    }
    if issuer.isEmpty {
      // The name stands inside an encrypted token: the keys of all are waited for.
      _ = try await current(at: now)
    } else if let outage = await bearers.unavailability(of: issuer, at: now) {
      // Nothing is known of its tokens, which is no fault of theirs (GATE-8).
      throw outage
    }
    func renewed() -> Trust {
      var renewed = bearers.presentTrust(at: now) ?? trust
      renewed.audiences = trust.audiences
      return renewed
    }
    do throws(TokenError) {
      return try TokenValidator(renewed()).validate(token, at: now, expecting: expected)
    } catch {
      guard error.code == .unknownKeyID else { throw error }
    }
    await bearers.refreshForUnknownKey(of: issuer, at: now)
    return try TokenValidator(renewed()).validate(token, at: now, expecting: expected)
  }

  /// The principal of a token that its issuer vouches for.
  private func asked(
    _ introspector: TokenIntrospector, _ remote: RemoteIssuer, _ token: [UInt8], _ trust: Trust,
    _ domains: [String], needsAudience: Bool, at now: Instant
  ) async throws(TokenError) -> FederatedPrincipal {
    guard let answer = try await introspector.answer(about: token, at: now) else {
      throw TokenError(.signInTokenInactive)
    }
    try AccessTokenCheck.check(introspectedType: answer.type)
    try AccessTokenCheck.check(
      isBound: answer.claims.contains { $0.originalName.hasSameBytes(as: "cnf") })
    let isForAnybody = !needsAudience && !answer.namesAudience
    guard case .oneOf(let own) = trust.audiences, isForAnybody || !answer.audiences.isEmpty else {
      throw TokenError(.audienceMissing, node: "aud")
    }
    guard isForAnybody || answer.audiences.contains(where: own.containsBytes(of:)) else {
      throw TokenError(
        .audienceMismatch, node: "aud", expected: own.joined(separator: " or "),
        found: TokenError.excerpt(answer.audiences.joined(separator: ", ")))
    }
    let claims = remote.projection.deciding(
      CountedEmail.filter(answer.claims, domains: domains).claims)
    return FederatedPrincipal(
      issuer: introspector.issuer, subject: answer.subject, claims: ClaimSet(claims), format: .jwt,
      issuerSession: IssuerSession(), warnings: [])
  }

  /// The trust that is waited for. Whatever keeps it away is a fault of ours, not of the token: a file that cannot be
  /// read has a code of its own, which becomes the cause of `registry.unavailable`.
  private func current(at now: Instant) async throws(TokenError) -> Trust {
    do throws(TokenError) {
      return try await registry.trust(at: now)
    } catch {
      guard error.code.family != TokenError.Code.registryUnavailable.family else { throw error }
      throw TokenError(
        .registryUnavailable, node: error.node, expected: error.expected,
        found: error.code.rawValue + (error.found.map { ", \($0)" } ?? ""))
    }
  }

  /// The answer to a request without a good token (RFC 6750, 3): 401, or 503 while no issuer is known.
  ///
  /// - Parameter error: Nil where the request has no token.
  public static func refusal(_ error: TokenError?) -> HTTPResponse {
    refusal(error, reference: nil)
  }

  /// - Parameters:
  ///   - error: Nil where the request has no token.
  ///   - status: 401, or 403 for a token that is good and not enough.
  ///   - reference: The number under which the refusal is logged; nil for none.
  ///   - challenge: What it needs, beside the error.
  package static func refusal(
    _ error: TokenError?, status: Int = 401, reference: String?,
    challenge: TokenChallenge = TokenChallenge()
  ) -> HTTPResponse {
    let isOurs = error?.code.fault.isOurs ?? false
    let code = error?.code.rawValue ?? "signin.required"
    let message = error?.code.summary ?? "a token of a trusted issuer is required"
    var whole = challenge
    if let error, !isOurs, !challenge.parameters.contains(where: { $0.name == "error" }) {
      let isRequest = [.clientDuplicateParameter, .clientParameter].contains(error.code)
      whole.add("error", isRequest ? "invalid_request" : "invalid_token")
      whole.add("error_description", code)
    }
    var pairs = [("Content-Type", "application/json"), ("Cache-Control", "no-store")]
    if !isOurs { pairs.append(("WWW-Authenticate", whole.text)) }
    let number = reference.map { ",\"reference\":\"\($0)\"" } ?? ""
    let body = "{\"code\":\"\(code)\",\"message\":\"\(message)\"\(number)}\n"
    return HTTPResponse(
      status: isOurs ? TokenError.Fault.service.status : status,
      fields: (try? HTTPFields(pairs)) ?? HTTPFields(),
      body: Array(body.utf8))
  }
}

/// What the trust says of the issuer of a bearer token, for the configuration of a service.
package struct BearerIssuer: Sendable {
  /// How the configuration names it; nil where it does not.
  package let id: String?
  /// Further names of claims in its tokens.
  package let sources: ClaimSources
}

/// The token that a request carries in its header, read and not verified.
public struct RequestToken: Sendable {
  let octets: [UInt8]

  /// Reads `Authorization: Bearer` (RFC 6750, 2.1), `Authorization: WRAP access_token="…"` (OAuth WRAP 0.9.7.2, 4)
  /// or `X-ZUMO-AUTH` (Azure Mobile Services). Nil where a request has none; tokens in queries and bodies are not
  /// read (RP-1).
  ///
  /// - Throws: `client.duplicate-parameter` for two tokens, `client.parameter` for a malformed one.
  public init?(_ fields: HTTPFields) throws(TokenError) {
    try self.init(
      authorization: fields.values("Authorization"), mobile: fields.values("X-ZUMO-AUTH"))
  }

  /// Reads the values of `Authorization` and of `X-ZUMO-AUTH`, as ``init(_:)``.
  package init?(authorization: [String], mobile: [String]) throws(TokenError) {
    guard authorization.count + mobile.count <= 1 else {
      throw TokenError(.clientDuplicateParameter, node: "Authorization")
    }
    if let token = mobile.first {
      octets = Array(token.utf8)
      return
    }
    // The whole, which is one copy, and what comes before the token taken out of it; a token may be long.
    var octets = Array((authorization.first ?? "").utf8)
    guard let space = octets.firstIndex(of: ASCII.space) else { return nil }
    let isBearer = octets[..<space].equalsIgnoringCase("bearer")
    guard isBearer || octets[..<space].equalsIgnoringCase("wrap") else { return nil }
    octets.removeFirst(octets[space...].firstIndex { $0 != ASCII.space } ?? octets.count)
    if !isBearer {
      let name = "access_token=\""
      guard octets.starts(with: name.utf8), octets.last == UInt8(ascii: "\""),
        octets.count > name.utf8.count + 1
      else {
        throw TokenError(.clientParameter, node: "Authorization", expected: "access_token=\"…\"")
      }
      octets.removeLast()
      octets.removeFirst(name.utf8.count)
    }
    guard !octets.isEmpty else {
      throw TokenError(.clientParameter, node: "Authorization", expected: "a token")
    }
    self.octets = octets
  }
}
