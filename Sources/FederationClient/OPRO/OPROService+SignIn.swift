public import HTTPExchange
import TokenErrors

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
