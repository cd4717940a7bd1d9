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
    let path = Self.continuation + service.seal(context, for: browser)
    guard let back = try? ReturnPath(path) else {
      throw TokenError(
        .issuingField, node: "context", expected: "at most some 1,200 octets of context and state")
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
      return arriving(try await upstream.answer(to: request), upstream)
    } catch {
      guard Self.isOfProvider(error), let path = upstream.returnPath(of: request)?.text,
        let context = try? service.opened(
          String(path.dropFirst(Self.continuation.count)), request),
        let pending = try? await pending(context)
      else { return await upstream.refusal(error, request) }
      return refuse(Self.isCancelled(error) ? TokenError(.issuingCancelled) : error, pending)
    }
  }

  /// `GET /v2/continue?cx=…`: a person comes back from a real provider.
  func continueUpstream(_ request: WebRequest) async throws(TokenError) -> HTTPResponse {
    let text = try service.query(request).require("cx")
    let pending = try await pending(service.opened(text, request))
    guard case .upstream(let name) = pending.provider.kind, let upstream = service.upstream,
      let cookie = request.cookies[upstream.settings.sessionCookie],
      let arrived = request.cookies[service.cookieName("arrived")],
      ConstantTime.areEqual(
        Array(arrived.revealed.utf8), Array(arrival(cookie.revealed, text).utf8)),
      let session = try await upstream.session(of: request),
      upstream.provider(session.provider)?.id.hasSameBytes(as: name) == true
    else { throw TokenError(.issuingSignIn, node: "session") }
    // One answer of the provider is one token.
    let ended = try await service.endArrival(request)
    do throws(TokenError) {
      let subject = try pending.provider.subject(of: session.principal)
      return service.adding(ended, to: try await finish(pending, subject, request, of: session))
    } catch {
      return service.adding(ended, to: refuse(error, pending))
    }
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
      name: service.cookieName("arrived"), value: Secret(proof),
      maximumAge: upstream.settings.lifetime, sameSite: .lax)
    return service.adding([cookie], to: response)
  }

  private func arrival(_ session: String, _ context: String) -> String {
    Base64.encode(service.key.code(for: "arrival:\(session):\(context)"), .url)
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
