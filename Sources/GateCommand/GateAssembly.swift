#if Server
  import AsyncHTTPClientTransport
  import GateService
  import HummingbirdFederation
  import ProviderAssembly
  import SecurityKeys

  /// Makes a gate of its file.
  struct GateAssembly {
    let gate: Gate
    let counters: GateCounters
    let sessions: any SessionStore
    let stores: GateStores
    let configuration: GateConfiguration

    /// - Throws: ``GateFailure``.
    init(_ file: GateFile) throws(GateFailure) {
      configuration = file.configuration
      counters = GateCounters(StandardErrorLog())
      do throws(TokenError) {
        let now = SystemTime().now
        var settings = try SiteSettings(
          origin: configuration.origin, prefix: configuration.prefix)
        settings.lifetime = Int64(configuration.lifetime)
        settings.idle = Int64(configuration.idle)
        settings.discovery = configuration.discovery.map(DiscoveryService.init)
        if let name = configuration.services {
          var reader = try MetadataReader()
          settings.discoverers = try reader.consume(file.octets(name))
          settings.discoverers += try reader.finish()
        }
        let keys = try Self.decryptionKeys(file)
        let service = try Self.service(file, settings, keys)
        let assembly = ProviderAssembly(file, service: service, settings: settings, keys: keys)
        var providers: [SignInProvider] = []
        for provider in configuration.providers {
          providers.append(try assembly.provider(provider, at: now))
        }
        let store = try GateStores(file)
        stores = store
        sessions = store.sessions
        let site = try SignInSite(
          settings, providers: providers, pages: MustachePages(title: configuration.origin.host),
          sessions: store.sessions, used: store.used, keys: try GateStores.cookieKeys(file),
          observer: counters)
        let tokens = configuration.tokens.map {
          TokenAuthenticator(FileRegistry(trustFile: file.located($0)))
        }
        gate = Gate(
          site: site, proxy: configuration.proxy, peers: configuration.peers,
          rules: configuration.rules, headers: IdentityHeaders(configuration.headers),
          tokens: tokens, observer: counters)
      } catch {
        throw GateFailure([error])
      }
    }

    private static func decryptionKeys(_ file: GateFile) throws(TokenError) -> [PrivateKey] {
      var keys: [PrivateKey] = []
      for name in file.configuration.decryptKeys { keys.append(try file.privateKey(name)) }
      return keys
    }

    private static func service(
      _ file: GateFile, _ settings: SiteSettings, _ keys: [PrivateKey]
    ) throws(TokenError) -> ServiceProvider {
      let configuration = file.configuration
      var signing: [SigningKey] = []
      var certificates: [Certificate] = []
      if let name = configuration.certificate { certificates.append(try file.certificate(name)) }
      if let name = configuration.signingKey {
        signing.append(try SigningKey(try file.privateKey(name), certificate: certificates.first))
      }
      var service = try ServiceProvider(
        entityID: configuration.entityID, consumer: settings.address("saml/acs"),
        logout: settings.address("saml/slo"), signingKeys: signing, decryptionKeys: keys,
        encryptionCertificates: keys.isEmpty ? [] : certificates)
      let usesArtifacts = configuration.providers.contains { provider in
        if case .saml(_, true) = provider.exchange { true } else { false }
      }
      if usesArtifacts { service.backChannel = try AsyncHTTPClientTransport() }
      return service
    }

    /// The keys of cookies, a line of base64 each.
  }
#endif
