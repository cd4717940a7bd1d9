#if Server
  import FederationNetwork
  package import Federation
  import HTTPExchange
  import LocalFiles
  package import CommandSupport
  import JSONWebTokens
  import Octets
  package import SecurityKeys
  package import SignIn

  /// Makes identity providers of what configuration files say: reads metadata, or fetches and refreshes it.
  package struct ProviderAssembly {
    private let folder: any ConfigurationFolder
    private let service: ServiceProvider
    private let settings: SiteSettings
    private let keys: [PrivateKey]
    private let neededClaims: [[ClaimType]]
    private let observer: any ActivityObserver

    /// - Parameters:
    ///   - service: Our side of SAML.
    ///   - keys: Decrypt assertions.
    ///   - neededClaims: The claims that the service uses, each by the types that it may have: UserInfo is read for them.
    ///   - observer: Hears of what is fetched, and of what cannot be.
    package init(
      _ folder: any ConfigurationFolder, service: ServiceProvider, settings: SiteSettings,
      keys: [PrivateKey] = [], neededClaims: [[ClaimType]] = [],
      observer: any ActivityObserver = NoObserver()
    ) {
      self.folder = folder
      self.service = service
      self.settings = settings
      self.keys = keys
      self.neededClaims = neededClaims
      self.observer = observer
    }

    /// The provider that a configuration describes.
    ///
    /// - Throws: The folder's code for a value that is refused, `key.*`, `xml.*`, `registry.*` and other errors of
    ///   metadata.
    package func provider(
      _ provider: ProviderConfiguration, at now: Instant
    ) throws(TokenError) -> SignInProvider {
      do throws(TokenError) {
        return try made(provider, at: now)
      } catch {
        // A document that cannot be read does not know its own name.
        guard let file = provider.metadataFile.map(folder.located), error.node != file else {
          throw error
        }
        throw error.within(file)
      }
    }

    private func made(
      _ provider: ProviderConfiguration, at now: Instant
    ) throws(TokenError) -> SignInProvider {
      var made: SignInProvider
      switch provider.exchange {
      case .saml(let metadata, let usesArtifacts):
        var service = service
        if usesArtifacts { service.answerBinding = .artifact }
        made = try saml(provider, metadata, service, now)
      case .wsFederation(let metadata, let realm):
        let party = try PassiveRelyingParty(
          realm: realm, reply: settings.address("wsfed"), decryptionKeys: keys,
          encryptionCertificates: keys.isEmpty ? [] : service.encryptionCertificates)
        if case .file(let name, let key, let entityID) = metadata {
          made = try .wsFederation(
            id: provider.id, name: provider.name, metadata: folder.octets(name),
            signedBy: try key.map { (key) throws(TokenError) in try signers(key) },
            entityID: entityID, party: party, at: now)
        } else {
          let (source, copy) = try source(metadata)
          made = try .wsFederation(
            id: provider.id, name: provider.name, source: source,
            transport: AsyncHTTPClientTransport(), copy: copy, party: party, observer: observer)
        }
      case .openID(let issuer, let registration):
        made = try openID(provider, issuer, registration)
      }
      made.acceptsUnsolicited = provider.acceptsUnsolicited
      return made
    }

    private func openID(
      _ provider: ProviderConfiguration, _ issuer: String, _ registration: OpenIDRegistration
    ) throws(TokenError) -> SignInProvider {
      var keys: [SigningKey] = []
      if case .privateKey(let files) = registration.authentication {
        for file in files { keys.append(try clientKey(file)) }
      }
      var client = OpenIDClient(
        clientID: registration.clientID,
        authentication: try authentication(registration, keys.first),
        redirectURI: try settings.openIDCallback(provider.id))
      client.announcedKeys = Array(keys.dropFirst())
      client.scopes = registration.scopes
      client.signingAlgorithms = registration.algorithms
      client.prompt = registration.prompt
      client.maxAge = registration.maxAge
      client.contexts = registration.contexts
      client.resources = registration.resources
      client.responseMode = registration.responseMode
      client.refreshInterval = registration.refresh.map { Int64($0) }
      client.userInfo =
        switch registration.userInfo {
        case true?: .always
        case false?: .never
        case nil: .forMissing(neededClaims)
        }
      client.emailDomains = registration.emails
      let transport = try AsyncHTTPClientTransport()
      let registry = OpenIDRegistry(
        try OpenIDSource(issuer: issuer), transport: transport, observer: observer)
      return SignInProvider(
        id: provider.id, name: provider.name ?? provider.id,
        openID: try OpenIDRelyingParty(client, provider: registry, transport: transport))
    }

    private func authentication(
      _ registration: OpenIDRegistration, _ key: SigningKey?
    ) throws(TokenError) -> ClientAuthentication {
      switch registration.authentication {
      case .basic(let file): return .basic(try folder.secret(file))
      case .post(let file): return .post(try folder.secret(file))
      case .privateKey, .none: break
      }
      return key.map { .privateKey($0, keyID: $0.publicKey.thumbprint) } ?? .none
    }

    /// A key by which we prove to a provider who we are.
    private func clientKey(_ name: String) throws(TokenError) -> SigningKey {
      do throws(TokenError) {
        return try SigningKey(PrivateKey(pemOrDER: folder.octets(name)))
      } catch {
        throw error.within("clientKey, \(folder.located(name))")
      }
    }

    private func saml(
      _ provider: ProviderConfiguration, _ metadata: ProviderConfiguration.Metadata,
      _ service: ServiceProvider, _ now: Instant
    ) throws(TokenError) -> SignInProvider {
      if case .file(let name, let key, let entityID) = metadata {
        return try .saml(
          id: provider.id, name: provider.name, metadata: folder.octets(name),
          signedBy: try key.map { (key) throws(TokenError) in try signers(key) },
          entityID: entityID, service: service, at: now)
      }
      let (source, copy) = try source(metadata)
      return try .saml(
        id: provider.id, name: provider.name, source: source,
        transport: AsyncHTTPClientTransport(), copy: copy, service: service, observer: observer)
    }

    private func signers(
      _ name: String
    ) throws(TokenError) -> [TrustedKey] {
      [TrustedKey(try VerificationKey(pemOrDER: folder.octets(name)))]
    }

    /// Metadata at an address, and where its last good copy is.
    private func source(
      _ metadata: ProviderConfiguration.Metadata
    ) throws(TokenError) -> (MetadataSource, FileCopy?) {
      func kept(_ name: String?) -> FileCopy? { name.map { FileCopy(path: folder.located($0)) } }
      switch metadata {
      case .query(let base, let key, let entityID, let copy):
        let keys = try signers(key)
        return (try .query(base, entityID: entityID, signedBy: keys), kept(copy))
      case .address(let url, let key, let entityID, let copy):
        var proof = MetadataProof.server
        if let key { proof = .signature(try signers(key)) }
        return (MetadataSource(url, entityID: entityID, proof: proof), kept(copy))
      case .file(let name, _, _):
        throw TokenError(type(of: folder).valueCode, node: name, expected: "an address")
      }
    }
  }

  extension ConfigurationFolder {
    /// The secret in a file.
    ///
    /// - Throws: ``valueCode`` for none.
    package func secret(_ name: String) throws(TokenError) -> Secret {
      guard let text = SecretText.of(try octets(name)) else {
        throw TokenError(Self.valueCode, node: name, expected: "a secret", found: "no text")
      }
      return Secret(text)
    }

    /// The certificate that a file of such a folder holds.
    ///
    /// - Throws: ``valueCode`` for another kind of key, `key.*`.
    package static func certificate(_ octets: [UInt8]) throws(TokenError) -> Certificate {
      let key = try VerificationKey(pemOrDER: octets)
      guard case .certificate(let certificate) = key.material else {
        throw TokenError(valueCode, expected: "a certificate", found: key.kindName)
      }
      return certificate
    }
  }

  extension ProviderConfiguration {
    /// The file of metadata; nil for metadata at an address, or none.
    fileprivate var metadataFile: String? {
      switch exchange {
      case .saml(.file(let name, _, _), _), .wsFederation(.file(let name, _, _), _): name
      default: nil
      }
    }
  }
#endif
