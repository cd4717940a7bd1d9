#if Client
  import Federation
  import FederationClient
  import HTTPExchange
  import FederationNetwork
  import SimulatorHost

  extension AccessControlStory {
    /// A code from the consent page, obtained with the browser, and the start of its sign-in.
    func code(
      hasNonce: Bool = false
    ) async throws -> (code: Secret, start: LoopbackSignIn.Start) {
      let (answer, start) = try await LoopbackSignIn(listener: LoopbackListener(), time: time).run(
        .query,
        address: { start throws(TokenError) in
          AuthorizationRequest(
            clientID: "uploader", redirectURI: start.redirectURI, scope: Self.realm,
            state: start.state, nonce: hasNonce ? start.nonce : nil
          ).address(at: try acs.base.at(path: "/consent"))
        },
        open: { address in
          let text = address.text
          Task { _ = try await browser.open(text) }
        })
      guard case .code(let code) = answer else { throw Browser.Lost() }
      return (code, start)
    }
  }
#endif
