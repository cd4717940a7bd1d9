import HTTPExchange
import Octets
import SecurityKeys
import SignIn
import TokenBasics

extension ProviderEndpoint {
  /// Sends the browser to a real provider, with what the relying party demands.
  func beginUpstream(
    _ context: SignInContext, _ provider: ACSIdentityProvider, at name: String, _ browser: String,
    _ cookies: [SetCookie], _ request: WebRequest
  ) async throws(TokenError) -> HTTPResponse {
    guard let upstream = service.upstream else {
      throw TokenError(.issuingProvider, node: name)
    }
    let travelling = await service.shortened(
      context, to: IssuingService.mostInCookies, request)
    guard let back = try? ReturnPath(Self.continuation + service.seal(travelling, for: browser))
    else {
      throw TokenError(
        .issuingRate, node: "context", expected: "fewer long sign-ins of one sender",
        found: "too many")
    }
    var demands = context.demands
    demands.contexts = provider.theirContexts(demands.contexts)
    // SAML states an instant, OpenID Connect one that was asked for.
    demands.wantsInstant = true
    return service.adding(
      cookies,
      to: try await upstream.begin(
        at: name, for: context.realm, returningTo: back, demanding: demands, request))
  }

  /// A request of a sign-in at a real provider. Reports upstream failures to the relying party by
  /// number, as for test people.
  func atProvider(_ upstream: SignInSite, _ request: WebRequest) async -> HTTPResponse {
    let route = request.path.dropFirst(upstream.settings.prefix.count)
    // A sign-in begins at a relying party, and what comes of it goes there.
    guard !["sign-in", "claims", "discovery"].contains(route) else {
      return service.responder.nothing(for: request)
    }
    do throws(TokenError) {
      return arriving(try await upstream.answer(to: request), upstream, request)
    } catch {
      guard Self.isOfProvider(error), let path = upstream.returnPath(of: request)?.text,
        let context = try? await service.opened(
          String(path.dropFirst(Self.continuation.count)), request),
        let pending = try? await pending(context)
      else { return await upstream.refusal(error, request) }
      return await refuse(
        Self.isCancelled(error) ? TokenError(.issuingCancelled) : error, pending)
    }
  }

  /// `GET /v2/continue?cx=…`: a person comes back from a real provider.
  func continueUpstream(_ request: WebRequest) async throws(TokenError) -> HTTPResponse {
    let text = try service.query(request).require("cx")
    let pending = try await pending(await service.opened(text, request))
    guard case .upstream(let name) = pending.provider.kind, let upstream = service.upstream,
      let arrival = Arrival(request, for: text, service),
      let session = try await upstream.session(cookie: arrival.session),
      upstream.provider(session.provider)?.id.hasSameBytes(as: name) == true
    else { throw TokenError(.issuingSignIn, node: "session") }
    // One answer of the provider is one token.
    if let id = SessionID(arrival.session) { try await upstream.sessions.remove(id) }
    let ended = [SetCookie.removing(arrival.name, .lax)]
    do throws(TokenError) {
      let subject = try pending.provider.subject(of: session.principal)
      return service.adding(ended, to: try await finish(pending, subject, request, of: session))
    } catch {
      return service.adding(ended, to: await refuse(error, pending))
    }
  }

  // MARK: Arrivals

  private static let continuation = "/v2/continue?cx="

  /// Ties the session that a provider's answer began to the sign-in that it answers: another sign-in of the browser cannot
  /// be finished with it. Each has a cookie of its own, so that tabs do not take each other's.
  private func arriving(
    _ response: HTTPResponse, _ upstream: SignInSite, _ request: WebRequest
  ) -> HTTPResponse {
    let name = upstream.settings.sessionCookie + "="
    let cookies = response.fields.values("Set-Cookie")
    guard response.status == 303, let location = response.fields["Location"],
      location.hasPrefix(Self.continuation),
      let session = cookies.first(where: { $0.hasPrefix(name) })
    else { return response }
    let value = Secret(String(session.dropFirst(name.count).prefix { $0 != ";" }))
    let arrival = Arrival(
      value, for: String(location.dropFirst(Self.continuation.count)), service)
    var response = response
    response.fields.remove("Set-Cookie")
    for cookie in cookies where !cookie.hasPrefix(name) {
      try? response.fields.append("Set-Cookie", cookie)
    }
    let surplus = Arrival.surplus(in: request.cookies, service).map { SetCookie.removing($0, .lax) }
    return service.adding(
      surplus + [arrival.cookie(for: upstream.settings.lifetime)], to: response)
  }

  /// Whether the provider is the cause, and not a browser that comes twice or a store that is away.
  private static func isOfProvider(_ error: TokenError) -> Bool {
    !SignInSite.isRepetition(error) && error.code.fault != .service
      && ![.inputTooLarge, .replayOlderThanStore].contains(error.code)
  }

  /// OAuth 2.0, RFC 6749, 4.1.2.1.
  private static func isCancelled(_ error: TokenError) -> Bool {
    error.code == .signInRefused && error.reason == .named(.accessDenied)
  }
}
