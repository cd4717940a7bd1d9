public import HTTPExchange
import Octets
public import SignIn

/// The gate without a server: it judges requests for proxies, and signs people in.
public struct Gate: Sendable {
  /// The sign-in of the gate.
  public let site: SignInSite
  let proxy: ProxyKind
  let peers: [PeerNetwork]
  /// What is behind the gate at the origin at which people sign in.
  let main: GateApplication
  /// What is behind it on other hosts.
  let others: [GateApplication]
  let people: GatePeople
  let tokens: TokenAuthenticator?
  let observer: any ActivityObserver

  /// A gate.
  ///
  /// - Parameters:
  ///   - site: Signs people in and knows their sessions.
  ///   - proxy: Which proxy asks.
  ///   - peers: The addresses and networks that proxies have.
  ///   - rules: Decide who may have which path.
  ///   - headers: What the application behind the proxy is told of the person.
  ///   - identity: What the gate signs for the application; nil for nothing.
  ///   - people: Whether the providers name one set of people.
  ///   - tokens: Verifies bearer tokens; nil where none are accepted.
  ///   - resource: What programs get tokens for at the site's own origin; nil for no such thing.
  ///   - audiences: Audiences of bearer tokens for the site's own origin, beside that origin.
  ///   - readers: Other origins whose pages read answers at the site's own origin (CORS).
  ///   - applications: Applications on other hosts. The proxy then says for each request which host it is for.
  ///   - hasPagesOnly: Whether no application is at the site's own origin: `check` refuses what is not below the prefix.
  ///   - values: Where the sessions of these applications are; several gates share one.
  ///   - observer: Hears of what happens, for logs, metrics and traces.
  public init(
    site: SignInSite, proxy: ProxyKind, peers: [PeerNetwork], rules: GateRules,
    headers: IdentityHeaders, identity: IdentityToken? = nil, people: GatePeople,
    tokens: TokenAuthenticator? = nil, resource: ProtectedResource? = nil,
    audiences: [String] = [], readers: [HTTPOrigin] = [],
    applications: [GateApplication] = [], hasPagesOnly: Bool = false,
    values: any ValueStore = MemoryValueStore(),
    observer: any ActivityObserver = NoObserver()
  ) {
    var site = site
    site.demands = { rules.demands(for: $0.text) }
    site.isSamePerson = { session, principal, provider in
      people.subject(session.principal.subject, at: session.provider)
        .hasSameBytes(as: people.subject(principal.subject, at: provider))
    }
    if !applications.isEmpty {
      site.applications = Self.sessions(of: site, applications, people, values)
    }
    self.proxy = proxy
    self.peers = peers
    var main = GateApplication(
      site.settings, rules: rules, headers: headers, identity: identity, resource: resource,
      audiences: audiences, readers: readers)
    main.hasPagesOnly = hasPagesOnly
    self.main = main
    let readers = [main] + applications
    let sources = site.providers.map { ($0.id, $0.claimSources) }
    site.namedClaims = { provider in
      let own = sources.first { $0.0.hasSameBytes(as: provider) }?.1 ?? ClaimSources()
      var named: [NamedClaim] = []
      for claim in readers.flatMap({ $0.namedClaims(at: provider, own) })
      where !named.contains(claim) {
        named.append(claim)
      }
      return named
    }
    self.site = site
    others = applications
    self.people = people
    self.tokens = tokens
    self.observer = observer
  }

  /// The sessions of applications on other hosts, by whose rules a session at the site is good enough or not.
  private static func sessions(
    of site: SignInSite, _ applications: [GateApplication], _ people: GatePeople,
    _ values: any ValueStore
  ) -> ApplicationSessions {
    var sessions = ApplicationSessions(of: site, at: applications.map(\.settings), in: values)
    @Sendable func rules(_ asked: ApplicationSignIn) -> GateRules? {
      applications.first { $0.settings.origin.description.hasSameBytes(as: asked.origin) }?.rules
    }
    sessions.demands = { asked in
      rules(asked)?.demands(for: asked.returnPath.text) ?? SignInDemands()
    }
    sessions.needsSignIn = { asked, session in
      let subject = subject(session.principal, session, at: session.provider, site, people)
      let decision = rules(asked)?.decide(
        asked.returnPath.text, method: "GET", subject: subject)
      return if case .signInAgain = decision?.verdict { true } else { false }
    }
    sessions.shown = { origin, session in
      let subject = subject(session.principal, session, at: session.provider, site, people)
      return applications.first { $0.settings.origin == origin }?.shown(subject)
        ?? ShownPerson(subject: nil, provider: nil, issuer: nil, claims: ClaimSet())
    }
    return sessions
  }

