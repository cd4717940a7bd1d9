#if Server
  public import Hummingbird
  public import SignIn

  /// The context of protected routes: there is always a principal.
  public struct SignedInContext: ChildRequestContext {
    /// What Hummingbird itself needs.
    public var coreContext: CoreRequestContextStorage
    /// Who signed in.
    public let principal: FederatedPrincipal
    /// The session; nil for a principal of a token.
    public let session: SignedInSession?

    /// A context of a request that a middleware has let through.
    ///
    /// - Throws: 401 where none has.
    public init(context: FederationContext) throws {
      guard let principal = context.principal else { throw HTTPError(.unauthorized) }
      coreContext = context.coreContext
      self.principal = principal
      session = context.session
    }
  }
#endif
