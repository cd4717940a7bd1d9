#if Server
  import HTTPTypes
  public import Hummingbird
  import Logging
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

  /// Lets a request with a verified token pass (`Bearer`, WRAP or `X-ZUMO-AUTH`), and answers any other with 401
  /// as RFC 6750 has it, the code of the refusal in the body.
  public struct RequiresToken: RouterMiddleware {
    /// The context of the routes.
    public typealias Context = FederationContext

    private static let mobile = HTTPField.Name("X-ZUMO-AUTH")
    private let tokens: TokenAuthenticator

    /// A middleware for the issuers of `registry`.
    public init(_ registry: any IssuerRegistry, clock: any TimeSource = SystemTime()) {
      tokens = TokenAuthenticator(registry, clock: clock)
    }

    /// Lets the request pass, or answers it.
    public func handle(
      _ request: Request, context: FederationContext,
      next: (Request, FederationContext) async throws -> Response
    ) async throws -> Response {
      let principal: FederatedPrincipal
      do throws(TokenError) {
        // Values as the request has them: to make fields of them first is to check and copy them twice.
        let token = try RequestToken(
          authorization: request.headers[values: .authorization],
          mobile: Self.mobile.map { request.headers[values: $0] } ?? [])
        guard let token else { return Response(TokenAuthenticator.refusal(nil)) }
        principal = try await tokens.principal(token)
      } catch {
        context.logger.info("a token was refused", metadata: ["error": "\(error)"])
        return Response(TokenAuthenticator.refusal(error))
      }
      var context = context
      context.principal = principal
      return try await next(request, context)
    }
  }
#endif
