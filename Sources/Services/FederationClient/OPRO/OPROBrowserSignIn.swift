public import HTTPExchange
public import TokenBasics

/// Sign-in on oPRO's consent page.
///
/// The server does not check the redirect address and supports no proof key, so only the state ties the
/// response to the request.
public struct OPROBrowserSignIn: Sendable {
  /// What a program may do; the server always grants reading.
  public enum Permission: String, Hashable, Sendable {
    /// Read the user's data.
    case read
    /// Change the user's data.
    case write
  }

  /// The address of the consent page, to open in the browser.
  public let start: HTTPURL
  private let redirect: HTTPURL
  private let state: Secret

  /// A sign-in with a new random state; sends nothing.
  ///
  /// - Parameters:
  ///   - service: The service at which the person signs in.
  ///   - permissions: What the application asks for.
  ///   - redirect: The address to which the browser returns.
  ///   - random: The source of random octets; another one in tests alone.
  /// - Throws: `transport.malformed-address`.
  public init(
    _ service: OPROService, permissions: Set<Permission>, redirect: HTTPURL,
    random: RandomSource = RandomSource()
  ) throws(TokenError) {
    // The server writes the state into an address unescaped, so it consists of hexadecimal digits.
    try self.init(
      service, permissions: permissions, redirect: redirect, state: random.hex(16))
  }

  init(
    _ service: OPROService, permissions: Set<Permission>, redirect: HTTPURL, state: String
  ) throws(TokenError) {
    let scopes = permissions.map(\.rawValue).sorted().map { ("scope[]", $0) }
    start = try service.root.appending(["oauth", "new"]).adding(
      [("client_id", service.clientID), ("redirect_uri", redirect.text)] + scopes
        + [("response_type", "code"), ("state", state)])
    self.redirect = redirect
    self.state = Secret(state)
  }

  /// The grant in the address to which the browser returned.
  ///
  /// - Throws: `client.state` for another address or state; `session.cancelled` when the person denied
  ///   access; `client.parameter`, `client.duplicate-parameter`.
  public func grant(from address: HTTPURL) throws(TokenError) -> OPROGrant {
    guard address.origin == redirect.origin, address.path == redirect.path else {
      throw TokenError(.clientState, expected: "the redirect address")
    }
    let answer = CodeAnswer(try QueryParameters.read(address.query ?? ""))
    try answer.check(state: state.revealed)
    switch answer.result {
    case .code(let code): return .code(code)
    case .error(CodeAnswer.denied): throw TokenError(.sessionCancelled)
    case .error(let error):
      throw TokenError(.clientParameter, node: "error", found: TokenError.excerpt(error))
    case nil: throw TokenError(.clientParameter, node: "code", expected: "a code or an error")
    }
  }
}

extension OPROService {
  /// Signs a person in on the server's consent page; the redirect address is a listener on this machine.
  ///
  /// - Parameters:
  ///   - permissions: What the application asks for.
  ///   - loopback: Waits on this machine for the browser to return.
  ///   - open: Shows an address to the person.
  ///   - exchange: Exchanges the grant, before the browser shows whether the person is signed in.
  /// - Returns: The result of `exchange`; nil when the person denied access.
  /// - Throws: as ``LoopbackSignIn/run(_:address:open:judge:)``.
  public func signIn<Outcome: Sendable>(
    _ permissions: Set<OPROBrowserSignIn.Permission>, through loopback: LoopbackSignIn,
    open: @Sendable (HTTPURL) async throws -> Void,
    exchange: (OPROGrant) async throws -> Outcome
  ) async throws -> Outcome? {
    try await LoopbackSignIn.unlessCancelled {
      try await loopback.run(
        .query,
        address: { start in
          // The state is hexadecimal digits: the server writes it into an address unescaped.
          try OPROBrowserSignIn(
            self, permissions: permissions, redirect: start.redirectURI, state: start.state
          ).start
        }, open: open,
        judge: { answer, _ in
          guard case .code(let code) = answer else { throw TokenError(.sessionCancelled) }
          return try await exchange(.code(code))
        })
    }
  }
}
