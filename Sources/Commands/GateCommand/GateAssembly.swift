#if Server
  import CommandServer
  import CommandSupport
  import FederationNetwork
  import GateService
  import HummingbirdFederation
  import LocalFiles
  import Octets
  import SecurityKeys

  /// Makes a gate of its file.
  final class GateAssembly: ServedAssembly {
    /// What the gate is made for.
    enum Purpose {
      /// To serve.
      case run
      /// To serve in place of another one, whose stores and counters it takes over.
      case reload(GateAssembly)
      /// To say what is wrong: everything is read that serving reads, and nothing is written.
      case check
    }

    let gate: Gate
    let counters: EventCounters
    let stores: GateStores
    /// The servers that the gate calls.
    let dependencies: Dependencies
    let configuration: GateConfiguration
    /// Trusts the issuers of bearer tokens; nil where none are accepted.
    let tokens: BearerTokenRegistry?
    /// The keys of cookies: those of the file, or random ones that end with the process.
    let cookieKeys: [[UInt8]]
    /// What is legal and probably not meant.
    let warnings: [String]

    /// - Parameter transport: Makes the network; another one in tests.
    /// - Throws: exit status 2.
    init(
      _ file: GateFile, _ purpose: Purpose,
      transport: @escaping @Sendable () throws(TokenError) -> any HTTPTransport = {
        () throws(TokenError) in try AsyncHTTPClientTransport(.service)
      }
    ) throws(CommandFailure) {
      let configuration = file.configuration
      self.configuration = configuration
      var former: GateAssembly?
      if case .reload(let assembly) = purpose { former = assembly }
      let counters =
        former?.counters
        ?? EventCounters(
          StandardErrorLog(configuration.logsJSON ? .json : .text, where: Self.isLogged),
          prefix: "claims_gate")
      self.counters = counters
      let dependencies = Dependencies.ofService(
        configuration.outgoing, replacing: former?.dependencies)
      self.dependencies = dependencies
      do throws(TokenError) {
        let now = SystemTime().now
        let settings = try Self.settings(file)
        let own = try OwnKeys(file)
        let service = try Self.service(own.keys, configuration, settings)
        let described = ConfiguredService(
          file, saml: service, settings: settings, keys: own.keys.decryption,
          neededClaims: configuration.neededClaims, observer: counters,
          transport: transport, dependencies: dependencies,
          replacing: former?.gate.site.providers ?? [])
        let providers = try Self.providers(configuration, of: described, at: now)
        cookieKeys =
          try file.cookieKeys() ?? former?.cookieKeys ?? [SystemRandom.octets(SealingKey.length)]
        switch purpose {
        case .reload(let former):
          try Self.checkReload(former.configuration, configuration)
          stores = try GateStores(file, replacing: former.stores, observer: counters)
        case .run: stores = try GateStores(file, observer: counters)
        case .check: stores = try GateStores(checking: file)
        }
        let site = try SignInSite(
          settings, providers: providers,
          pages: MustachePages(title: configuration.name, logo: file.logo(configuration.logo)),
          sessions: stores.sessions, used: stores.used, keys: cookieKeys, observer: counters)
        tokens = try configuration.tokens.map { (name) throws(TokenError) in
          try file.tokenIssuers(
            name, beside: site.providers, replacing: former?.tokens, transport: transport(),
            dependencies: dependencies, at: now, observer: counters)
        }
        let identity = try file.identityToken(settings, apart: own.keys, site.providers)
        gate = Gate(
          site: site, proxy: configuration.proxy, peers: configuration.peers,
          rules: configuration.rules, headers: IdentityHeaders(configuration.headers),
          identity: identity, people: configuration.people ?? .shared,
          tokens: tokens.map { TokenAuthenticator($0) }, resource: configuration.resource,
          audiences: configuration.audiences, readers: configuration.readers,
          applications: try Self.applications(configuration, identity),
          hasPagesOnly: configuration.hasPagesOnly, values: stores.values,
          observer: counters)
        warnings = configuration.warnings + own.warnings + file.openSecrets
      } catch {
        throw CommandFailure(usage: error)
      }
    }

    private static func providers(
      _ configuration: GateConfiguration, of service: ConfiguredService, at now: Instant
    ) throws(TokenError) -> [SignInProvider] {
      var providers: [SignInProvider] = []
      for provider in configuration.providers {
        do throws(TokenError) {
          providers.append(try provider.provider(of: service, at: now))
        } catch {
          throw error.within("provider \(provider.id)")
        }
      }
      return providers
    }

    /// The applications on hosts of their own.
    private static func applications(
      _ configuration: GateConfiguration, _ identity: IdentityToken?
    ) throws(TokenError) -> [GateApplication] {
      var applications: [GateApplication] = []
      for application in configuration.applications {
        applications.append(
          GateApplication(
            try SiteSettings(origin: application.origin, prefix: configuration.prefix),
            rules: application.rules, headers: IdentityHeaders(application.headers),
            identity: identity?.forApplication(at: application.origin),
            resource: application.resource, audiences: application.audiences,
            readers: application.readers))
      }
      return applications
    }

    /// Where the gate is, and how long sessions last.
    private static func settings(_ file: GateFile) throws(TokenError) -> SiteSettings {
      let configuration = file.configuration
      var settings = try SiteSettings(
        origin: configuration.origin, prefix: configuration.prefix)
      settings.lifetime = Int64(configuration.lifetime)
      settings.idle = Int64(configuration.idle)
      settings.isForTokensAlone = configuration.providers.isEmpty
      settings.discovery = configuration.discovery.map(DiscoveryService.init)
      if let name = configuration.services {
        settings.discoverers = try file.reading("services", name) { octets throws(TokenError) in
          var reader = try MetadataReader()
          return try reader.consume(octets) + reader.finish()
        }
      }
      return settings
    }

    /// What is tied to sockets and stores that stay.
    ///
    /// - Throws: `gate.file-value` with the member that needs a restart.
    private static func checkReload(
      _ former: GateConfiguration, _ next: GateConfiguration
    ) throws(TokenError) {
      try BoundMember.check(
        [
          BoundMember("listen", former.listen.description, next.listen.description),
          BoundMember("operations", former.operations?.description, next.operations?.description),
          BoundMember("public", former.origin, next.origin),
          BoundMember("session.store", former.store, next.store),
          BoundMember("log", former.logsJSON, next.logsJSON),
        ], .gateValue)
    }

    /// Each sign-in and each refusal, and what could not be fetched or kept; not each fetch that went well.
    static func isLogged(_ activity: Activity) -> Bool {
      activity["code"] != nil
        || activity.isNamed(
          "signin.succeeded", "signin.claims-missing", "signin.warnings", "signin.unsolicited",
          "signout.demanded")
    }

    private static func service(
      _ keys: SAMLKeys, _ configuration: GateConfiguration, _ settings: SiteSettings
    ) throws(TokenError) -> ServiceProvider {
      var service = try keys.service(configuration.entityID, settings)
      let usesArtifacts = configuration.providers.contains {
        ($0.exchange as? SAMLConfiguration)?.usesArtifacts ?? false
      }
      // Offers artifacts in the metadata; each provider is asked over a boundary of its own.
      if usesArtifacts { service.backChannel = try AsyncHTTPClientTransport() }
      return service
    }
  }
#endif
