public import ForwardAuthentication
import Octets
public import SignIn

/// The gate without a server: it judges requests for proxies, and signs people in.
public struct Gate: Sendable {
  /// The sign-in of the gate.
  public let site: SignInSite
  private let proxy: ProxyKind
  private let peers: [PeerNetwork]
  private let rules: GateRules
  private let headers: IdentityHeaders
  private let people: GatePeople
  private let tokens: TokenAuthenticator?
  private let observer: any ActivityObserver

  /// A gate.
  ///
  /// - Parameters:
  ///   - site: Signs people in and knows their sessions.
  ///   - proxy: Which proxy asks.
  ///   - peers: The addresses and networks that proxies have.
  ///   - rules: Decide who may have which path.
  ///   - headers: What the application behind the proxy is told of the person.
  ///   - people: Whether the providers name one set of people.
  ///   - tokens: Verifies bearer tokens; nil where none are accepted.
  ///   - observer: Hears of what happens, for logs, metrics and traces.
  public init(
    site: SignInSite, proxy: ProxyKind, peers: [PeerNetwork], rules: GateRules,
    headers: IdentityHeaders, people: GatePeople,
    tokens: TokenAuthenticator? = nil,
    observer: any ActivityObserver = NoObserver()
  ) {
    self.site = site
    self.proxy = proxy
    self.peers = peers
    self.rules = rules
    self.headers = headers
    self.people = people
    self.tokens = tokens
    self.observer = observer
  }

  /// Answers a request.
  ///
  /// - Parameters:
  ///   - request: The request of a browser or of the proxy.
  ///   - peer: The address that it came from, without its port.
  public func respond(to request: SiteRequest, from peer: String) async -> HTTPResponse {
    let check = site.settings.prefix + "check"
    // Envoy appends the judged path.
    guard request.path == check || (proxy == .envoy && request.path.hasPrefix(check + "/")) else {
      return await site.respond(to: request)
    }
    return await judge(request, from: peer, rest: String(request.path.dropFirst(check.count)))
  }

  /// `GET check`: the verdict on the request that the proxy names.
  private func judge(
    _ request: SiteRequest, from peer: String, rest: String
  ) async -> HTTPResponse {
    let target = proxy == .envoy ? rest + (request.query.map { "?" + $0 } ?? "") : ""
    let judged: JudgedRequest
    do throws(TokenError) {
      judged = try JudgedRequest(
        request.fields, from: peer, kind: proxy, peers: peers, method: request.method,
        rest: target)
    } catch {
      return refusal(error.code == .gatePeer ? 403 : 503, error)
    }
    let subject: GateSubject?
    do throws(TokenError) {
      subject = try await self.subject(request)
    } catch {
      let isToken =
        ![.signInSessionStore, .registryUnavailable, .registryTrustExpired]
        .contains(error.code) && error.code.family != "store"
      observer.happened(Activity("gate.refused", [("code", error.code.rawValue)]))
      // A bad token is a refusal, never a page to sign in at.
      guard isToken else { return refusal(503, error) }
      var response = TokenAuthenticator.refusal(error)
      add(emptyHeaders, to: &response)
      return response
    }
    let decision = rules.decide(judged.rawTarget, method: judged.method, subject: subject)
    switch decision.verdict {
    case .allow: return allowed(subject)
    case .signIn: return signIn(request, judged)
    case .forbidden(let error): return refusal(403, error)
    case .unavailable(let error): return refusal(503, error)
    }
  }

  /// Who asks: by a token, where the gate accepts them and there is one, otherwise by the session.
  private func subject(_ request: SiteRequest) async throws(TokenError) -> GateSubject? {
    if let tokens, let token = try RequestToken(request.fields) {
      let (principal, issuer) = try await tokens.authenticate(token)
      return subject(principal, at: try provider(ofToken: principal, issuer))
    }
    guard let session = try await site.session(of: request) else { return nil }
    return subject(session.principal, at: session.provider)
  }

  private func subject(_ principal: FederatedPrincipal, at provider: String) -> GateSubject {
    GateSubject(
      subject: principal.subject, claims: principal.claims, provider: provider,
      issuer: principal.issuer, people: people, keepsUnconfirmed: site.providers.count == 1)
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

  private func allowed(_ subject: GateSubject?) -> HTTPResponse {
    do throws(TokenError) {
      var fields = try headers.fields(subject)
      try fields.append("Cache-Control", "no-store")
      return HTTPResponse(status: 200, fields: fields)
    } catch {
      return refusal(403, error)
    }
  }

  /// Nobody is signed in: 401 with the address to sign in at, which nginx takes from `Location`; with `?redirect`
  /// a redirect for browsers that ask for a page.
  private func signIn(_ request: SiteRequest, _ judged: JudgedRequest) -> HTTPResponse {
    var asked = request
    asked.method = judged.method
    let parts = judged.rawTarget.split(
      separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    asked.path = parts.first.map(String.init) ?? "/"
    asked.query = parts.count == 2 ? String(parts[1]) : nil
    var response = site.signInRequired(asked)
    if let path = response.fields["Location"] {
      // Absolute, since a proxy may put it into a redirect of another place.
      try? response.fields.set("Location", site.settings.origin.description + path)
      // Envoy hands on what the gate answers, and cannot ask for a redirect: the query is the judged one.
      response.status = proxy == .envoy || request.query == "redirect" ? 302 : 401
    }
    if response.status == 401, response.fields["WWW-Authenticate"] == nil {
      try? response.fields.append("WWW-Authenticate", site.challenge)
    }
    if response.status == 401, tokens != nil {
      try? response.fields.append("WWW-Authenticate", "Bearer")
    }
    add(emptyHeaders, to: &response)
    return response
  }

  /// A refusal with its code, and every identity header empty (GATE-3).
  private func refusal(_ status: Int, _ error: TokenError) -> HTTPResponse {
    observer.happened(
      Activity("gate.refused", [("code", error.code.rawValue), ("error", error.description)]))
    var response = site.unavailable(error)
    response.status = status
    add(emptyHeaders, to: &response)
    return response
  }

  private var emptyHeaders: HTTPFields { (try? headers.fields(nil)) ?? HTTPFields() }

  private func add(_ fields: HTTPFields, to response: inout HTTPResponse) {
    for (name, value) in fields.list { try? response.fields.append(name, value) }
  }
}
