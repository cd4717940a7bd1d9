#if Server
  import HTTPTypes
  import Logging
  public import Hummingbird
  public import SignIn

  /// Lets a request with a session pass; sends a browser that asks for a page to sign in, and answers anything
  /// else with 401.
  public struct RequiresSignIn: RouterMiddleware {
    /// The context of the routes.
    public typealias Context = FederationContext

    private static let names = [
      HTTPField.Name("Sec-Fetch-Mode"), .accept, .upgrade,
    ].compactMap(\.self)
    private let site: SignInSite

    /// A middleware for the sessions of `site`.
    public init(_ site: SignInSite) { self.site = site }

    /// Lets the request pass, or answers it.
    public func handle(
      _ request: Request, context: FederationContext,
      next: (Request, FederationContext) async throws -> Response
    ) async throws -> Response {
      let session: SignedInSession?
      do throws(TokenError) {
        session = try await site.session(cookies: request.headers[values: .cookie])
      } catch {
        context.logger.error("\(error)")
        return Response(site.unavailable(error))
      }
      guard let session else {
        return Response(site.signInRequired(WebRequest(head: request, only: Self.names)))
      }
      var context = context
      context.session = session
      context.principal = session.principal
      return try await next(request, context)
    }
  }
#endif
