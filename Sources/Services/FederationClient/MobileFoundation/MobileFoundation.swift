public import HTTPExchange
public import TokenBasics

/// A client of an IBM Mobile Foundation 8.0 runtime.
///
/// It registers itself with a key of its own, satisfies security checks with the registered
/// ``ChallengeHandler``s, and caches access tokens by scope. One login or authorization runs at a time;
/// handlers receive all events before the call returns.
public actor MobileFoundation {
  let base: HTTPURL
  let application: MobileApplication
  let device: MobileDevice
  let transport: any HTTPTransport
  let time: any TimeSource
  private let identities: any MobileIdentityStore
  private let observer: any ActivityObserver
  private var identity: MobileIdentity?
  private var handlers: [String: any ChallengeHandler] = [:]
  private var tokens: [String: MobileAccessToken] = [:]
  private var flows = FlowQueue()
  private var users: [String: AuthenticatedUser] = [:]
  // Milliseconds that the server's clock is ahead of ours.
  private var clockOffset = 0

  /// A client that registers itself on first use.
  ///
  /// - Parameters:
  ///   - base: Server, runtime and `/api`, such as `https://mf.example.org/mfp/api`.
  ///   - application: The application as registered at the server.
  ///   - device: What the server is told of the device.
  ///   - identities: Stores the key and the identifier of the registered client.
  ///   - transport: Reaches the server.
  ///   - time: The clock; another one in tests.
  ///   - observer: Hears of what happens, for logs, metrics and traces.
  public init(
    base: HTTPURL, application: MobileApplication, device: MobileDevice,
    identities: any MobileIdentityStore = MemoryIdentityStore(),
    over transport: any HTTPTransport, time: any TimeSource = SystemTime(),
    observer: any ActivityObserver = NoObserver()
  ) {
    self.base = base
    self.application = application
    self.device = device
    self.identities = identities
    self.transport = transport
    self.time = time
    self.observer = observer
  }

  /// Sets the handler of a security check and replaces an older one.
  public func registerChallengeHandler(
    _ handler: any ChallengeHandler, forSecurityCheck check: String
  ) {
    handlers[check] = handler
  }

  /// The user whom the check authenticated last in this run; nil if none.
  public func user(ofSecurityCheck check: String) -> AuthenticatedUser? { users[check] }

  // MARK: Login and log-out

  /// Logs in before a challenge. Fetches no token.
  ///
  /// Wrong credentials lead to a challenge for the check's handler; the call returns when the check is
  /// satisfied or has failed.
  ///
  /// - Returns: The user, if the check identifies users.
  /// - Throws: `client.busy` while another login or authorization runs; `session.cancelled`;
  ///   `client.*`, `transport.*`, `input.json-*`.
  @discardableResult
  public func login(
    securityCheck: String, credentials: SecurityCheckCredentials
  ) async throws(TokenError) -> AuthenticatedUser? {
    guard !flows.isTaken else { throw TokenError(.clientBusy, node: securityCheck) }
    flows.take()
    try await run(securityCheck) { client throws(TokenError) in
      try await client.satisfy(
        Preauthorization(
          scope: securityCheck, answers: [(check: securityCheck, credentials: credentials)]))
    }
    return users[securityCheck]
  }

  /// Logs out of one security check and removes all cached tokens: their scopes may need the check.
  ///
  /// - Throws: `client.busy` while an authorization runs; `client.authorization` when the client was
  ///   never registered or the server rejects the request; `transport.*`.
  public func logout(securityCheck: String) async throws(TokenError) {
    guard !flows.isTaken else { throw TokenError(.clientBusy, node: securityCheck) }
    flows.take()
    try await run(securityCheck) { client throws(TokenError) in
      try await client.sendLogout(securityCheck)
    }
  }

  // MARK: Tokens

  /// A token for a scope: the cached one, or a new one after the scope's checks are satisfied.
  ///
  /// A user who is logged in or remembered gets no challenge. Concurrent calls wait for each other, so that
  /// no challenge is repeated.
  ///
  /// - Parameter scope: Scope elements separated by spaces; nil for the scope of any registered client.
  /// - Throws: `session.cancelled`; `client.*`, `transport.*`, `input.json-*`.
  public func obtainAccessToken(
    forScope scope: String? = nil
  ) async throws(TokenError) -> MobileAccessToken {
    let scope = MobileScope.normalized(scope)
    if let token = held(scope) { return token }
    try await turn(for: scope)
    // The flow before may have fetched it.
    if let token = held(scope) {
      flows.end(scope, nil)
      return token
    }
    return try await run(scope) { client throws(TokenError) in
      try await client.satisfy(Preauthorization(scope: scope))
      return try await client.fetchToken(scope)
    }
  }

  /// Removes one token from the cache, for instance one that a resource rejected.
  public func clearAccessToken(_ token: MobileAccessToken) {
    guard let held = tokens[token.scope], held.value.revealed == token.value.revealed else {
      return
    }
    tokens[token.scope] = nil
  }

  private func held(_ scope: String) -> MobileAccessToken? {
    tokens[scope].flatMap { $0.expires > time.now ? $0 : nil }
  }

  // MARK: One flow at a time

  private func turn(for scope: String) async throws(TokenError) {
    guard flows.isTaken else {
      flows.take()
      return
    }
    try await withCheckedContinuation { flows.wait(for: scope, $0) }.get()
  }

  /// Runs a flow whose turn it is, a second time if the server does not know the client any more.
  private func run<Value: Sendable>(
    _ scope: String,
    _ body: (isolated MobileFoundation) async throws(TokenError) -> Value
  ) async throws(TokenError) -> Value {
    do throws(TokenError) {
      let value: Value
      do throws(TokenError) {
        value = try await body(self)
      } catch {
        guard error.code == .clientUnknownClient else { throw error }
        try await forgetIdentity()
        value = try await body(self)
      }
      flows.end(scope, nil)
      return value
    } catch {
      observer.happened(Activity("mobile.failed", [("code", error.code.rawValue)]))
      flows.end(scope, error)
      throw error
    }
  }

  // MARK: Steps

  /// Repeats preauthorization with the handlers' answers until the checks of a scope are satisfied.
  private func satisfy(_ start: Preauthorization) async throws(TokenError) {
    var loop = start
    while true {
      if Task.isCancelled { throw TokenError(.transportCancelled) }
      let identity = try await registered()
      let request = try loop.request(base, application, clientID: identity.clientID)
      let reply = try loop.read(try await send(request))
      if let serverTime = reply.serverTime {
        clockOffset =
          serverTime.millisecondsSinceEpoch - time.now.millisecondsSinceEpoch
      }
      for success in reply.successes {
        users[success.securityCheck] = success.user
        await handlers[success.securityCheck]?.handleSuccess(success)
      }
      for failure in reply.failures {
        users[failure.securityCheck] = nil
        await handlers[failure.securityCheck]?.handleFailure(failure)
      }
      if let failure = reply.failures.first {
        throw TokenError(
          .clientSecurityCheck, node: TokenError.excerpt(failure.securityCheck),
          found: failure.reason.map { TokenError.excerpt($0) })
      }
      if reply.isAuthorized { return }
      loop.answer(try await answers(to: reply.challenges))
    }
  }

  /// The answers of all handlers, for one request. A direct update of the application comes first and
  /// alone.
  private func answers(
    to challenges: [SecurityChallenge]
  ) async throws(TokenError) -> [(check: String, credentials: SecurityCheckCredentials)] {
    let update = challenges.filter { $0.securityCheck == "directUpdate" }
    let asked = update.isEmpty ? challenges : update
    // First check that every challenge has a handler, so that no answer is requested in vain.
    for challenge in asked where handlers[challenge.securityCheck] == nil {
      throw TokenError(
        .clientUnhandledChallenge, node: TokenError.excerpt(challenge.securityCheck))
    }
    var answers: [(check: String, credentials: SecurityCheckCredentials)] = []
    for challenge in asked {
      users[challenge.securityCheck] = nil
      switch await handlers[challenge.securityCheck]?.handleChallenge(challenge) {
      case .submit(let credentials):
        answers.append((challenge.securityCheck, credentials))
      case .withhold: break
      case .cancel, nil: throw TokenError(.sessionCancelled, node: challenge.securityCheck)
      }
    }
    guard !answers.isEmpty else { throw TokenError(.clientUnansweredChallenge) }
    return answers
  }

  private func fetchToken(_ scope: String) async throws(TokenError) -> MobileAccessToken {
    let request = TokenRequest(
      base: base, application: application, identity: try await registered(), scope: scope)
    let code = try TokenRequest.code(try await send(try request.codeRequest()))
    let answer = try await send(try request.tokenRequest(code: code, at: serverNow))
    let token = try request.token(answer, at: time.now)
    tokens[scope] = token
    return token
  }

  private func sendLogout(_ check: String) async throws(TokenError) {
    guard let identity = try await kept() else {
      throw TokenError(.clientAuthorization, node: "logout", found: "no registered client")
    }
    let url = try base.appending(["preauth", "v1", "logout"])
    let assertion = ClientAssertion(
      application: application, identity: identity, audience: url.text, id: check)
    let answer = try await send(
      .form(
        SignedAssertion.fields(try assertion.compact(at: serverNow)) + [("security_check", check)],
        to: url, fields: MobileFields.list(application)))
    guard answer.isSuccess else { throw MobileRefusal.read(answer, "logout") }
    tokens = [:]
    users[check] = nil
  }

  // MARK: Identity

  private func kept() async throws(TokenError) -> MobileIdentity? {
    if identity == nil, let stored = try await identities.identity() {
      identity = try MobileIdentity(stored: stored)
    }
    return identity
  }

  private func registered() async throws(TokenError) -> MobileIdentity {
    if let identity = try await kept() { return identity }
    let key = try MobileClientKey.generate()
    let registration = RegistrationRequest(application: application, device: device)
    let answer = try await send(try registration.http(base, key))
    let fresh = MobileIdentity(clientID: try RegistrationRequest.clientID(answer), key: key)
    // Stored before it is used, so that a crash in between does not cause another registration.
    try await identities.keep(fresh.stored)
    identity = fresh
    return fresh
  }

  /// Removes key, identifier and tokens of a client that the server no longer knows.
  func forgetIdentity() async throws(TokenError) {
    identity = nil
    tokens = [:]
    users = [:]
    try await identities.keep(nil)
  }

  private var serverNow: Instant {
    Instant(milliseconds: time.now.millisecondsSinceEpoch + clockOffset) ?? time.now
  }

  func send(_ request: HTTPRequest) async throws(TokenError) -> HTTPResponse {
    let transport = transport
    return try await observer.during(
      Activity("mobile.request", [("path", request.url.path)])
    ) { () throws(TokenError) in try await transport.response(to: request) }
  }
}
