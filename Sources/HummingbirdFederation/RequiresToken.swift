#if Server
  import HTTPExchange
  import HTTPTypes
  import Logging
  public import Hummingbird
  public import SignIn

  /// Lets a request with a verified token pass (`Bearer`, WRAP or `X-ZUMO-AUTH`), and answers any other with 401
  /// as RFC 6750 has it, the code of the refusal in the body.
  public struct RequiresToken: RouterMiddleware {
    /// The context of the routes.
    public typealias Context = FederationContext

    private static let names = [HTTPField.Name.authorization, HTTPField.Name("X-ZUMO-AUTH")]
      .compactMap(\.self)
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
      let principal: FederatedPrincipal?
      do throws(TokenError) {
        principal = try await tokens.principal(
          HTTPExchange.HTTPFields(of: request, only: Self.names))
      } catch {
        context.logger.info("a token was refused", metadata: ["error": "\(error)"])
        return Response(TokenAuthenticator.refusal(error))
      }
      guard let principal else { return Response(TokenAuthenticator.refusal(nil)) }
      var context = context
      context.principal = principal
      return try await next(request, context)
    }
  }
#endif
