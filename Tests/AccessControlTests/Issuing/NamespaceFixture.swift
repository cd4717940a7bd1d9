import AccessControl
import HTTPExchange
import SecurityKeys
import TestSupport
import TokenBasics

/// A namespace with a relying party for each format, and keys that are made for the test.
struct NamespaceFixture {
  static let realms: [(String, TokenFormat)] = [
    ("uri:swt", .swt), ("uri:jwt", .jwt), ("uri:jwt-secret", .jwt), ("uri:saml1", .saml11),
    ("uri:saml2", .saml20), ("uri:encrypted", .saml20),
  ]
  static let mia = [
    Claim(.nameIdentifier, "mia-1"), Claim(.emailAddress, "mia@example.org"),
    Claim("urn:team", "secret-team"),
  ]

  let namespace: ServiceNamespace
  let signing: SigningKey
  let identityKey: SigningKey
  let recipientKey: PrivateKey
  let secret = [UInt8](repeating: 7, count: 32)
  let identitySecret = [UInt8](repeating: 8, count: 32)
  private let parties: [RelyingParty]
  private let identities: [ServiceIdentity]

  init() throws {
    let (signing, _) = try Self.pair("ns")
    let (identityKey, _) = try Self.pair("identity")
    let (_, recipientKey) = try Self.pair("recipient")
    self.signing = signing
    self.identityKey = identityKey
    self.recipientKey = recipientKey
    var parties = Self.realms.map { realm, format in
      RelyingParty(realm: realm, format: format, ruleGroups: ["default"])
    }
    parties[0].returnAddresses = [
      try HTTPURL("https://talks.example/signin"), try HTTPURL("http://127.0.0.1/back"),
    ]
    parties[2].key = try SymmetricKey(bytes: secret)
    let certificate = try Certificate(
      selfSigning: recipientKey, name: "recipient", notBefore: Instant(secondsSinceEpoch: 0),
      notAfter: Instant(secondsSinceEpoch: 2_000_000_000))
    parties[5].requiresEncryption = true
    parties[5].recipient = try EncryptionRecipient(certificate)
    for (realm, format) in [("uri:unencrypted", TokenFormat.saml20), ("uri:encrypted-swt", .swt)] {
      var party = RelyingParty(realm: realm, format: format, ruleGroups: ["default"])
      party.requiresEncryption = true
      parties.append(party)
    }
    parties.append(
      RelyingParty(realm: "http://bus.example/", format: .swt, ruleGroups: ["bus"]))
    self.parties = parties
    var uploader = ServiceIdentity(
      name: "uploader", password: Secret("open sesame"),
      key: try SymmetricKey(bytes: identitySecret))
    uploader.redirectAddresses = [try HTTPURL("https://app.example/code")]
    var keyless = ServiceIdentity(name: "keyless")
    keyless.certificate = identityKey.certificate
    identities = [uploader, keyless]
    namespace = try Self.made(
      parties, identities, Self.groups,
      NamespaceKeys(signing: signing, symmetric: SymmetricKey(bytes: secret)))
  }

  func with(keys: NamespaceKeys) throws -> ServiceNamespace {
    try Self.made(parties, identities, Self.groups, keys)
  }

  func with(
    groups: [RuleGroup], keys: NamespaceKeys = NamespaceKeys()
  ) throws -> ServiceNamespace {
    try Self.made(parties, identities, groups, keys)
  }

  private static func made(
    _ parties: [RelyingParty], _ identities: [ServiceIdentity], _ groups: [RuleGroup],
    _ keys: NamespaceKeys
  ) throws -> ServiceNamespace {
    try ServiceNamespace(
      issuer: "https://ns.example/", relyingParties: parties,
      providers: [
        ACSIdentityProvider(
          id: "Google", name: "Google",
          .testPeople([TestPerson(name: "Mia", claims: ClaimSet(Self.mia))]))
      ], identities: identities, ruleGroups: groups, keys: keys)
  }

  private static let groups: [RuleGroup] = {
    var group = RuleGroup("default")
    group.generate(for: .google)
    group.rules.append(
      ClaimRule(
        ClaimCondition(.provider("Google"), type: .emailAddress, value: "mia@example.org"),
        outputType: .role, outputValue: "editor"))
    let bus = RuleGroup(
      "bus",
      rules: [
        ClaimRule(
          ClaimCondition(.service, type: .nameIdentifier, value: "uploader"),
          outputType: "net.windows.servicebus.action", outputValue: "Send")
      ])
    return [group, bus]
  }()

  /// What a relying party of that realm trusts.
  func trusted(_ realm: String) -> TrustedIssuer {
    let isSecret = realm == "uri:swt" || realm == "uri:jwt-secret"
    let key: VerificationKey? =
      isSecret
      ? (try? SymmetricKey(bytes: secret)).map { .secret($0) }
      : signing.certificate.map { .certificate($0) }
    return TrustedIssuer(
      "https://ns.example/", keys: key.map { [$0] } ?? [],
      formats: isSecret ? [.swt, .jwt] : [.jwt, .saml11, .saml20])
  }

  /// A Simple Web Token of these pairs, as a client makes it.
  func macced(_ pairs: String, _ key: [UInt8]) throws -> [UInt8] {
    let mac = try SymmetricKey(bytes: key).authenticate(pairs.utf8.span, with: .sha256) ?? []
    return Array((pairs + "&HMACSHA256=" + FormEncoding.encode(Base64.encode(mac))).utf8)
  }

  private static func pair(_ name: String) throws -> (SigningKey, PrivateKey) {
    let pair = try KeyPairs.pair(name)
    return (pair.signing, pair.private)
  }
}
