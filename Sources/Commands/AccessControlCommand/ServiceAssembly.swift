#if Server
  import AccessControl
  import CommandServer
  import CommandSupport
  import FederationNetwork
  import HummingbirdFederation
  import LocalFiles
  import RedisStores
  import SQLiteSessions
  import SecurityKeys

  /// Where a service keeps what it is told to keep.
  struct ServiceState: Sendable {
    var used: any ReplayStore = MemoryReplayStore(capacity: 1_000_000)
    var values: any ValueStore = MemoryValueStore()
    /// Good for the moment between the provider's answer and the token.
    var sessions: any SessionStore = MemorySessionStore()
    /// The server that several services share; nil for a store of this one.
    var shared: SharedStores?

    /// Nothing but memory.
    init() {}

    /// The state that a file names.
    ///
    /// - Throws: `store.*`, `signin.*`, and what the folder throws.
    init(
      _ folder: ServiceFolder, sealing: [UInt8], observer: any ActivityObserver
    ) throws(TokenError) {
      if let state = folder.file.state {
        let store = try SQLiteStores.values(path: folder.located(state))
        used = store
        values = store
        sessions = try SealedSessionStore(store, sealing: sealing)
      } else if let shared = folder.file.shared {
        let stores = try SharedStores(
          shared, folder, origin: folder.file.issuer.origin, sealing: [sealing], lifetime: 300,
          idle: 300, observer: observer)
        used = stores.used
        sessions = stores.sessions
        self.shared = stores
        values = RedisValueStore(stores.client, namespace: shared.namespace)
      }
    }
  }

  /// Makes a service of its file.
  final class ServiceAssembly: ServedAssembly {
    let site: AccessControlSite
    let file: ServiceFile
    let keys: ServiceKeys
    let state: ServiceState
    let counters: EventCounters
    let dependencies: Dependencies
    let rules: RuleEditor
    let addresses: ServerAddresses
    let warnings: [String]

    /// - Parameter former: The service that it takes the place of, whose state and counters it takes over; nil for none.
    /// - Throws: exit status 2.
    convenience init(_ folder: ServiceFolder, replacing former: ServiceAssembly? = nil)
      throws(CommandFailure)
    {
      let rules = RuleEditor(
        folder.file.ruleGroups, changed: try folder.changedRules(),
        read: { () throws(TokenError) in try folder.keptRules() },
        write: { (groups) throws(TokenError) in try folder.keep(groups) })
      let skipped = try folder.skippedRuleWarnings()
      let counters = former?.counters ?? Self.newCounters(folder.file)
      do throws(TokenError) {
        let file = folder.file
        if let former { try Self.checkReload(former.file, file) }
        let keys = try ServiceKeys(
          path: folder.located(file.keys), name: file.issuer.origin.host,
          algorithms: file.webAlgorithms, at: SystemTime().now)
        let state =
          if let former { former.state } else {
            try ServiceState(folder, sealing: keys.sealing, observer: counters)
          }
        var parts = Parts(file, keys, state, counters, rules)
        parts.dependencies = Dependencies.ofService(
          file.outgoing, replacing: former?.dependencies)
        parts.parties = try Self.relyingParties(folder, parts, replacing: former)
        parts.identities = try folder.identities()
        parts.admins = try folder.admins()
        parts.pages = MustachePages(title: file.name, logo: try folder.logo(file.logo))
        parts.upstream = try Self.upstream(folder, keys, parts)
        parts.registration = try Self.registration(folder)
        if parts.parties.contains(where: \.hearsDirectly) {
          parts.transport = HostBoundaries(
            .party, in: parts.dependencies, over: try AsyncHTTPClientTransport(.service))
        }
        parts.former = former?.site
        // The listener keeps its files of TLS: they are bound.
        parts.tls =
          former.map { $0.addresses.tls }
          ?? file.tls.map {
            TLSFiles(certificate: folder.located($0.certificate), key: folder.located($0.key))
          }
        parts.warnings = file.faults.map { "\(folder.path): \($0.description)" }
        parts.warnings += skipped + folder.addressWarnings
        parts.warnings += folder.metadataWarnings(parts.parties, at: SystemTime().now)
        try self.init(parts)
      } catch {
        throw CommandFailure(service: [error])
      }
    }

    /// The relying parties. What fetches their metadata stays where the file says of it what it said before, so that the
    /// last good metadata outlives a new file.
    private static func relyingParties(
      _ folder: ServiceFolder, _ parts: Parts, replacing former: ServiceAssembly?
    ) throws(TokenError) -> [RelyingParty] {
      var network: AsyncHTTPClientTransport?
      return try folder.relyingParties { (realm, source, copy) throws(TokenError) in
        let transport = if let network { network } else { try AsyncHTTPClientTransport(.service) }
        network = transport
        // Documents have limits of their own.
        let boundary = parts.dependencies.boundary(
          .party, source.url.origin.description, over: transport
        ).forDocuments
        let next = FetchedServiceProvider(
          realm, source, transport: boundary, copy: copy, observer: parts.counters)
        return former?.fetchedMetadata.first { $0.isSame(as: next) } ?? next
      }
    }

    /// What fetches metadata of relying parties.
    var fetchedMetadata: [FetchedServiceProvider] {
      site.store.current.relyingParties.compactMap { party in
        guard case .fetched(let fetched) = party.metadata else { return nil }
        return fetched
      }
    }

    private static func newCounters(_ file: ServiceFile) -> EventCounters {
      EventCounters(StandardErrorLog(file.logsJSON ? .json : .text), prefix: "acs")
    }

    /// What is tied to sockets, stores and names that stay.
    ///
    /// - Throws: `issuing.file-value` with the member that needs a restart.
    private static func checkReload(
      _ former: ServiceFile, _ next: ServiceFile
    ) throws(TokenError) {
      try BoundMember.check(
        [
          BoundMember("issuer", former.issuer, next.issuer),
          BoundMember("listen", former.listen.description, next.listen.description),
          BoundMember("operations", former.operations?.description, next.operations?.description),
          BoundMember("keys", former.keys, next.keys),
          BoundMember("state", former.state, next.state),
          BoundMember("state", former.shared, next.shared),
          BoundMember("log", former.logsJSON, next.logsJSON),
          BoundMember("tls", former.tls?.certificate, next.tls?.certificate),
          BoundMember("tls", former.tls?.key, next.tls?.key),
        ], .issuingFileValue)
    }

    /// How clients that the file does not name may describe themselves; nil for none.
    private static func registration(
      _ folder: ServiceFolder
    ) throws(TokenError) -> ClientRegistration? {
      guard let described = folder.file.registration else { return nil }
      // A stranger names the address of a document; on loopback it may be there.
      var network = TransportConfiguration()
      if !folder.file.issuer.origin.isLoopback { network.reach = .internet }
      return ClientRegistration(
        relyingParty: described.relyingParty, token: try folder.registrationToken(),
        most: described.most, transport: try AsyncHTTPClientTransport(network))
    }

    /// Sign-in at the real providers of the file; nil for none. Our side of SAML has the key of the service.
    private static func upstream(
      _ folder: ServiceFolder, _ keys: ServiceKeys, _ parts: Parts
    ) throws(TokenError) -> SignInSite? {
      guard !folder.file.upstream.isEmpty else { return nil }
      let (settings, providers) = try providers(
        folder, keys, parts.counters, parts.dependencies)
      return try SignInSite(
        settings, providers: providers, pages: parts.pages, sessions: parts.state.sessions,
        used: parts.state.used, keys: [keys.sealing], observer: parts.counters)
    }

    /// Reads what the real providers of a file need, and makes nothing.
    ///
    /// - Throws: as ``ProviderConfiguration/provider(of:at:)`` does.
    static func checkProviders(_ folder: ServiceFolder) throws(TokenError) {
      if let keys = try ServiceKeys(path: folder.located(folder.file.keys)) {
        _ = try providers(folder, keys, NoObserver())
      } else {
        _ = try providers(
          folder, ServiceKeys(name: "check", at: SystemTime().now), NoObserver())
      }
    }

    private static func providers(
      _ folder: ServiceFolder, _ keys: ServiceKeys, _ observer: any ActivityObserver,
      _ dependencies: Dependencies = Dependencies()
    ) throws(TokenError) -> (SiteSettings, [SignInProvider]) {
      var settings = try SiteSettings(origin: folder.file.issuer.origin, prefix: "/v2/upstream/")
      // Long enough to come back from the provider: the next sign-in asks it again.
      settings.lifetime = 300
      let own = try keys.samlKeys()
      let service = try own.service(folder.file.issuer.text + "v2/upstream", settings)
      let described = ConfiguredService(
        folder, saml: service, settings: settings, keys: own.decryption,
        observer: observer,
        transport: { () throws(TokenError) in try AsyncHTTPClientTransport(.service) },
        dependencies: dependencies)
      var providers: [SignInProvider] = []
      for provider in folder.file.upstream {
        providers.append(try provider.provider(of: described, at: SystemTime().now))
      }
      return (settings, providers)
    }

    /// A service without files beside its own.
    convenience init(_ file: ServiceFile, keys: ServiceKeys) throws(TokenError) {
      var state = ServiceState()
      state.used = MemoryReplayStore(capacity: 100_000)
      try self.init(
        Parts(file, keys, state, Self.newCounters(file), RuleEditor(file.ruleGroups) { _ in }))
    }

    /// What a service is made of.
    private struct Parts {
      let file: ServiceFile
      let keys: ServiceKeys
      let state: ServiceState
      let counters: EventCounters
      let rules: RuleEditor
      var parties: [RelyingParty]
      var identities: [ServiceIdentity]
      var admins: [Admin]
      var upstream: SignInSite?
      var registration: ClientRegistration?
      var transport: (any HTTPTransport)?
      var dependencies = Dependencies()
      var pages: MustachePages
      var former: AccessControlSite?
      var tls: TLSFiles?
      var warnings: [String] = []

      init(
        _ file: ServiceFile, _ keys: ServiceKeys, _ state: ServiceState, _ counters: EventCounters,
        _ rules: RuleEditor
      ) {
        self.file = file
        self.keys = keys
        self.state = state
        self.counters = counters
        self.rules = rules
        parties = file.relyingParties
        identities = file.identities
        admins = file.admins
        pages = MustachePages(title: file.name)
      }
    }

    private init(_ parts: Parts) throws(TokenError) {
      let (file, keys) = (parts.file, parts.keys)
      self.file = file
      self.keys = keys
      state = parts.state
      counters = parts.counters
      dependencies = parts.dependencies
      rules = parts.rules
      addresses = ServerAddresses(
        service: file.listen, operations: file.operations, tls: parts.tls)
      warnings = parts.warnings
      let namespace = try ServiceNamespace(
        issuer: file.issuer.text, relyingParties: parts.parties, providers: file.providers,
        identities: parts.identities, authorizationServers: file.authorizationServers,
        ruleGroups: parts.rules.groups, keys: keys.namespaceKeys())
      let adminAddress =
        file.adminPlace == .operations
        ? try file.operations.map { (place) throws(TokenError) in
          try HTTPURL("http://\(place)/").origin
        } : nil
      site = try AccessControlSite(
        NamespaceStore(namespace), pages: parts.pages,
        upstream: parts.upstream, used: parts.state.used, values: parts.state.values,
        key: keys.sealing, rates: file.rates, registration: parts.registration,
        transport: parts.transport,
        adminPassword: file.adminPlace == .off ? nil : Secret(keys.password),
        admins: parts.admins, adminOrigin: adminAddress, rules: parts.rules,
        replacing: parts.former, observer: parts.counters)
    }
  }

  extension RelyingParty {
    /// Whether the service may call it by itself to tell it of a sign-out.
    fileprivate var hearsDirectly: Bool {
      switch metadata {
      case .fetched: true
      case .fixed(let provider): backChannelLogout != nil || provider.directLogout != nil
      case nil: backChannelLogout != nil
      }
    }
  }

  extension CommandFailure {
    /// Why the service does not start: every error, with its number of Access Control Service where it has one.
    ///
    /// - Parameter file: The file in which they are, where it is not the service's own.
    init(service errors: [TokenError], in file: String? = nil) {
      self.init(
        .usage,
        errors.map { error in
          // 50000 stands for all that Access Control Service has no number for.
          let code = ACSRefusal(error)
          let number = code.number == .other ? "" : "\(code): "
          let name = file.map { ShownPath.of($0) }
          if let name, error.setting != nil {
            return Message(number + error.inFile(name).description, hint: error.hint)
          }
          let place = name.map { "\($0): " } ?? ""
          return Message(place + number + error.description, hint: error.hint)
        }, causes: errors)
    }
  }
#endif
