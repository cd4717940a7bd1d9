#if Server
  package import LocalFiles
  package import HTTPExchange
  package import RedisStores
  import SecurityKeys
  package import SignIn

  /// Sessions and used tokens in a server that several nodes share, as a configuration file names it.
  package struct SharedStores: Sendable {
    /// The connections.
    package let client: any RedisCommands
    /// The sessions.
    package let sessions: RedisSessionStore
    /// Used tokens and finished sign-ins.
    package let used: RedisReplayStore
    private let access: Access
    /// The most seconds that a session lasts which may be in the server.
    private let lifetime: Int64

    /// Stores, which connect with the first request.
    ///
    /// - Parameters:
    ///   - origin: The package origin of the service, whose sessions are those of no other.
    ///   - sealing: Keys of 32 octets, the current one first; every node has the same.
    ///   - lifetime: The most seconds that a session lasts.
    ///   - idle: Seconds after which an unused session is over.
    ///   - former: Stores of the same configuration that these take the place of: the connections stay, unless the
    ///     password or a file of TLS has another content. Nil for none.
    ///   - observer: Hears of sessions that no key opens.
    ///   - connect: Makes the connections; others in tests.
    /// - Throws: `store.address`, `signin.configuration`, and what the folder throws.
    package init(
      _ configuration: SharedStoreConfiguration, _ folder: some ConfigurationFolder,
      origin: HTTPOrigin, sealing: [[UInt8]], lifetime: Int64, idle: Int64,
      replacing former: SharedStores? = nil, observer: any ActivityObserver = NoObserver(),
      connect: (RedisSettings) throws(TokenError) -> any RedisCommands = {
        (settings) throws(TokenError) in try RedisClient(settings)
      }
    ) throws(TokenError) {
      var settings = RedisSettings(
        configuration.address, trustedRoots: configuration.trustedRoots.map(folder.located))
      if let name = configuration.password { settings.password = try folder.secret(name) }
      settings.certificate = configuration.certificate.map(folder.located)
      settings.privateKey = configuration.privateKey.map(folder.located)
      access = Access(settings, folder)
      if let former, former.access == access {
        client = former.client
      } else {
        client = try connect(settings)
      }
      // The index of a subject's sessions lasts as long as the longest of them, also of those that began before.
      self.lifetime = max(lifetime, former?.lifetime ?? 0)
      sessions = try RedisSessionStore(
        client, origin: origin, sealing: sealing, lifetime: self.lifetime, idle: idle,
        namespace: configuration.namespace, observer: observer)
      used = RedisReplayStore(
        client, namespace: configuration.namespace, mayForget: configuration.mayForget)
    }

    /// With what connections are made. A file that cannot be read is said by what makes them.
    private struct Access: Equatable {
      private let address: RedisAddress
      private let contents: [[UInt8]?]

      init(_ settings: RedisSettings, _ folder: some ConfigurationFolder) {
        func digest(_ octets: [UInt8]) -> [UInt8]? { DigestAlgorithm.sha256.digest(of: octets) }
        let files = [settings.trustedRoots, settings.certificate, settings.privateKey]
        address = settings.address
        contents =
          [settings.password.flatMap { digest(Array($0.revealed.utf8)) }]
          + files.map { $0.flatMap { try? folder.octets($0) }.flatMap(digest) }
      }
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
