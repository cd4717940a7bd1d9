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
        try file.checkPeople(site.providers, at: now)
        let tokens = configuration.tokens.map {
          TokenAuthenticator(FileRegistry(trustFile: file.located($0)))
        }
        gate = Gate(
          site: site, proxy: configuration.proxy, peers: configuration.peers,
          rules: configuration.rules, headers: IdentityHeaders(configuration.headers),
          people: configuration.people ?? .shared, tokens: tokens, observer: counters)
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
      var certificates: [Certificate] = []
      for name in configuration.certificates { certificates.append(try file.certificate(name)) }
      func certificate(of key: PublicKey) -> Certificate? {
        certificates.first { $0.publicKey.isSameKey(as: key) }
      }
      var signing: [SigningKey] = []
      for name in configuration.signingKeys {
        let key = try file.privateKey(name)
        guard let certificate = certificate(of: key.publicKey) else {
          throw TokenError(
            .gateValue, node: name, expected: "the certificate of this key in certificates",
            found: configuration.certificates.isEmpty
              ? "none" : configuration.certificates.joined(separator: ", "))
        }
        signing.append(try SigningKey(key, certificate: certificate))
      }
      let encryption = keys.compactMap { certificate(of: $0.publicKey) }
      for (name, certificate) in zip(configuration.certificates, certificates) {
        let isUsed =
          signing.contains { $0.publicKey.isSameKey(as: certificate.publicKey) }
          || keys.contains { $0.publicKey.isSameKey(as: certificate.publicKey) }
        guard isUsed else {
          throw TokenError(
            .gateValue, node: name,
            expected: "the certificate of a key in signingKeys or decryptKeys")
        }
      }
      var service = try ServiceProvider(
        entityID: configuration.entityID, consumer: settings.address("saml/acs"),
        logout: settings.address("saml/slo"), signingKeys: signing, decryptionKeys: keys,
        encryptionCertificates: encryption)
      let usesArtifacts = configuration.providers.contains { provider in
        if case .saml(_, true) = provider.exchange { true } else { false }
      }
      if usesArtifacts { service.backChannel = try AsyncHTTPClientTransport() }
      return service
    }
  }
#endif
