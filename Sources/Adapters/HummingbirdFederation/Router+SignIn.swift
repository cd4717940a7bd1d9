#if Server
  public import Hummingbird
  public import SignIn

  extension RouterMethods where Context == FederationContext {
    /// Adds the routes of the site below its prefix.
    public func addSignIn(_ site: SignInSite) {
      let path = RouterPath(site.settings.prefix + "**")
      for method in [HTTPRequest.Method.get, .post] {
        on(path, method: method) { request, _ in
          let asked = try await WebRequest(request, bodyLimit: site.settings.bodyLimit)
          return Response(await site.respond(to: asked))
        }
      }
    }

    /// Routes for which a person has to be signed in; their context has a principal.
    public func signedIn(
      by site: SignInSite, _ path: RouterPath = ""
    ) -> RouterGroup<SignedInContext> {
      group(path).add(middleware: RequiresSignIn(site)).group(context: SignedInContext.self)
    }

    /// Routes for which a request has to carry a token of `registry`; their context has a principal.
    public func withToken(
      of registry: any IssuerRegistry, _ path: RouterPath = "",
      clock: any TimeSource = SystemTime()
    ) -> RouterGroup<SignedInContext> {
      group(path).add(middleware: RequiresToken(registry, clock: clock)).group(
        context: SignedInContext.self)
    }
  }
#endif
