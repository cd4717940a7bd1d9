import Claims
import JSONWebTokens
import Octets
public import SecurityKeys
public import TokenBasics

/// A namespace of Access Control Service: relying parties, identity providers, rule groups, service identities and
/// keys. It issues tokens and knows neither network nor clock. It never changes; one object, since each request takes it.
public final class ServiceNamespace: Sendable {
  /// The name in its tokens, and the base of its addresses; ends with `/`, as old clients expect.
  public let issuer: String
  /// The applications.
  public let relyingParties: [RelyingParty]
  /// The identity providers.
  public let providers: [ACSIdentityProvider]
  /// The accounts of programs.
  public let identities: [ServiceIdentity]
  /// The authorization servers that take grants of this service.
  public let authorizationServers: [ResourceAuthorizationServer]
  /// The rule groups.
  public let ruleGroups: [RuleGroup]
  /// The keys.
  public let keys: NamespaceKeys
  /// What verifies assertions that were signed here.
  let verificationKeys: [TrustedKey]
  /// What verifies JSON Web Tokens that were signed here.
  let webVerificationKeys: [TrustedKey]
  /// What verifies tokens that were issued here to who has no key of its own.
  let ownIssuers: [TrustedIssuer]
  /// What signs JSON Web Tokens by an algorithm, and its `kid`. A digest of a key may take longer than a signature by it.
  let signers: [SignatureAlgorithm: NamespaceKeys.Signer]
  /// The realms whose tokens some client may exchange.
  private let exchangedRealms: Set<[UInt8]>
  /// The rules of each relying party, by its realm.
  private let engines: [[UInt8]: RuleEngine]

  /// A namespace.
  ///
  /// - Throws: `issuing.unknown-realm` for two relying parties of one realm, or one whose rule group is missing.
  public init(
    issuer: String, relyingParties: [RelyingParty], providers: [ACSIdentityProvider],
    identities: [ServiceIdentity] = [],
    authorizationServers: [ResourceAuthorizationServer] = [], ruleGroups: [RuleGroup],
    keys: NamespaceKeys
  ) throws(TokenError) {
    self.authorizationServers = authorizationServers
    verificationKeys = keys.certificates.map { TrustedKey(.certificate($0)) }
    webVerificationKeys = keys.published.map { key in
      TrustedKey(.publicKey(key.key), algorithms: [key.algorithm], keyID: key.keyID)
    }
    ownIssuers = Self.ownIssuers(
      issuer, verificationKeys, webVerificationKeys, secret: keys.symmetric, shared: nil)
    signers = keys.signers
    exchangedRealms = Self.exchangedRealms(relyingParties, identities, authorizationServers)
    self.issuer = issuer
    self.relyingParties = relyingParties
    self.providers = providers
    self.identities = identities
    self.ruleGroups = ruleGroups
    self.keys = keys
    var engines: [[UInt8]: RuleEngine] = [:]
    for party in relyingParties {
      var groups: [RuleGroup] = []
      for name in party.ruleGroups {
        guard let group = ruleGroups.first(where: { $0.name.hasSameBytes(as: name) }) else {
          throw TokenError(
            .issuingRealm, node: party.realm, expected: "a rule group \(TokenError.excerpt(name))")
        }
        groups.append(group)
      }
      let realm = Array(party.realm.utf8)
      guard engines.updateValue(RuleEngine(groups), forKey: realm) == nil else {
        throw TokenError(.issuingRealm, node: party.realm, expected: "a realm of its own")
      }
    }
    self.engines = engines
  }

  /// Refuses a group with a rule that gives what the tokens of a relying party keep for themselves: they would not have it.
  ///
  /// - Throws: `issuing.reserved-claim`.
  public func checkReserved(_ group: RuleGroup) throws(TokenError) {
    for party in relyingParties
    where party.ruleGroups.contains(where: { $0.hasSameBytes(as: group.name) }) {
      for (number, rule) in group.rules.enumerated() {
        guard let type = rule.outputType, ReservedClaims.contains(type, in: party.format) else {
          continue
        }
        throw TokenError(
          .issuingReservedClaim, node: "\(group.name), rule \(number + 1)",
          expected: "another type, since tokens of \(party.realm) keep this one",
          found: TokenError.excerpt(type.name))
      }
    }
  }

