#if Server
  import FederationNetwork
  import CommandServer
  import CommandSupport
  import GateService
  import HummingbirdFederation
  import SecurityKeys

  /// Makes a gate of its file.
  struct GateAssembly {
    /// What the gate is made for.
    enum Purpose {
      /// To serve.
      case run
      /// To say what is wrong: everything is read that serving reads, and nothing is written.
      case check
    }

    let gate: Gate
    let counters: GateCounters
    let stores: GateStores
    let configuration: GateConfiguration
    /// Trusts the issuers of bearer tokens; nil where none are accepted.
    let tokens: FileRegistry?
    /// What is legal and probably not meant.
    let warnings: [String]

    /// - Throws: exit status 2.
    init(_ file: GateFile, _ purpose: Purpose) throws(CommandFailure) {
      let configuration = file.configuration
      self.configuration = configuration
      let counters = GateCounters(StandardErrorLog(where: Self.isLogged))
      self.counters = counters
      do throws(TokenError) {
        let now = SystemTime().now
        var settings = try SiteSettings(
          origin: configuration.origin, prefix: configuration.prefix)
        settings.lifetime = Int64(configuration.lifetime)
        settings.idle = Int64(configuration.idle)
        settings.discovery = configuration.discovery.map(DiscoveryService.init)
        if let name = configuration.services {
          settings.discoverers = try file.reading("services", name) { octets throws(TokenError) in
            var reader = try MetadataReader()
            return try reader.consume(octets) + reader.finish()
          }
        }
        let own = try OwnKeys(file)
        let service = try Self.service(own, configuration, settings)
        let assembly = ProviderAssembly(
          file, service: service, settings: settings, keys: own.decryption,
          neededClaims: configuration.neededClaims, observer: counters)
        var providers: [SignInProvider] = []
        for provider in configuration.providers {
          do throws(TokenError) {
            providers.append(try assembly.provider(provider, at: now))
          } catch {
            throw error.within("provider \(provider.id)")
          }
        }
        let keys = try file.cookieKeys()
        switch purpose {
        case .run: stores = try GateStores(file, observer: counters)
        case .check: stores = try GateStores(checking: file)
        }
        let site = try SignInSite(
          settings, providers: providers, pages: MustachePages(title: configuration.origin.host),
          sessions: stores.sessions, used: stores.used, keys: keys, observer: counters)
        tokens = configuration.tokens.map {
          FileRegistry(trustFile: file.located($0), observer: counters)
        }
        if let tokens, tokens.readyTrust(at: now) == nil {
          throw (tokens.health(at: now).first?.lastError ?? TokenError(.registryUnavailable))
            .within("tokens, \(configuration.tokens ?? "")")
        }
        try file.checkPeople(site.providers, at: now)
        let identity = try file.identityToken(settings, apart: own, site.providers)
        gate = Gate(
          site: site, proxy: configuration.proxy, peers: configuration.peers,
          rules: configuration.rules, headers: IdentityHeaders(configuration.headers),
          identity: identity,
          people: configuration.people ?? .shared, tokens: tokens.map { TokenAuthenticator($0) },
          observer: counters)
        warnings = configuration.warnings + own.warnings + file.openSecrets
      } catch {
        throw CommandFailure(usage: error)
      }
    }

    /// Writes the warnings to standard error.
    func warn() {
      for warning in warnings { CommandMessages.own.warning(warning) }
    }

    /// Each sign-in and each refusal, and what could not be fetched or kept; not each fetch that went well.
    static func isLogged(_ activity: Activity) -> Bool {
      activity.attributes.contains { "\($0.name)" == "code" }
        || ["signin.succeeded", "signin.unsolicited", "signout.demanded"]
          .contains("\(activity.name)")
    }

    private static func service(
      _ own: OwnKeys, _ configuration: GateConfiguration, _ settings: SiteSettings
    ) throws(TokenError) -> ServiceProvider {
      var service = try ServiceProvider(
        entityID: configuration.entityID, consumer: settings.address("saml/acs"),
        logout: settings.address("saml/slo"), signingKeys: own.signing,
        decryptionKeys: own.decryption, encryptionCertificates: own.encryptionCertificates)
      let usesArtifacts = configuration.providers.contains { provider in
        if case .saml(_, true) = provider.exchange { true } else { false }
      }
      if usesArtifacts { service.backChannel = try AsyncHTTPClientTransport() }
      return service
    }
  }
#endif
