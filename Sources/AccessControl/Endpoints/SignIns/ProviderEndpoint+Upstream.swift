import BrowserExchange
import Octets
import SecurityKeys
import SignIn
import SingleSignOn
import TokenService

extension AccessControlSite {
  /// Sends the browser to a real provider, with what the relying party demands.
  func beginUpstream(
    _ context: SignInContext, _ name: String, _ browser: String, _ cookies: [SetCookie],
    _ request: WebRequest
  ) async throws(TokenError) -> HTTPResponse {
    guard let upstream else { throw TokenError(.issuingProvider, node: name) }
    let path = Self.continuation + seal(context, for: browser)
    guard let back = try? ReturnPath(path) else {
      throw TokenError(
        .issuingField, node: "context", expected: "at most some 1,200 octets of context and state")
    }
    var demands = context.demands
    // SAML states an instant, OpenID Connect one that was asked for.
    demands.wantsInstant = true
    var response = try await upstream.begin(
      at: name, returningTo: back, demanding: demands, request)
    for cookie in cookies {
      try? response.fields.append("Set-Cookie", cookie.text(isSecure: origin.scheme == "https"))
    }
    return response
  }

  /// A request of a sign-in at a real provider. What it is refused for reaches the relying party, with its number, as it
  /// does from the page of invented people.
  func atProvider(_ upstream: SignInSite, _ request: WebRequest) async -> HTTPResponse {
    let route = request.path.dropFirst(upstream.settings.prefix.count)
    // A sign-in begins at a relying party, and what comes of it goes there.
    guard !["sign-in", "claims", "discovery"].contains(route) else { return notFound }
    do throws(TokenError) {
      return arriving(try await upstream.answer(to: request), upstream)
    } catch {
      guard Self.isOfProvider(error), let path = upstream.returnPath(of: request)?.text,
        path.hasPrefix(Self.continuation),
        let context = try? opened(String(path.dropFirst(Self.continuation.count)), request),
        let (party, provider) = try? resolved(context)
      else { return await upstream.refusal(error, request) }
      return refusal(
        Self.isCancelled(error) ? TokenError(.issuingCancelled) : error, context, party, provider)
    }
  }

  /// `GET /v2/continue?cx=…`: a person comes back from a real provider.
  func continueUpstream(_ request: WebRequest) async throws(TokenError) -> HTTPResponse {
    let text = try query(request).require("cx")
    let context = try opened(text, request)
    let (party, provider) = try resolved(context)
    guard case .upstream(let name) = provider.kind, let upstream,
      let cookie = request.cookies[upstream.settings.sessionCookie],
      let arrived = request.cookies[cookieName("arrived")],
      ConstantTime.areEqual(
        Array(arrived.revealed.utf8), Array(arrival(cookie.revealed, text).utf8)),
      let session = try await upstream.session(of: request),
      session.provider.hasSameBytes(as: name)
    else { throw TokenError(.issuingSignIn, node: "session") }
    // One answer of the provider is one token.
    let ended = try await endArrival(request)
    var response: HTTPResponse
    do throws(TokenError) {
      response = try await finish(
        context, party, provider, subject(of: session.principal, provider), request)
    } catch {
      response = refusal(error, context, party, provider)
    }
    for cookie in ended {
      try? response.fields.append("Set-Cookie", cookie.text(isSecure: origin.scheme == "https"))
    }
    return response
  }

  // MARK: Arrivals

  private static let continuation = "/v2/continue?cx="

  /// Ties the session that a provider's answer began to the sign-in that it answers: another sign-in of the browser cannot
  /// be finished with it.
  private func arriving(_ response: HTTPResponse, _ upstream: SignInSite) -> HTTPResponse {
    let name = upstream.settings.sessionCookie + "="
    guard response.status == 303, let location = response.fields["Location"],
      location.hasPrefix(Self.continuation),
      let session = response.fields.values("Set-Cookie").first(where: { $0.hasPrefix(name) })
    else { return response }
    let value = session.dropFirst(name.count).prefix { $0 != ";" }
    let proof = arrival(String(value), String(location.dropFirst(Self.continuation.count)))
    let cookie = SetCookie(
      name: cookieName("arrived"), value: Secret(proof),
      maximumAge: upstream.settings.lifetime, sameSite: .lax)
    var response = response
    try? response.fields.append("Set-Cookie", cookie.text(isSecure: origin.scheme == "https"))
    return response
  }

