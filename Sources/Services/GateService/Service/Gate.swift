import Octets
public import SignIn

/// The gate without a server: it judges requests for proxies, and signs people in.
public struct Gate: Sendable {
  /// The sign-in of the gate.
  public let site: SignInSite
  let proxy: ProxyKind
  let peers: [PeerNetwork]
  let rules: GateRules
  let headers: IdentityHeaders
  let identity: IdentityToken?
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
  ///   - observer: Hears of what happens, for logs, metrics and traces.
  public init(
    site: SignInSite, proxy: ProxyKind, peers: [PeerNetwork], rules: GateRules,
    headers: IdentityHeaders, identity: IdentityToken? = nil, people: GatePeople,
    tokens: TokenAuthenticator? = nil,
    observer: any ActivityObserver = NoObserver()
  ) {
    var site = site
    site.demands = { rules.demands(for: $0.text) }
    self.site = site
    self.proxy = proxy
    self.peers = peers
    self.rules = rules
    self.headers = headers
    self.identity = identity
    self.people = people
    self.tokens = tokens
    self.observer = observer
  }

  /// Answers a request.
  ///
  /// - Parameters:
  ///   - request: The request of a browser or of the proxy.
  ///   - peer: The address that it came from, without its port.
  public func respond(to request: WebRequest, from peer: String) async -> HTTPResponse {
    let check = site.settings.prefix + "check"
    if let identity, request.path == site.settings.prefix + "keys" {
      return site.published(identity.keySet, to: request)
    }
    // Envoy appends the judged path.
    guard request.path == check || (proxy == .envoy && request.path.hasPrefix(check + "/")) else {
      return await site.respond(to: request)
    }
    return await judge(request, from: peer, rest: String(request.path.dropFirst(check.count)))
  }

  /// `GET check`: the verdict on the request that the proxy names.
  private func judge(
    _ request: WebRequest, from peer: String, rest: String
  ) async -> HTTPResponse {
    let target = proxy == .envoy ? rest + (request.query.map { "?" + $0 } ?? "") : ""
    let judged: JudgedRequest
    do throws(TokenError) {
      judged = try JudgedRequest(
        request.fields, from: peer, kind: proxy, peers: peers, method: request.method,
        rest: target)
    } catch {
      return refuse(error.code == .gatePeer ? 403 : 503, error, path: request.path)
    }
    let path = judged.rawTarget
    let asking: GateSubject?
    do throws(TokenError) {
      asking = try await subject(request)
    } catch {
      // A bad token is a refusal, never a page to sign in at; on a public path the request counts as signed out.
      let isOurs = TokenAuthenticator.isOurs(error.code) || error.code == .gateRehearsal
      guard !isOurs, rules.isPublic(path, method: judged.method) else {
        return refuse(isOurs ? 503 : 401, error, path: path)
      }
      return answer(rules.decide(path, method: judged.method, subject: nil), nil, request, judged)
    }
    let decision = rules.decide(path, method: judged.method, subject: asking)
    return answer(decision, asking, request, judged)
  }

  /// Who asks: by a token, where the gate accepts them and there is one, otherwise by the session.
  private func subject(_ request: WebRequest) async throws(TokenError) -> GateSubject? {
    if let tokens, let token = try RequestToken(request.fields) {
      let (principal, issuer) = try await tokens.authenticate(token)
      return subject(principal, nil, at: try provider(ofToken: principal, issuer))
    }
    guard let session = try await site.session(of: request) else { return nil }
    guard !session.isRehearsal else { throw TokenError(.gateRehearsal) }
    return subject(session.principal, session, at: session.provider)
  }

  private func subject(
    _ principal: FederatedPrincipal, _ session: SignedInSession?, at provider: String
  ) -> GateSubject {
    var subject = GateSubject(
      subject: principal.subject, claims: principal.claims, provider: provider,
      issuer: principal.issuer, people: people, keepsUnconfirmed: site.providers.count == 1)
    subject.authentication = GateAuthentication(principal, session, at: site.clock.now)
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
