#if Server
  public import ForwardAuthentication
  public import RedisConnections
  public import RedisStores

  /// Sessions and used tokens in a server that several nodes share, as a configuration file names it.
  public struct SharedStores: Sendable {
    /// The connections.
    public let client: RedisClient
    /// The sessions.
    public let sessions: RedisSessionStore
    /// Used tokens and finished sign-ins.
    public let used: RedisReplayStore

    /// Stores, which connect with the first request.
    ///
    /// - Parameters:
    ///   - sealing: Keys of 32 octets, the current one first; every node has the same.
    ///   - lifetime: The most seconds that a session lasts.
    ///   - idle: Seconds after which an unused session is over.
    /// - Throws: `store.address`, `signin.configuration`, and what the folder throws.
    public init(
      _ configuration: SharedStoreConfiguration, _ folder: some ConfigurationFolder,
      sealing: [[UInt8]], lifetime: Int64, idle: Int64
    ) throws(TokenError) {
      var settings = RedisSettings(
        configuration.address, trustedRoots: configuration.trustedRoots.map(folder.located))
      if let name = configuration.password { settings.password = try folder.secret(name) }
      client = try RedisClient(settings)
      sessions = try RedisSessionStore(
        client, sealing: sealing, lifetime: lifetime, idle: idle,
        namespace: configuration.namespace)
      used = RedisReplayStore(client, namespace: configuration.namespace)
    }
  }
#endif