  /// Answers a request.
  ///
  /// - Parameters:
  ///   - request: The request of a browser or of the proxy.
  ///   - peer: The address that it came from, without its port.
  public func respond(to request: WebRequest, from peer: String) async -> HTTPResponse {
    await request.traced { await answer(to: request, from: peer) }
  }

  private func answer(to request: WebRequest, from peer: String) async -> HTTPResponse {
    let application: GateApplication
    do throws(TokenError) {
      try PassageTable.checkHost(request.fields)
      application = try self.application(of: request, from: peer)
    } catch {
      let status = Self.status(of: error.code)
      return refuse(
        status, error, path: request.path, at: main,
        page: request.wantsDocument)
    }
    let check = site.settings.prefix + "check"
    // Envoy appends the judged path.
    if request.path == check || (proxy == .envoy && request.path.hasPrefix(check + "/")) {
      let rest = String(request.path.dropFirst(check.count))
      let reader = CrossOriginReader(application.readers, request.fields)
      return reader.shown(
        await observed(request, from: peer, rest: rest, at: application, reader))
    }
    if let resource = application.resource, request.path == resource.metadataPath {
      return site.published(resource.metadata, "application/json", to: request)
    }
    if let sessions = pages(of: application) { return await sessions.respond(to: request) }
    if let identity = main.identity, request.path == site.settings.prefix + "keys" {
      return site.published(identity.keySet, "application/jwk-set+json", to: request)
    }
    return await site.respond(to: request)
  }

  /// Refuses what is no page of the gate.
  ///
  /// - Throws: `gate.host`; `gate.path` for what two readers could read differently.
  private func checkPage(_ target: String) throws(TokenError) {
    let pages = try RequestTarget(site.settings.prefix)
    guard try RequestTarget(target).isCovered(by: pages) else {
      throw TokenError(
        .gateHost, node: "pagesOnly", expected: "a page of the gate, below \(site.settings.prefix)")
    }
  }

  /// What a question gets that the gate does not judge.
  private static func status(of code: TokenError.Code) -> Int {
    switch code {
    case .gateHostRepeated: 400
    case .gatePeer, .gateHost: 403
    default: 503
    }
  }

  /// The cookie of a child that a session has at an application, made without a ticket, for an examination of the wiring;
  /// nil where the host is that of the session itself.
  ///
  /// - Throws: Errors of the store.
  package func child(
    of session: SessionID, until end: Instant, at application: SiteSettings,
    in values: any ValueStore
  ) async throws(TokenError) -> Secret? {
    guard application.origin != site.settings.origin else { return nil }
    let sessions = ApplicationSessions(of: site, at: [application], in: values)
    return try await sessions.child(of: session, until: end, at: application)
  }

  /// The application at the host that a request is for; the only one, where there is one.
  ///
  /// - Throws: `gate.peer`, `gate.request-missing`, `gate.request-repeated`, `gate.host`.
  private func application(
    of request: WebRequest, from peer: String
  ) throws(TokenError) -> GateApplication {
    guard !others.isEmpty else { return main }
    let origin = try JudgedRequest.origin(request.fields, from: peer, kind: proxy, peers: peers)
    guard let found = ([main] + others).first(where: { $0.settings.origin == origin }) else {
      throw TokenError(
        .gateHost, node: proxy.originHeaders.host, found: TokenError.excerpt(origin.description))
    }
    return found
  }

  /// The pages of an application on a host of its own; nil for the one at which people sign in.
  private func pages(of application: GateApplication) -> ApplicationSite? {
    guard application.settings.origin != site.settings.origin,
      let sessions = site.applications
    else { return nil }
    return ApplicationSite(site, sessions, application.settings)
  }

  /// ``judge(_:from:rest:at:_:)`` as the activity `gate.check`.
  private func observed(
    _ request: WebRequest, from peer: String, rest: String, at application: GateApplication,
    _ reader: CrossOriginReader
  ) async -> HTTPResponse {
    do throws(TokenError) {
      return try await observer.during(Activity("gate.check", side: .server)) {
        () async throws(TokenError) in
        await judge(request, from: peer, rest: rest, at: application, reader)
      }
    } catch {
      return refuse(503, error, path: request.path, at: application)
    }
  }