  /// Refuses rules that never come to an end within the passes, found on claims that meet each of them.
  ///
  /// - Throws: `rules.too-many-passes`.
  public func checkPasses() throws(TokenError) {
    for party in relyingParties {
      let rules = ruleGroups.filter { group in
        party.ruleGroups.contains { $0.hasSameBytes(as: group.name) }
      }.flatMap(\.rules)
      for source in [RuleIssuer.service] + providers.map({ RuleIssuer.provider($0.id) }) {
        var claims = rules.filter { $0.input.issuer == source }.prefix(RuleLimits().inputs - 1)
          .map { rule in
            Claim(rule.input.type ?? ClaimType.name, rule.input.value ?? "a value")
          }
        if source == .service { claims = identities.map { Claim(.nameIdentifier, $0.name) } }
        do throws(TokenError) {
          _ = try engine(of: party).evaluate(
            ClaimSet(Array(claims.prefix(RuleLimits().inputs))), from: source, issuer: issuer)
        } catch {
          guard error.code != .rulesTooManyPasses else { throw error }
        }
      }
    }
  }

  /// The relying party of a realm, octet for octet.
  ///
  /// - Throws: `issuing.unknown-realm`.
  public func relyingParty(_ realm: String) throws(TokenError) -> RelyingParty {
    guard let party = relyingParties.first(where: { $0.realm.hasSameBytes(as: realm) }) else {
      throw TokenError(.issuingRealm, found: TokenError.excerpt(realm))
    }
    return party
  }

  /// The relying party of a scope: that of the realm, or the one whose realm is the longest path above it, as a
  /// Service Bus namespace covers what is below it.
  ///
  /// - Throws: `issuing.unknown-realm`.
  public func relyingParty(scope: String) throws(TokenError) -> RelyingParty {
    if let party = try? relyingParty(scope) { return party }
    let octets = Array(scope.utf8)
    let above = relyingParties.filter { party in
      let realm = Array(party.realm.utf8)
      return realm.last == UInt8(ascii: "/") && octets.starts(with: realm)
    }
    guard let party = above.max(by: { $0.realm.utf8.count < $1.realm.utf8.count }) else {
      throw TokenError(.issuingRealm, found: TokenError.excerpt(scope))
    }
    return party
  }

  /// The identity providers of a relying party.
  public func providers(of party: RelyingParty) -> [ACSIdentityProvider] {
    guard let offered = party.providers else { return providers }
    return providers.filter { provider in
      offered.contains { $0.hasSameBytes(as: provider.id) }
    }
  }

  /// The identity provider of a relying party by the value of its identity provider claim.
  ///
  /// - Throws: `issuing.unknown-provider`.
  public func provider(_ id: String, of party: RelyingParty) throws(TokenError)
    -> ACSIdentityProvider
  {
    guard let provider = providers(of: party).first(where: { $0.id.hasSameBytes(as: id) }) else {
      throw TokenError(.issuingProvider, found: TokenError.excerpt(id))
    }
    return provider
  }

  /// Checks that a relying party still offers the provider at which a person signed in.
  ///
  /// - Throws: `issuing.unknown-provider`.
  func checkProvider(
    of subject: SignedInSubject, for party: RelyingParty
  ) throws(TokenError) {
    guard let provider = subject.source.name else { return }
    _ = try self.provider(provider, of: party)
  }

  /// The same namespace with other rule groups.
  ///
  /// - Throws: `issuing.unknown-realm` where the group of a relying party is missing.
  public func with(ruleGroups: [RuleGroup]) throws(TokenError) -> Self {
    try Self(
      issuer: issuer, relyingParties: relyingParties, providers: providers, identities: identities,
      authorizationServers: authorizationServers, ruleGroups: ruleGroups, keys: keys)
  }

