#if Server
  package import LocalFiles
  package import HTTPExchange
  package import RedisStores
  package import SignIn

  /// Sessions and used tokens in a server that several nodes share, as a configuration file names it.
  package struct SharedStores: Sendable {
    /// The connections.
    package let client: RedisClient
    /// The sessions.
    package let sessions: RedisSessionStore
    /// Used tokens and finished sign-ins.
    package let used: RedisReplayStore

    /// Stores, which connect with the first request.
    ///
    /// - Parameters:
    ///   - origin: The package origin of the service, whose sessions are those of no other.
    ///   - sealing: Keys of 32 octets, the current one first; every node has the same.
    ///   - lifetime: The most seconds that a session lasts.
    ///   - idle: Seconds after which an unused session is over.
    ///   - observer: Hears of sessions that no key opens.
    /// - Throws: `store.address`, `signin.configuration`, and what the folder throws.
    package init(
      _ configuration: SharedStoreConfiguration, _ folder: some ConfigurationFolder,
      origin: HTTPOrigin, sealing: [[UInt8]], lifetime: Int64, idle: Int64,
      observer: any ActivityObserver = NoObserver()
    ) throws(TokenError) {
      var settings = RedisSettings(
        configuration.address, trustedRoots: configuration.trustedRoots.map(folder.located))
      if let name = configuration.password { settings.password = try folder.secret(name) }
      settings.certificate = configuration.certificate.map(folder.located)
      settings.privateKey = configuration.privateKey.map(folder.located)
      client = try RedisClient(settings)
      sessions = try RedisSessionStore(
        client, origin: origin, sealing: sealing, lifetime: lifetime, idle: idle,
        namespace: configuration.namespace, observer: observer)
      used = RedisReplayStore(
        client, namespace: configuration.namespace, mayForget: configuration.mayForget)
    }

    /// Whether the server answers, writes, keeps what it is told to keep, and has sessions that our keys open: for the
    /// start of a service and for its health.
    ///
    /// - Returns: What the server says of itself, with a note for the operator.
    /// - Throws: `store.*`.
    @discardableResult
    package func check(at now: Instant) async throws(TokenError) -> StoreReport {
      let report = try await used.check(at: now)
      try await sessions.check()
      return report
    }
  }
#endif
