import HTTPExchange
import IssuerRegistry
import JSONWebTokens
import LocalFiles
import SecurityKeys

extension OpenIDRegistration: ProtocolConfiguration {
  package static let member = "openID"

  package var metadataFile: String? { nil }

  package func provider(
    _ provider: ProviderConfiguration, _ service: ConfiguredService, at now: Instant
  ) throws(TokenError) -> SignInProvider {
    var keys: [SigningKey] = []
    if case .privateKey(let files) = authentication {
      for file in files { keys.append(try clientKey(file, service)) }
    }
    var client = OpenIDClient(
      clientID: clientID, authentication: try authentication(keys.first, service),
      redirectURI: try service.settings.openIDCallback(provider.address ?? provider.id))
    client.formerRedirectURIs = try ([provider.id] + provider.formerIDs).map {
      (name) throws(TokenError) in try service.settings.openIDCallback(name)
    }
    client.announcedKeys = Array(keys.dropFirst())
    client.scopes = scopes
    client.signingAlgorithms = algorithms
    client.prompt = prompt
    client.maxAge = maxAge
    client.contexts = contexts
    client.resources = resources
    client.responseMode = responseMode
    client.refreshInterval = refresh.map { Int64($0) }
    client.userInfo =
      switch userInfo {
      case true?: .always
      case false?: .never
      case nil: .forMissing(service.neededClaims)
      }
    client.emailDomains = emails
    client.decryptionKeys = try decryptKeys.map { (name) throws(TokenError) in
      try decryptionKey(name, beside: keys, service)
    }
    client.demandsEncryption = demandsEncryption
    let transport = try service.boundary(of: provider)
    client.otherAudiences = otherAudiences
    let source = try OpenIDSource(issuer: issuer, configuration: discovery)
    let registry =
      service.fetched(from: source, at: now)
      ?? OpenIDRegistry(source, transport: transport.forDocuments, observer: service.observer)
    return SignInProvider(
      id: provider.id, name: provider.name ?? provider.id,
      openID: try OpenIDRelyingParty(
        client, provider: registry, transport: transport, skew: provider.skew))
  }

  private func authentication(
    _ key: SigningKey?, _ service: ConfiguredService
  ) throws(TokenError) -> ClientAuthentication {
    switch authentication {
    case .basic(let file): return .basic(try service.folder.secret(file))
    case .post(let file): return .post(try service.folder.secret(file))
    case .privateKey, .none: break
    }
    return key.map { .privateKey($0, keyID: $0.publicKey.thumbprint) } ?? .none
  }

  /// A key to which a provider may encrypt. One that signs too would open what it signed for (RFC 7517, 4.2).
  private func decryptionKey(
    _ name: String, beside signing: [SigningKey], _ service: ConfiguredService
  ) throws(TokenError) -> DecryptionKey {
    do throws(TokenError) {
      let key = try PrivateKey(pemOrDER: service.folder.octets(name))
      guard !signing.contains(where: { $0.publicKey.isSameKey(as: key.publicKey) }) else {
        throw TokenError(
          .signInConfiguration, expected: "a key of its own", found: "the key of clientKey")
      }
      return DecryptionKey(key, keyID: key.publicKey.thumbprint)
    } catch {
      throw error.within("decryptKeys, \(service.folder.located(name))")
    }
  }

  /// A key by which we prove to a provider who we are.
  private func clientKey(
    _ name: String, _ service: ConfiguredService
  ) throws(TokenError) -> SigningKey {
    do throws(TokenError) {
      return try SigningKey(PrivateKey(pemOrDER: service.folder.octets(name)))
    } catch {
      throw error.within("clientKey, \(service.folder.located(name))")
    }
  }
}
