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

  /// Makes a service of its file.
  struct ServiceAssembly {
    let site: AccessControlSite
    let file: ServiceFile
    let keys: ServiceKeys
    /// The server that several services share; nil for a store of this one.
    private(set) var stores: SharedStores?

    /// - Throws: exit status 2.
    init(_ folder: ServiceFolder) throws(CommandFailure) {
      let rules = RuleEditor(folder.file.ruleGroups, changed: try folder.changedRules()) {
        groups throws(TokenError) in try folder.keep(groups)
      }
      do throws(TokenError) {
        let file = folder.file
        let keys = try ServiceKeys(
          path: folder.located(file.keys), name: file.issuer.origin.host,
          algorithms: file.webAlgorithms, at: SystemTime().now)
        let parties = try folder.relyingParties()
        let identities = try folder.identities()
        var used: any ReplayStore = MemoryReplayStore(capacity: 1_000_000)
        var values: any ValueStore = MemoryValueStore()
        // Good for the moment between the provider's answer and the token.
        var sessions: any SessionStore = MemorySessionStore()
        var sharedStores: SharedStores?
        if let state = file.state {
          let store = try SQLiteValueStore(path: folder.located(state))
          used = store
          values = store
        } else if let shared = file.shared {
          let stores = try SharedStores(
            shared, folder, origin: file.issuer.origin, sealing: [keys.sealing], lifetime: 300,
            idle: 300, observer: StandardErrorLog())
          used = stores.used
          sessions = stores.sessions
          sharedStores = stores
          values = RedisValueStore(stores.client, namespace: shared.namespace)
        }
        let upstream = try Self.upstream(folder, keys, used, sessions)
        try self.init(file, keys, parties, identities, used, values, upstream, rules: rules)
        stores = sharedStores
      } catch {
        throw CommandFailure(service: [error])
      }
    }

    /// Sign-in at the real providers of the file; nil for none. Our side of SAML has the key of the service.
    private static func upstream(
      _ folder: ServiceFolder, _ keys: ServiceKeys, _ used: any ReplayStore,
      _ sessions: any SessionStore
    ) throws(TokenError) -> SignInSite? {
      guard !folder.file.upstream.isEmpty else { return nil }
      let (settings, providers) = try providers(folder, keys)
      return try SignInSite(
        settings, providers: providers, pages: MustachePages(title: folder.file.name),
        sessions: sessions, used: used, keys: [keys.sealing], observer: StandardErrorLog())
    }

    /// Reads what the real providers of a file need, and makes nothing.
    ///
    /// - Throws: as ``ProviderConfiguration/provider(of:at:)`` does.
    static func checkProviders(_ folder: ServiceFolder) throws(TokenError) {
      if let keys = try ServiceKeys(path: folder.located(folder.file.keys)) {
        _ = try providers(folder, keys)
      } else {
        _ = try providers(folder, ServiceKeys(name: "check", at: SystemTime().now))
      }
    }

    private static func providers(
      _ folder: ServiceFolder, _ keys: ServiceKeys
    ) throws(TokenError) -> (SiteSettings, [SignInProvider]) {
      var settings = try SiteSettings(origin: folder.file.issuer.origin, prefix: "/v2/upstream/")
      // Long enough to come back from the provider: the next sign-in asks it again.
      settings.lifetime = 300
      let service = try ServiceProvider(
        entityID: folder.file.issuer.text + "v2/upstream",
        consumer: settings.address("saml/acs"), logout: settings.address("saml/slo"),
        signingKeys: [SigningKey(keys.current.key, certificate: keys.current.certificate)],
        decryptionKeys: [keys.current.key], encryptionCertificates: [keys.current.certificate])
      let described = ConfiguredService(
        folder, saml: service, settings: settings, keys: [keys.current.key],
        observer: StandardErrorLog(),
        transport: { () throws(TokenError) in try AsyncHTTPClientTransport() })
      var providers: [SignInProvider] = []
      for provider in folder.file.upstream {
        providers.append(try provider.provider(of: described, at: SystemTime().now))
      }
      return (settings, providers)
    }

    /// A service without files beside its own.
    init(_ file: ServiceFile, keys: ServiceKeys) throws(TokenError) {
      try self.init(
        file, keys, file.relyingParties, file.identities, MemoryReplayStore(capacity: 100_000),
        MemoryValueStore(), rules: RuleEditor(file.ruleGroups) { _ in })
    }

    private init(
      _ file: ServiceFile, _ keys: ServiceKeys, _ parties: [RelyingParty],
      _ identities: [ServiceIdentity], _ used: any ReplayStore, _ values: any ValueStore,
      _ upstream: SignInSite? = nil, rules: RuleEditor
    ) throws(TokenError) {
      self.file = file
      self.keys = keys
      let namespace = try ServiceNamespace(
        issuer: file.issuer.text, relyingParties: parties, providers: file.providers,
        identities: identities, authorizationServers: file.authorizationServers,
        ruleGroups: rules.groups, keys: keys.namespaceKeys())
      site = try AccessControlSite(
        NamespaceStore(namespace), pages: MustachePages(title: file.name), upstream: upstream,
        used: used, values: values,
        key: keys.sealing, requestsPerSecond: file.requestsPerSecond,
        adminPassword: Secret(keys.password), rules: rules,
        observer: StandardErrorLog())
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
          let place = file.map { "\(ShownPath.of($0)): " } ?? ""
          return Message(place + number + error.description, hint: error.hint)
        }, causes: errors)
    }
  }
#endif
