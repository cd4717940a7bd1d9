#if Server
  public import Hummingbird
  public import NIOCore
  public import SignIn

  /// The context of requests to a service that signs people in.
  public struct FederationContext: RequestContext, RemoteAddressRequestContext {
    /// What Hummingbird itself needs.
    public var coreContext: CoreRequestContextStorage
    /// The address that the request came from; nil where the connection has none.
    public let remoteAddress: SocketAddress?
    /// Whether the request came through a Unix socket: its peer has no address.
    package let isOfSocket: Bool
    /// Who signed in, once a middleware of this module has found out.
    public var principal: FederatedPrincipal?
    /// The session, where there is one; nil for a principal of a token.
    public var session: SignedInSession?

    /// A context of a request.
    public init(source: ApplicationRequestContextSource) {
      coreContext = CoreRequestContextStorage(source: source)
      remoteAddress = source.channel.remoteAddress
      // The socket of the listener has a name; that of the peer seldom has.
      isOfSocket =
        if case .unixDomainSocket? = source.channel.localAddress { true } else { false }
    }
  }

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