  /// `GET check`: the verdict on the request that the proxy names.
  private func judge(
    _ request: WebRequest, from peer: String, rest: String, at application: GateApplication,
    _ reader: CrossOriginReader
  ) async -> HTTPResponse {
    let target = proxy == .envoy ? rest + (request.query.map { "?" + $0 } ?? "") : ""
    let judged: JudgedRequest
    do throws(TokenError) {
      judged = try JudgedRequest(
        request.fields, from: peer, kind: proxy, peers: peers, method: request.method,
        rest: target)
    } catch {
      return refuse(
        Self.status(of: error.code), error, path: request.path, at: application,
        page: request.wantsDocument)
    }
    let question = GateQuestion(request: request, judged: judged, application: application)
    let rules = application.rules
    let path = judged.rawTarget
    do throws(TokenError) {
      if application.hasPagesOnly { try checkPage(path) }
      try PassageTable.check(
        request.fields, method: judged.method, hasMethods: application.hasMethods)
      // Whether the path is the resource's says whose tokens count, also where there are no rules.
      if application.resource != nil { _ = try RequestTarget(path) }
    } catch {
      return refuse(403, error, path: path, at: application, page: question.asked.wantsDocument)
    }
    if reader.asksBeforehand(judged.method) {
      return preflight(question)
    }
    let asking: GateSubject?
    do throws(TokenError) {
      asking = try await subject(question)
    } catch {
      // A bad token is a refusal, never a page to sign in at; on a public path the request counts as signed out.
      let isOurs = error.code.fault.isOurs
      guard !isOurs, rules.isPublic(path, method: judged.method) else {
        return refuse(
          isOurs ? error.code.status : 401, error, path: path, at: application,
          challenge: question.challenge,
          page: question.asked.wantsDocument)
      }
      return answer(rules.decide(path, method: judged.method, subject: nil), nil, question)
    }
    let decision = rules.decide(path, method: judged.method, subject: asking)
    return answer(decision, asking, question)
  }

  /// Who asks: by a token, where the gate accepts them and there is one, otherwise by the session.
  private func subject(_ question: GateQuestion) async throws(TokenError) -> GateSubject? {
    let request = question.request
    if let tokens, let token = try RequestToken(request.fields) {
      let (principal, entry) = try await tokens.authenticate(
        token, expecting: expectations(question))
      var subject = Self.subject(
        principal, nil, at: try provider(ofToken: principal, entry.id), site, people)
      subject.sources = subject.sources.joined(entry.sources)
      return subject
    }
    let found: SignedInSession?
    if let pages = pages(of: question.application) {
      found = try await pages.session(of: request)
    } else {
      found = try await site.session(of: request)
    }
    guard let session = found else { return nil }
    guard !session.isRehearsal else { throw TokenError(.gateRehearsal) }
    return Self.subject(session.principal, session, at: session.provider, site, people)
  }

  /// What bearer tokens have to be for: a resource or an application. Where there is one application, the audiences of the
  /// trust file are its.
  private func expectations(_ question: GateQuestion) -> BearerExpectations {
    let site = site
    var expected = BearerExpectations()
    if let resource = question.resource {
      expected.audiences = [resource.identifier]
      expected.demandsAudience = true
    } else if others.isEmpty {
      expected.furtherAudiences = question.application.audiences
    } else {
      expected.audiences =
        question.application.settings.origin.audiences + question.application.audiences
    }
    expected.domains = { site.provider($0)?.emailDomains ?? [] }
    expected.clientIDs = { issuer in
      site.providers.filter { $0.issuer.hasSameBytes(as: issuer) }
        .compactMap { ($0.method as? OpenIDMethod)?.party.configuration.clientID }
    }
    return expected
  }

  private static func subject(
    _ principal: FederatedPrincipal, _ session: SignedInSession?, at provider: String,
    _ site: SignInSite, _ people: GatePeople
  ) -> GateSubject {
    // Another issuer, of tokens alone, is a provider too.
    let isOfOnlyProvider =
      site.providers.count == 1 && site.providers[0].issuer.hasSameBytes(as: principal.issuer)
    var subject = GateSubject(
      subject: principal.subject, claims: principal.claims, provider: provider,
      issuer: principal.issuer, people: people, keepsUnconfirmed: isOfOnlyProvider)
    subject.authentication = GateAuthentication(principal, session, at: site.clock.now)
    subject.sources = site.claimSources(at: provider)
    subject.keptTypes = principal.keptTypes
    return subject
  }

  /// The identifier of a token's issuer, as rules and subjects have it: its `id` in the trust file, which is that
  /// of a provider only where both are one issuer.
  ///
  /// - Throws: `signin.configuration` where the trust file does not tell issuers apart.
  private func provider(
    ofToken principal: FederatedPrincipal, _ id: String?
  ) throws(TokenError) -> String {
    guard let id else {
      guard people == .shared else {
        throw TokenError(
          .signInConfiguration, node: "tokens",
          expected: "id of \(TokenError.excerpt(principal.issuer))")
      }
      return ""
    }
    if let provider = site.provider(id), !provider.issuer.hasSameBytes(as: principal.issuer) {
      throw TokenError(
        .signInConfiguration, node: "tokens",
        expected: "an id that no provider of another issuer has",
        found: id)
    }
    return id
  }
}
