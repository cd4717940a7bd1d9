#if Server
  import Hummingbird
  import HummingbirdFederation

  /// The routes of a service: a page for people, and an API for programs.
  ///
  /// - Parameters:
  ///   - site: Signs people in, and keeps their sessions.
  ///   - registry: The issuers whose tokens the API takes, and the audience that it is.
  func routes(
    signedInBy site: SignInSite, tokensOf registry: any IssuerRegistry,
    clock: any TimeSource = SystemTime()
  ) -> Router<FederationContext> {
    let router = Router(context: FederationContext.self)
    router.addSignIn(site)
    router.signedIn(by: site).get("/") { _, context in
      "Hello, \(context.principal.subject).\n"
    }
    router.withToken(of: registry, clock: clock).get("/api/roles") { _, context in
      context.principal.claims[.role].joined(separator: "\n")
    }
    return router
  }

  /// Who issues tokens for the API, and what its name in them is.
  func apiRegistry(_ issuer: TrustedIssuer) -> any IssuerRegistry {
    StaticRegistry(Trust(issuers: [issuer], audiences: .oneOf(["https://app.example/api"])))
  }
#endif
