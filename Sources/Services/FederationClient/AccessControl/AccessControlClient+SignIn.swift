public import HTTPExchange
import Federation
import Synchronization

extension AccessControlClient {
  /// How the sign-in in a web view or browser ended.
  public enum BrowserAnswer: Sendable {
    /// The page passed this message to the script bridge.
    case message(String)
    /// The web view navigated to this address (``NotifySignIn/bridgeScript``).
    case navigation(String)
    /// The person closed the web view.
    case closed
  }

  /// Signs a person in through a web view: lets the person choose the provider if there are several, shows
  /// its page and verifies the returned token. Ends exactly once: signed in, cancelled, or an error.
  ///
  /// - Parameters:
  ///   - scheme: The scheme in which the relying party's services expect the token.
  ///   - store: Remembers which provider was chosen.
  ///   - choose: Lets the person choose; nil when the person cancels.
  ///   - show: Shows the page at an address, which must be opened unchanged.
  /// - Throws: `client.other-provider`; as ``providers(_:)`` and ``NotifySignIn/receive(message:)``; errors
  ///   of the closures, unchanged.
  public func signIn(
    scheme: CredentialScheme, rememberingIn store: any CredentialStore,
    choose: @Sendable (ProviderPicker) async throws -> IdentityProvider?,
    show: @Sendable (String) async throws -> BrowserAnswer
  ) async throws -> SignInOutcome {
    let notify = NotifySignIn(service, trust: trust, time: time)
    let picker = try await picker(notify.listRequest, rememberedIn: store)
    guard let provider = try await pick(from: picker, choose) else { return .cancelled }
    try await remember(provider, in: store)
    let token: AccessControlToken
    switch try await show(provider.loginAddress) {
    case .closed: return .cancelled
    case .message(let message): token = try notify.receive(message: message)
    case .navigation(let address): token = try notify.receive(navigation: address)
    }
    let session = try token.session(scheme: scheme, at: time.now)
    return .signedIn(try session.naming(provider))
  }

  /// Signs a person in with the browser; the return URL is a listener on this machine.
  /// - Throws: `client.other-provider` when ``PassiveRequest/whr`` names another; as
  ///   ``LoopbackSignIn/run(_:address:open:)`` and ``PassiveSignIn/receive(_:browser:)``; those of `open`.
  public func signIn(
    scheme: CredentialScheme, request: PassiveRequest = PassiveRequest(),
    through loopback: LoopbackSignIn,
    open: @Sendable (HTTPURL) async throws -> Void
  ) async throws -> SignInOutcome {
    let service = service
    let now = time.now
    return try await Self.outcome {
      try await loopback.run(
        .form,
        address: { start in
          var request = request
          request.wreply = start.redirectURI
          return try service.signInAddress(request, state: start.state, at: now)
        }, open: open,
        judge: { answer, _ in
          let session = try judged(answer, scheme)
          if let whr = request.whr {
            try KnownProvider.check(
              session.provider, against: KnownProvider(claim: whr))
          }
          return session
        })
    }
  }

  /// Maps `session.cancelled` to ``SignInOutcome/cancelled``.
  private static func outcome(
    _ signIn: () async throws -> Session
  ) async throws -> SignInOutcome {
    try await LoopbackSignIn.unlessCancelled(signIn).map(SignInOutcome.signedIn) ?? .cancelled
  }