  /// Whether some client may exchange the tokens of a realm, so that it has to be kept whom they are about.
  func isExchanged(_ realm: String) -> Bool { exchangedRealms.contains(Array(realm.utf8)) }

  private static func exchangedRealms(
    _ parties: [RelyingParty], _ identities: [ServiceIdentity],
    _ servers: [ResourceAuthorizationServer]
  ) -> Set<[UInt8]> {
    let clients = parties.flatMap(\.exchange.clients) + servers.flatMap(\.clients).map(\.own)
    let names =
      parties.map { ($0.realm, $0.clientNames) } + identities.map { ($0.name, $0.clientNames) }
    let audiences = names.filter { clients.containsBytes(of: $0.0) }.flatMap {
      [$0.0] + $0.1.audiences
    }
    return Set(audiences.map { Array($0.utf8) })
  }

  /// The rules of a relying party, to be tried without a token.
  public func rules(of party: RelyingParty) -> RuleEngine { engine(of: party) }

  func engine(of party: RelyingParty) -> RuleEngine {
    engines[Array(party.ownRealm.utf8)] ?? RuleEngine([])
  }
}

/// The keys of a namespace: with the current ones tokens are signed, the next ones are published beside them, so
/// that relying parties know them before they are used.
public struct NamespaceKeys: Sendable {
  /// Signs SAML, and JSON Web Tokens of relying parties without a symmetric key; nil for none.
  public var signing: SigningKey?
  /// Certificates that are published and do not sign yet, or do not sign any more.
  public var otherCertificates: [Certificate]
  /// Authenticates Simple Web Tokens; nil for none.
  public var symmetric: SymmetricKey?
  /// Sign JSON Web Tokens by other algorithms than RS256.
  public var web: [WebSigningKey]
  /// Makes the identifiers of subjects; nil for none. There is no rollover: with another key everybody is another.
  public var identifiers: SymmetricKey?

  /// Keys.
  public init(
    signing: SigningKey? = nil, otherCertificates: [Certificate] = [],
    symmetric: SymmetricKey? = nil, web: [WebSigningKey] = [], identifiers: SymmetricKey? = nil
  ) {
    self.web = web
    self.identifiers = identifiers
    self.signing = signing
    self.otherCertificates = otherCertificates
    self.symmetric = symmetric
  }

  /// The certificates to publish, that of the signing key first.
  public var certificates: [Certificate] {
    (signing?.certificate.map { [$0] } ?? []) + otherCertificates
  }

  /// The keys of the JWK set.
  var published: [PublishedKey] {
    certificates.map { certificate in
      PublishedKey(
        certificate.publicKey, keyID: ServiceNamespace.keyID(of: certificate),
        algorithm: .rsaSHA256)
    }
      + web.flatMap { keys in
        keys.publicKeys.map { PublishedKey($0, algorithm: keys.algorithm) }
      }
  }

  /// The algorithms by which ID tokens may be signed. Every provider has RS256 (OpenID Connect Core 1.0, 15.1).
  var webAlgorithms: [SignatureAlgorithm] { [.rsaSHA256] + web.map(\.algorithm) }

  /// What signs JSON Web Tokens, and its `kid`.
  typealias Signer = (key: SigningKey, keyID: String?)

  /// What signs JSON Web Tokens, by algorithm.
  var signers: [SignatureAlgorithm: Signer] {
    var signers: [SignatureAlgorithm: Signer] = [:]
    for keys in web.reversed() {
      signers[keys.algorithm] = (keys.signing, keys.signing.publicKey.thumbprint)
    }
    signers[.rsaSHA256] = signing.map {
      ($0, $0.certificate.map { ServiceNamespace.keyID(of: $0) })
    }
    return signers
  }
}
