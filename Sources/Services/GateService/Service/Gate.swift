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
  public func respond(to request: WebRequest, from peer: String) async -> HTTPResponse {
    let check = site.settings.prefix + "check"
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
      // A bad token is a refusal, never a page to sign in at.
      let isOurs = TokenAuthenticator.isOurs(error.code) || error.code == .gateRehearsal
      return refuse(isOurs ? 503 : 401, error, path: path)
    }
    let decision = rules.decide(path, method: judged.method, subject: asking)
    switch decision.verdict {
    case .allow:
      do throws(TokenError) {
        return try allowed(asking)
      } catch {
        return refuse(403, error, path: path, provider: asking?.provider)
      }
    case .signIn: return signIn(request, judged)
    case .forbidden(let error):
      return refuse(403, error, path: path, provider: asking?.provider)
    case .unavailable(let error):
      return refuse(503, error, path: path, provider: asking?.provider)
    }
  }

  /// Who asks: by a token, where the gate accepts them and there is one, otherwise by the session.
  private func subject(_ request: WebRequest) async throws(TokenError) -> GateSubject? {
    if let tokens, let token = try RequestToken(request.fields) {
      let (principal, issuer) = try await tokens.authenticate(token)
      return subject(principal, at: try provider(ofToken: principal, issuer))
    }
    guard let session = try await site.session(of: request) else { return nil }
    guard !session.isRehearsal else { throw TokenError(.gateRehearsal) }
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

  private func allowed(_ subject: GateSubject?) throws(TokenError) -> HTTPResponse {
    var fields = try headers.fields(subject)
    try fields.append("Cache-Control", "no-store")
    return HTTPResponse(status: 200, fields: fields)
  }

  /// Nobody is signed in: 401 with the address to sign in at, which nginx takes from `Location`; with `?redirect`
  /// a redirect for browsers that ask for a page.
  private func signIn(_ request: WebRequest, _ judged: JudgedRequest) -> HTTPResponse {
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

  /// The one place that refuses at `check`: the code and a reference are in the answer, in the log, and counted once;
  /// every identity header is empty (GATE-3).
  private func refuse(
    _ status: Int, _ error: TokenError, path: String, provider: String? = nil
  ) -> HTTPResponse {
    let reference = site.reference()
    var attributes: [(name: StaticString, value: String)] = [("code", error.code.rawValue)]
    if let provider { attributes.append(("provider", TokenError.excerpt(provider))) }
    // A query may have secrets in it.
    let shown = path.prefix { $0 != "?" }
    attributes += [
      ("path", TokenError.excerpt(String(shown), length: 256)), ("reference", reference),
      ("status", "\(status)"), ("error", error.description),
    ]
    observer.happened(Activity("gate.refused", attributes))
    var response =
      status == 401
      ? TokenAuthenticator.refusal(error, reference: reference)
      : site.refusal(status, error, reference: reference)
    add(emptyHeaders, to: &response)
    return response
  }

  private var emptyHeaders: HTTPFields { (try? headers.fields(nil)) ?? HTTPFields() }

  private func add(_ fields: HTTPFields, to response: inout HTTPResponse) {
    for (name, value) in fields.list { try? response.fields.append(name, value) }
  }
}