  /// Signs a person in with the browser; the return URL is a listener on this machine. The provider is
  /// chosen in this program rather than on the service's page: fetches the list of providers, calls `choose`
  /// if there are several and opens the page of the chosen one.
  ///
  /// - Parameters:
  ///   - scheme: The scheme in which the relying party's services expect the token.
  ///   - store: Remembers which provider was chosen.
  ///   - loopback: Waits on this machine for the browser to return.
  ///   - choose: Lets the person choose; nil when the person cancels.
  ///   - open: Shows an address to the person.
  /// - Throws: `client.other-provider`; as ``providers(_:)``, ``LoopbackSignIn/run(_:address:open:)`` and
  ///   ``PassiveSignIn/receive(_:browser:)``; errors of the closures, unchanged.
  public func signIn(
    scheme: CredentialScheme, rememberingIn store: any CredentialStore,
    through loopback: LoopbackSignIn,
    choose: @Sendable (ProviderPicker) async throws -> IdentityProvider?,
    open: @Sendable (HTTPURL) async throws -> Void
  ) async throws -> SignInOutcome {
    let chosen = Mutex<IdentityProvider?>(nil)
    return try await Self.outcome {
      try await loopback.run(
        .form,
        address: { start in
          let picker = try await picker(
            ProviderListRequest(
              .wsFederation, replyTo: start.redirectURI, context: start.state),
            rememberedIn: store)
          let provider = try await pick(from: picker, choose)
          guard let provider else { throw TokenError(.sessionCancelled) }
          try await remember(provider, in: store)
          chosen.withLock { $0 = provider }
          return try HTTPURL(provider.loginAddress)
        }, open: open,
        judge: { answer, _ in
          let session = try judged(answer, scheme)
          guard let provider = chosen.withLock({ $0 }) else { return session }
          return try session.naming(provider)
        })
    }
  }

  /// The provider to use: the only one, or the person's choice.
  private func pick(
    from picker: ProviderPicker,
    _ choose: (ProviderPicker) async throws -> IdentityProvider?
  ) async throws -> IdentityProvider? {
    guard !picker.providers.isEmpty else { throw TokenError(.clientProvider, found: "none") }
    if let only = picker.only { return only }
    return try await choose(picker)
  }

  /// Verifies the posted answer of the passive profile.
  /// - Throws: `session.cancelled`; `client.*` for an error of the service; errors of verification.
  private func judged(
    _ answer: RedirectAnswer, _ scheme: CredentialScheme
  ) throws(TokenError) -> Session {
    guard case .posted(let message) = answer else { throw TokenError(.sessionCancelled) }
    switch try PassiveMessage(message) {
    case .failure(let failure): throw failure.error
    case .signOutCleanup: throw TokenError(.clientParameter, node: "wa")
    case .token(let wresult, _):
      let token = try AccessControlToken(
        wresult, pinned: .rstr, service: service, trust: trust, at: time.now)
      return try token.session(scheme: scheme, at: time.now)
    }
  }

  /// Signs a person in with the code flow; the redirect address is a listener on this machine.
  /// - Throws: as ``LoopbackSignIn/run(_:address:open:judge:)`` and ``token(_:client:)``; errors of `open`,
  ///   unchanged.
  public func signIn(
    scheme: CredentialScheme, code: CodeSignIn, through loopback: LoopbackSignIn,
    open: @Sendable (HTTPURL) async throws -> Void
  ) async throws -> SignInOutcome {
    let proofKey = code.hasProofKey ? ProofKey() : nil
    let realm = service.realm
    return try await Self.outcome {
      try await loopback.run(
        .query,
        address: { start in
          AuthorizationRequest(
            clientID: code.client.id, redirectURI: start.redirectURI, scope: realm,
            state: start.state, proofKey: proofKey, nonce: code.expectsNonce ? start.nonce : nil
          ).address(at: code.page)
        }, open: open,
        judge: { answer, start in
          guard case .code(let secret) = answer else { throw TokenError(.sessionCancelled) }
          let token = try await token(
            .authorizationCode(
              secret, redirectURI: start.redirectURI, proofKey: proofKey,
              nonce: code.expectsNonce ? start.nonce : nil),
            client: code.client)
          return try token.session(scheme: scheme, at: time.now)
        })
    }
  }
}

extension AccessControlService: ProviderSignOut {
  /// The sign-out pages of the chosen provider, if the provider list named one, and of the service.
  public func providerSignOutAddresses(of session: Session) -> [String] {
    let provider = session.details["logoutAddress"].map { [$0] } ?? []
    return provider + ((try? signOutAddress().text).map { [$0] } ?? [])
  }
}

extension Session {
  /// The session with its provider's name and sign-out address.
  /// - Throws: `client.other-provider` when the token names another provider.
  fileprivate func naming(_ provider: IdentityProvider) throws(TokenError) -> Session {
    try KnownProvider.check(self.provider, against: KnownProvider(provider))
    var copy = self
    copy.details["providerName"] = provider.name
    copy.details["logoutAddress"] = provider.logoutAddress
    return copy
  }
}