  private func arrival(_ session: String, _ context: String) -> String {
    Base64.encode(key.code(for: "arrival:\(session):\(context)"), .url)
  }

  /// Removes the session that a provider's answer began.
  func endArrival(_ request: WebRequest) async throws(TokenError) -> [SetCookie] {
    guard let upstream, let cookie = request.cookies[upstream.settings.sessionCookie] else {
      return []
    }
    if let id = SessionID(cookie) { try await upstream.sessions.remove(id) }
    return [
      SetCookie.removing(upstream.settings.sessionCookie, .lax),
      SetCookie.removing(cookieName("arrived"), .lax),
    ]
  }

  // MARK: What a provider says

  /// The person of a real provider: one verified name, and the claims by their URIs. A claim that is named like the name
  /// is none beside it, and what the protocol says of the token is no claim of the person.
  private func subject(
    of principal: FederatedPrincipal, _ provider: OfferedProvider
  ) throws(TokenError) -> SignedInSubject {
    let isWeb = principal.format == .jwt
    var claims: [Claim] = []
    for claim in principal.claims {
      if isWeb, Self.isOfToken(claim.originalName) || Self.isOfToken(claim.type.name) { continue }
      var claim = claim
      if let uri = ClaimNaming.uri(of: claim.type.name) { claim.type = ClaimType(uri) }
      if claim.type != .nameIdentifier { claims.append(claim) }
    }
    let isTransient = principal.issuerSession.name?.format == NameFormat.transient
    var name = principal.subject.isEmpty || isTransient ? nil : principal.subject
    // A rule may want to see even a name that does not last.
    var shown = principal.subject
    if let type = provider.subjectType {
      let values = principal.claims.filter {
        $0.type == type || ClaimNaming.uri(of: $0.type.name) == type.name
      }.map(\.value)
      guard values.count == 1, let value = values.first, !value.isEmpty else {
        throw TokenError(
          .issuingSubject, node: provider.id, expected: "one value of \(type.name)",
          found: "\(values.count)")
      }
      name = value
      shown = value
    }
    if !shown.isEmpty { claims.insert(Claim(.nameIdentifier, shown), at: 0) }
    var subject = SignedInSubject(ClaimSet(claims), from: .provider(provider.id), name: name)
    let said = principal.claims
    let isConfirmed =
      !isWeb || said.filter { $0.type == "email_verified" }.map(\.value) == ["true"]
    if isConfirmed {
      subject.emails = claims.filter { $0.type == .emailAddress }.map(\.value)
        .filter(provider.isAuthoritative)
    }
    subject.authenticated = Self.instant(said)
    let contexts = said.filter {
      $0.originalName.hasSameBytes(as: "acr") || $0.type == .authenticationMethod
    }
    if contexts.count == 1 { subject.context = contexts.first?.value }
    return subject
  }

  /// When the provider signed the person in: of several instants the first.
  private static func instant(_ claims: ClaimSet) -> Instant? {
    claims.compactMap { claim -> Instant? in
      if claim.type == .authenticationInstant { return try? Instant(dateTime: claim.value) }
      guard claim.type == "auth_time", let seconds = Double(claim.value), seconds >= 0,
        seconds < 253_402_300_800
      else { return nil }
      return Instant(secondsSinceEpoch: Int64(seconds))
    }.min()
  }

  /// Members of a token that are about the token (RFC 7519, 4.1; OpenID Connect Core 1.0, 2).
  private static func isOfToken(_ name: String) -> Bool {
    [
      "iss", "sub", "aud", "exp", "nbf", "iat", "jti", "nonce", "auth_time", "acr", "azp",
      "at_hash", "c_hash", "s_hash", "sid", "cnf", "events",
    ].contains { $0.hasSameBytes(as: name) }
  }

  /// Whether the provider is the cause, and not a browser that comes twice or a store that is away.
  private static func isOfProvider(_ error: TokenError) -> Bool {
    !SignInSite.isRepetition(error) && error.code != .inputTooLarge
      && !["store", "replay"].contains(error.code.family)
      && !error.code.rawValue.hasPrefix("signin.session")
  }

  /// OAuth 2.0, RFC 6749, 4.1.2.1.
  private static func isCancelled(_ error: TokenError) -> Bool {
    error.code == .signInRefused && error.found?.contains("access_denied") == true
  }
}
