import HTTPExchange
import IssuerRegistry
import LocalFiles
import SecurityKeys
import SignIn
import SignInAttack
import TestSupport

/// The sign-in site of this package, which trusts the providers of the driver.
final class TrustingSite: Sendable {
  private let name: AttackConfiguration.SignInProtocol
  private let provider: RogueProvider
  private let parties: [ProviderParty]
  private let clock: AdvancingTime
  private let registries = Mutexed<[OpenIDRegistry]>([])

  init(
    name: AttackConfiguration.SignInProtocol, provider: RogueProvider, parties: [ProviderParty],
    clock: AdvancingTime
  ) {
    self.clock = clock
    self.name = name
    self.provider = provider
    self.parties = parties
  }

  /// A site over what the providers' documents say now.
  func site() throws -> SignInSite {
    let settings = try SiteSettings(origin: HTTPURL(AttackFixture.service + "/").origin)
    return try SignInSite(
      settings, providers: parties.map { try trusted($0, settings) }, pages: FormPages(),
      clock: clock)
  }

  /// Reads the documents again. A document that is refused changes nothing.
  func reread(_ current: Mutexed<SignInSite>) async {
    if name == .openID {
      for registry in registries.current { await registry.refresh() }
    } else if isNamed, let site = try? site() {
      current.withLock { $0 = site }
    }
  }

  /// Whether the first provider's document is about the provider that the site was set up with.
  private var isNamed: Bool {
    let path = RogueProvider.Path.document(of: name)
    return String(decoding: document(path, .first), as: UTF8.self)
      .contains("entityID=\"\(AttackFixture.issuer)\"")
  }

  private func document(_ path: String, _ party: ProviderParty) -> [UInt8] {
    provider.respond(to: .get(party.prefix + path), at: clock.now).body
  }

  private func trusted(
    _ party: ProviderParty, _ settings: SiteSettings
  ) throws -> SignInProvider {
    let id = party == .first ? "test" : "second"
    switch name {
    case .saml20:
      // Two providers have one service provider: what tells their answers apart is the pending sign-in.
      let pair = try AttackFixture.keys.get().other
      let service = try ServiceProvider(
        entityID: AttackFixture.service + "/saml", consumer: settings.address("saml/acs"),
        logout: settings.address("saml/slo"),
        signingKeys: [SigningKey(pair.key, certificate: pair.certificate)])
      return try .saml(
        id: id, metadata: document("/metadata", party), service: service, at: clock.now)
    case .wsFederation:
      return try .wsFederation(
        id: id, metadata: document("/FederationMetadata/2007-06/FederationMetadata.xml", party),
        party: PassiveRelyingParty(realm: "urn:app", reply: settings.address("wsfed")),
        at: clock.now)
    case .openID: return try openID(party, id, settings)
    }
  }

  private func openID(
    _ party: ProviderParty, _ id: String, _ settings: SiteSettings
  ) throws -> SignInProvider {
    let provider = provider
    let clock = clock
    let back = ScriptedTransport { (request) throws(TokenError) in
      provider.respond(to: AttackFixture.webRequest(request), at: clock.now)
    }
    let registry = OpenIDRegistry(
      try OpenIDSource(issuer: AttackFixture.issuer + party.prefix), transport: back, clock: clock,
      jitter: { 0 })
    registries.withLock { $0.append(registry) }
    return SignInProvider(
      id: id, name: id,
      openID: try OpenIDRelyingParty(
        OpenIDClient(
          clientID: "app", authentication: .none, redirectURI: settings.openIDCallback(id)),
        provider: registry, transport: back))
  }
}
