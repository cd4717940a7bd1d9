public import HTTPExchange
public import TokenErrors

extension OPROService {
  /// Signs a person in on the server's consent page, with a listener on this machine as the redirect
  /// address: the grant to exchange; nil when the person said no.
  /// - Throws: as ``LoopbackSignIn/run(_:address:open:)``.
  public func grant(
    _ permissions: Set<OPROBrowserSignIn.Permission>, through loopback: LoopbackSignIn,
    open: @Sendable (HTTPURL) async throws(TokenError) -> Void
  ) async throws(TokenError) -> OPROGrant? {
    let answer = try await loopback.run(
      .query,
      address: { (start) throws(TokenError) in
        // Digits alone: the server writes the state into an address as it came.
        try OPROBrowserSignIn(
          self, permissions: permissions, redirect: start.redirectURI, state: start.state
        ).start
      }, open: open
    ).answer
    guard case .code(let code) = answer else { return nil }
    return .code(code)
  }
}
