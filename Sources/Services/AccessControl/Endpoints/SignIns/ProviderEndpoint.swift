import HTTPExchange
import Octets
import SecurityKeys
import SignIn

/// Where people sign in for every protocol: as test people here, or at a real provider. What comes of it goes to the endpoint
/// of the protocol that began the sign-in.
struct ProviderEndpoint: Endpoint {
  let service: IssuingService
  private let endpoints: [SignInContext.Delivery: any SignInEndpoint]

  /// - Parameter endpoints: The protocols by which people sign in.
  init(_ service: IssuingService, answering endpoints: [any SignInEndpoint]) {
    self.service = service
    self.endpoints = Dictionary(
      endpoints.flatMap { endpoint in endpoint.deliveries.map { ($0, endpoint) } },
      uniquingKeysWith: { first, _ in first })
  }

  var routes: [Route] {
    [
      Route("/v2/sign-in", get: ask, post: acceptTestPerson),
      Route("/v2/continue", get: continueUpstream),
      Route("/v2/choose", get: choose), Route("/v2/cancel", get: cancel),
    ]
  }

  /// A sign-in whose relying party and provider are known.
  struct Pending {
    let context: SignInContext
    let party: RelyingParty
    let provider: ACSIdentityProvider
    let endpoint: any SignInEndpoint
  }

  /// - Throws: `issuing.*`.
  func pending(_ context: SignInContext) async throws(TokenError) -> Pending {
    let namespace = service.namespace
    let (party, endpoint) = try await goal(of: context)
    guard let id = context.provider else { throw TokenError(.issuingSignIn, node: "cx") }
    RequestRecord.note(provider: id)
    let provider = try namespace.provider(id, of: party)
    try service.check(provider, within: context.demands, of: party)
    return Pending(context: context, party: party, provider: provider, endpoint: endpoint)
  }

  /// Whom a sign-in is for, by the name that a person is shown, and what answers it.
  private func goal(
    of context: SignInContext
  ) async throws(TokenError) -> (RelyingParty, any SignInEndpoint) {
    let party = try await service.party(context.realm).named(answeredAt: context.reply)
    guard let endpoint = endpoints[context.delivery] else {
      throw TokenError(.issuingSignIn, node: "cx")
    }
    try await endpoint.checkReply(context, party)
    try service.decide(context, party)
    return (party, endpoint)
  }

  /// `GET /v2/sign-in?cx=…`: the page of a test provider, or the way to a real one.
  private func ask(_ request: WebRequest) async throws(TokenError) -> HTTPResponse {
    let text = try service.query(request).require("cx")
    let (browser, cookies) = service.browser(request)
    let context: SignInContext
    do throws(TokenError) {
      context = try await service.opened(text, request)
    } catch {
      guard error.code == .issuingSignIn else { throw error }
      context = try service.invited(text)
    }
    let pending = try await pending(context)
    let remembered = cookies + [service.remembering(pending.provider)]
    do throws(TokenError) {
      switch pending.provider.kind {
      case .upstream(let name):
        return try await beginUpstream(
          context, pending.provider, at: name, browser, remembered, request)
      case .testPeople(let people):
        return showTestPeople(people, pending, browser, remembered)
      }
    } catch {
      // A relying party would begin again at once.
      return error.code == .signInLoop
        ? service.refusal(error) : await refuse(error, pending)
    }
  }

  // MARK: The choice of a provider

  /// `GET /v2/choose?cx=…&name=…`: the providers that a person looks for by name; one that is found is begun at.
  private func choose(_ request: WebRequest) async throws(TokenError) -> HTTPResponse {
    let query = try service.query(request)
    let (context, party, _) = try await open(query, request)
    let (browser, cookies) = service.browser(request)
    let typed = query[ChoicePage.field]
    if case .found(let provider) = ProviderSearch(
      typed, in: try service.offered(to: party, within: context.demands), name: \.name)
    {
      return service.responder.redirect(
        service.signInAddress(provider, context, browser), cookies: cookies)
    }
    return service.responder.page(
      200, .providers(service.choicePage(context, party, typed, browser, request)),
      cookies: cookies)
  }

  /// `GET /v2/cancel?cx=…`: the person does not want to sign in. The relying party is told, or the person led back.
  private func cancel(_ request: WebRequest) async throws(TokenError) -> HTTPResponse {
    let (context, party, endpoint) = try await open(service.query(request), request)
    let error = TokenError(.issuingCancelled)
    service.note(party.realm, "", error.code.rawValue)
    return (try? await endpoint.refuse(error, context, party, from: nil))
      ?? service.refusal(error, back: party)
  }

  /// A sign-in for which no provider is chosen.
  private func open(
    _ query: FormReader, _ request: WebRequest
  ) async throws(TokenError) -> (SignInContext, RelyingParty, any SignInEndpoint) {
    let context = try await service.opened(try query.require("cx"), request)
    let (party, endpoint) = try await goal(of: context)
    return (context, party, endpoint)
  }

  // MARK: Test people

