#if Server
  import HTTPTypes
  import Logging
  public import Hummingbird
  public import SignIn

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
