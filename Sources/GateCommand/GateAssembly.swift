#if Server
  import AsyncHTTPClientTransport
  import GateService
  import HummingbirdFederation
  import Octets
  import SQLiteSessions
  import SecurityKeys

  /// Makes a gate of its file.
  struct GateAssembly {
    let gate: Gate
    let counters: GateCounters
    let sessions: any SessionStore
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
        var providers: [SignInProvider] = []
        for provider in configuration.providers {
          providers.append(try Self.provider(provider, file, service, settings, keys, now))
        }
        var store: (sessions: any SessionStore, used: any ReplayStore) = (
          MemorySessionStore(), MemoryReplayStore(capacity: 1_000_000)
        )
        if case .sqlite(let path) = configuration.store {
          let sqlite = try SQLiteSessionStore(path: file.located(path))
          store = (sqlite, sqlite)
        }
        sessions = store.sessions
        let site = try SignInSite(
          settings, providers: providers, pages: MustachePages(title: configuration.origin.host),
          sessions: store.sessions, used: store.used, keys: try Self.cookieKeys(file),
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

    private static func provider(
      _ provider: GateConfiguration.Provider, _ file: GateFile, _ service: ServiceProvider,
      _ settings: SiteSettings, _ keys: [PrivateKey], _ now: Instant
    ) throws(TokenError) -> SignInProvider {
      var made: SignInProvider
      switch provider.exchange {
      case .saml(let metadata, let usesArtifacts):
        var service = service
        if usesArtifacts { service.answerBinding = .artifact }
        made = try saml(provider, metadata, file, service, now)
      case .wsFederation(let metadata, let realm):
        let party = try PassiveRelyingParty(
          realm: realm, reply: settings.address("wsfed"), decryptionKeys: keys,
          encryptionCertificates: keys.isEmpty ? [] : service.encryptionCertificates)
        if case .file(let name, let key, let entityID) = metadata {
          made = try .wsFederation(
            id: provider.id, name: provider.name, metadata: file.octets(name),
            signedBy: try key.map { (key) throws(TokenError) in try signers(key, file) },
            entityID: entityID, party: party, at: now)
        } else {
          let (source, copy) = try source(metadata, file)
          made = try .wsFederation(
            id: provider.id, name: provider.name, source: source,
            transport: AsyncHTTPClientTransport(), copy: copy, party: party)
        }
      case .openID(let issuer, let clientID, let secret):
        let transport = try AsyncHTTPClientTransport()
        let authentication: ClientAuthentication
        if let secret, secret.hasPrefix("file:") {
          let octets = try file.octets(String(secret.dropFirst(5)))
          let text = String(decoding: octets.filter { !ASCII.isWhiteSpace($0) }, as: UTF8.self)
          authentication = .basic(Secret(text))
        } else if secret == nil {
          authentication = .none
        } else {
          throw TokenError(
            .gateValue, node: "provider \(provider.id), clientSecret", expected: "file:NAME")
        }
        let client = OpenIDClient(
          clientID: clientID, authentication: authentication,
          redirectURI: try settings.address("openid/callback"))
        let registry = OpenIDRegistry(try OpenIDSource(issuer: issuer), transport: transport)
        made = SignInProvider(
          id: provider.id, name: provider.name ?? provider.id,
          openID: try OpenIDRelyingParty(client, provider: registry, transport: transport))
      }
      made.acceptsUnsolicited = provider.acceptsUnsolicited
      return made
    }

    private static func saml(
      _ provider: GateConfiguration.Provider, _ metadata: GateConfiguration.Provider.Metadata,
      _ file: GateFile, _ service: ServiceProvider, _ now: Instant
    ) throws(TokenError) -> SignInProvider {
      if case .file(let name, let key, let entityID) = metadata {
        return try .saml(
          id: provider.id, name: provider.name, metadata: file.octets(name),
          signedBy: try key.map { (key) throws(TokenError) in try signers(key, file) },
          entityID: entityID, service: service, at: now)
      }
      let (source, copy) = try source(metadata, file)
      return try .saml(
        id: provider.id, name: provider.name, source: source,
        transport: AsyncHTTPClientTransport(), copy: copy, service: service)
    }

    private static func signers(
      _ name: String, _ file: GateFile
    ) throws(TokenError) -> [TrustedKey] {
      [TrustedKey(try VerificationKey(pemOrDER: file.octets(name)))]
    }

    /// Metadata at an address, and where its last good copy is.
    private static func source(
      _ metadata: GateConfiguration.Provider.Metadata, _ file: GateFile
    ) throws(TokenError) -> (MetadataSource, FileCopy?) {
      func kept(_ name: String?) -> FileCopy? { name.map { FileCopy(path: file.located($0)) } }
      switch metadata {
      case .query(let base, let key, let entityID, let copy):
        let keys = try signers(key, file)
        return (try .query(base, entityID: entityID, signedBy: keys), kept(copy))
      case .address(let url, let key, let entityID, let copy):
        var proof = MetadataProof.server
        if let key { proof = .signature(try signers(key, file)) }
        return (MetadataSource(url, entityID: entityID, proof: proof), kept(copy))
      case .file(let name, _, _):
        throw TokenError(.gateValue, node: name, expected: "an address")
      }
    }

    /// The keys of cookies, a line of base64 each.
    private static func cookieKeys(_ file: GateFile) throws(TokenError) -> [[UInt8]]? {
      guard let name = file.configuration.cookieKeys else { return nil }
      var keys: [[UInt8]] = []
      for line in try file.octets(name).split(separator: ASCII.lineFeed) {
        keys.append(try Base64.decode(Array(line).span, whiteSpace: .skipped))
      }
      return keys
    }
  }
#endif