  private func showTestPeople(
    _ people: [TestPerson], _ pending: Pending, _ browser: String, _ cookies: [SetCookie]
  ) -> HTTPResponse {
    let text = service.seal(pending.context, for: browser)
    let fields = [
      (name: "cx", value: text), (name: "token", value: service.formToken(browser, text)),
    ]
    var content = PageContent(
      "Sign in with \(pending.provider.name)",
      notes: [
        "These people are invented. Press one of them to sign in to \(service.applicationName(pending.context, pending.party))."
      ])
    func form(
      _ pressed: [(name: String, value: String)], _ text: String, _ action: PageContent.Action
    ) -> PageContent.Form {
      PageContent.Form(to: "/v2/sign-in", fields: fields + pressed, button: text, action: action)
    }
    content.forms = people.enumerated().map { number, person in
      form([("person", "\(number)"), ("name", person.name)], person.name, .choice)
    }
    content.forms += [
      form([("person", "fail")], "Answer with an error", .aside),
      form([("person", "cancel")], "Cancel", .aside),
    ]
    return service.responder.page(200, .content(content), cookies: cookies)
  }

  /// `POST /v2/sign-in`: a test person was pressed, or one of the other ends.
  private func acceptTestPerson(_ request: WebRequest) async throws(TokenError) -> HTTPResponse {
    let form = try service.form(request)
    let text = try form.require("cx")
    let pending = try await pending(await service.opened(text, request))
    guard case .testPeople(let people) = pending.provider.kind else {
      throw TokenError(.issuingProvider, node: pending.provider.name)
    }
    // The form is the one that this browser was shown.
    guard let browser = service.knownBrowser(request),
      ConstantTime.areEqual(
        Array(service.formToken(browser, text).utf8), Array(try form.require("token").utf8))
    else { throw TokenError(.issuingSignIn, node: "token") }
    let choice = try form.require("person")
    let pressed = Int(choice).flatMap { people.indices.contains($0) ? people[$0] : nil }
    // A form of before a reload shows others. One of a release before this has no name.
    if let name = form["name"], pressed?.name.hasSameBytes(as: name) != true {
      throw TokenError(.issuingSignIn, node: "name")
    }
    do throws(TokenError) {
      switch choice {
      case "cancel": throw TokenError(.issuingCancelled)
      case "fail": throw TokenError(.issuingProviderAnswer, node: pending.provider.name)
      default:
        guard let pressed else { throw TokenError(.issuingField, node: "person") }
        return try await finish(pending, subject(of: pressed, pending.provider), request)
      }
    } catch {
      return await refuse(error, pending)
    }
  }

  /// A test person who was just pressed; how one signs in is what the file says.
  private func subject(
    of person: TestPerson, _ provider: ACSIdentityProvider
  ) throws(TokenError) -> SignedInSubject {
    var subject = try SignedInSubject(named: person.claims, from: .provider(provider.id))
    subject.emails = person.claims[.emailAddress].filter(provider.isAuthoritative)
    subject.authenticated = Instant(secondsSinceEpoch: service.clock.now.seconds)
    subject.context = person.claims.single(.authenticationMethod)
    return subject
  }
}

extension ProviderEndpoint {
  /// Issues the token of a finished sign-in and sends it on its way.
  ///
  /// - Parameter session: The session at a real provider; nil for a test person.
  func finish(
    _ pending: Pending, _ subject: SignedInSubject, _ request: WebRequest,
    of session: SignedInSession? = nil
  ) async throws(TokenError) -> HTTPResponse {
    try checkFreshness(pending.context, subject)
    try service.decide(pending.context, pending.party, about: subject)
    let visit = try await service.visit(of: request)
    let answer = try await pending.endpoint.deliver(
      FinishedSignIn(
        context: pending.context, party: pending.party, provider: pending.provider,
        subject: subject, visit: visit, session: session?.withoutClaims))
    try await service.grants.redeem(.signIn(pending.context))
    return try await answer()
  }

  /// Whether the provider signed the subject in as recently as the relying party demands. Only its own word counts.
  ///
  /// - Throws: `issuing.freshness`.
  private func checkFreshness(
    _ context: SignInContext, _ subject: SignedInSubject
  ) throws(TokenError) {
    let demands = context.demands
    let skew = Int64(Trust.defaultSkew)
    let earliest: Instant
    if demands.forcesSignIn {
      earliest = context.begun.advanced(bySeconds: -skew)
    } else if let age = demands.maxAge {
      earliest = service.clock.now.advanced(bySeconds: -Int64(age) - skew)
    } else {
      return
    }
    guard let instant = subject.authenticated, instant >= earliest else {
      throw TokenError(
        .issuingFreshness, node: "authentication instant",
        expected: "\(earliest.rfc3339) or later",
        found: subject.authenticated?.rfc3339 ?? "nothing")
    }
  }

  /// Tells the relying party why there is no token, where it has an address for that, or the person.
  func refuse(_ error: TokenError, _ pending: Pending) async -> HTTPResponse {
    let provider = pending.provider
    service.note(pending.party.realm, provider.id, error.code.rawValue)
    // The relying party has its answer; what is wrong is in this browser.
    if error.code == .signInFinished { return service.refusal(error, back: pending.party) }
    let told = try? await pending.endpoint.refuse(
      error, pending.context, pending.party, from: provider)
    return told ?? service.refusal(error, at: .provider(provider.errors), back: pending.party)
  }
}
