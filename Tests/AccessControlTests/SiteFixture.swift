import AccessControl
import HTTPExchange
import SecurityKeys
import TestSupport
import Testing
import TokenBasics

/// A site with test people, three relying parties and a program.
struct SiteFixture {
  static let now = Instant(secondsSinceEpoch: 1_893_455_400)
  let site: AccessControlSite
  let clock = ManualTime(SiteFixture.now)
  let secret = [UInt8](repeating: 7, count: 32)
  let signing: SigningKey
  let kept = KeptRules()
  let used = MemoryReplayStore(capacity: 100_000)
  let values: MemoryValueStore

  init(
    limit: Int? = nil, keys: Bool = true, mostValues: Int = 1_000_000, admins: [Admin] = [],
    adminOrigin: HTTPOrigin? = nil, values: MemoryValueStore? = nil
  ) throws {
    let values = values ?? MemoryValueStore(capacity: mostValues)
    self.values = values
    signing = try KeyPairs.pair("acs").signing
    let namespace = try ServiceNamespace(
      issuer: "https://acs.example/", relyingParties: Self.parties(), providers: Self.providers,
      identities: Self.identities(), ruleGroups: Self.groups,
      keys: keys
        ? NamespaceKeys(
          signing: signing, symmetric: SymmetricKey(bytes: secret),
          identifiers: SymmetricKey(bytes: Self.identifiers))
        : NamespaceKeys())
    let kept = kept
    let rules = RuleEditor(Self.groups) { groups throws(TokenError) in try kept.write(groups) }
    site = try Self.site(
      namespace, clock, used, values, rates: RequestRates(all: limit), admins: admins,
      adminOrigin: adminOrigin, rules: rules)
  }

  static let identifiers = [UInt8](repeating: 9, count: 32)

  /// A site whose every clock is that of the test.
  private static func site(
    _ namespace: ServiceNamespace, _ clock: ManualTime, _ used: MemoryReplayStore,
    _ values: MemoryValueStore, rates: RequestRates = RequestRates(),
    registration: ClientRegistration? = nil, transport: (any HTTPTransport)? = nil,
    admins: [Admin] = [], adminOrigin: HTTPOrigin? = nil, rules: RuleEditor? = nil,
    observer: any ActivityObserver = NoObserver()
  ) throws -> AccessControlSite {
    try AccessControlSite(
      NamespaceStore(namespace), pages: PlainPages(), upstream: nil, used: used, values: values,
      key: [UInt8](repeating: 6, count: 32), rates: rates, registration: registration,
      transport: transport, adminPassword: Secret("admin password"), admins: admins,
      adminOrigin: adminOrigin,
      rules: rules, clock: clock,
      uptime: Uptime { .milliseconds(clock.now.milliseconds(since: Self.now)) },
      observer: observer, random: RandomSource())
  }

  /// Another namespace, with the same clock and pages.
  init(
    _ namespace: ServiceNamespace, rates: RequestRates = RequestRates(),
    registration: ClientRegistration? = nil, transport: (any HTTPTransport)? = nil,
    observer: any ActivityObserver = NoObserver()
  ) throws {
    signing = try KeyPairs.pair("acs").signing
    values = MemoryValueStore()
    site = try Self.site(
      namespace, clock, used, values, rates: rates, registration: registration,
      transport: transport, observer: observer)
  }

  private static func parties() throws -> [RelyingParty] {
    var talks = RelyingParty(
      realm: "uri:talks.example.org", name: "Talks", format: .swt, ruleGroups: ["default"])
    talks.returnAddresses = [
      try HTTPURL("https://talks.example.org/signin"), try HTTPURL("https://talks.example.org/two"),
    ]
    talks.listedProtocols = Set(PartyProtocol.allCases)
    var errors = RelyingParty(
      realm: "uri:errors", name: "Errors", format: .saml20, ruleGroups: ["default"])
    errors.returnAddresses = [try HTTPURL("https://errors.example/signin")]
    errors.errorAddress = try HTTPURL("https://errors.example/error")
    errors.providers = ["Google"]
    errors.listedProtocols = Set(PartyProtocol.allCases).subtracting([.saml])
    var silent = RelyingParty(realm: "uri:silent", format: .jwt, ruleGroups: [])
    silent.returnAddresses = [try HTTPURL("https://silent.example/")]
    var client = RelyingParty(
      realm: "client", name: "Client", format: .jwt, ruleGroups: ["default"])
    client.returnAddresses = [try HTTPURL("https://client.example/callback")]
    client.clientSecret = Secret("client secret")
    var app = RelyingParty(realm: "app", name: "App", format: .jwt, ruleGroups: ["default"])
    app.returnAddresses = [try HTTPURL("http://127.0.0.1/callback")]
    app.listedProtocols = errors.listedProtocols
    return [talks, errors, silent, client, app].map { party in
      var party = party
      party.exchange.draft13Clients = ["uploader"]
      return party
    } + (try services())
  }

  /// Two SAML service providers: `urn:sp` signs its requests, `urn:plain` does not and has its assertions encrypted.
  private static func services() throws -> [RelyingParty] {
    try [("urn:sp", true), ("urn:plain", false)].map { name, signs in
      let service = try Self.service(name, signs: signs)
      var reader = try MetadataReader()
      let document = try service.metadata().document()
      let entities = try reader.consume(document) + reader.finish()
      var party = RelyingParty(realm: name, format: .saml20, ruleGroups: ["default"])
      party.serviceProvider = entities.first.flatMap { SAMLServiceProvider($0) }
      if !signs, let certificate = party.serviceProvider?.encryptionCertificate {
        party.requiresEncryption = true
        party.recipient = try EncryptionRecipient(certificate)
      }
      return party
    }
  }

  static func service(_ name: String, signs: Bool) throws -> ServiceProvider {
    let key = try PrivateKey(pemOrDER: TestVector.bytes("keys/idp-rsa.key"))
    let certificate = try Certificate(
      selfSigning: key, name: "sp", notBefore: Instant(secondsSinceEpoch: 0),
      notAfter: Instant(secondsSinceEpoch: 2_000_000_000))
    return try ServiceProvider(
      entityID: name, consumer: HTTPURL("https://sp.example/acs"),
      logout: HTTPURL("https://sp.example/slo"),
      signingKeys: signs ? [SigningKey(key, certificate: certificate)] : [],
      decryptionKeys: [key], encryptionCertificates: [certificate])
  }

  private static let providers: [ACSIdentityProvider] = {
    var google = ACSIdentityProvider(
      id: "Google", name: "Google",
      .testPeople([
        TestPerson(
          name: "Mia",
          claims: ClaimSet([
            Claim(.nameIdentifier, "https://www.google.com/accounts/o8/id?id=1"),
            Claim(.emailAddress, "mia@example.org"), Claim(.name, "Mia"),
          ])),
        TestPerson(
          name: "Tom",
          claims: ClaimSet([
            Claim(.nameIdentifier, "tom"), Claim(.emailAddress, "tom@example.com"),
          ])),
      ]))
    google.errors = .openID
    google.mailDomains = ["example.org"]
    var corporate = ACSIdentityProvider(
      id: "http://fs.example.org/trust", name: "Corp", .testPeople([]))
    corporate.emailSuffixes = ["example.org", "example.net"]
    return [google, corporate]
  }()

  /// A certificate of the vectors.
  static func certificate(_ name: String) throws -> Certificate {
    let block = try #require(try PEM.onlyBlock(of: TestVector.bytes("keys/\(name).crt")))
    return try Certificate(der: block.bytes)
  }

  private static func identities() throws -> [ServiceIdentity] {
    var uploader = ServiceIdentity(
      name: "uploader", password: Secret("pass word"),
      key: try SymmetricKey(bytes: [UInt8](repeating: 8, count: 32)))
    uploader.redirectAddresses = [try HTTPURL("https://app.example/code")]
    let certified = try ["idp-rsa", "expired"].map { name in
      var identity = ServiceIdentity(name: name)
      identity.certificate = try certificate(name)
      return identity
    }
    return [uploader] + certified
  }

  private static let groups: [RuleGroup] = {
    var group = RuleGroup("default")
    group.generate(for: .google)
    group.rules.append(
      ClaimRule(ClaimCondition(.service, type: .nameIdentifier), outputType: "urn:program"))
    return [group]
  }()

  /// A namespace whose rule group `all` passes every claim of the provider `up`.
  static func namespacePassingAll(to parties: [RelyingParty]) throws -> ServiceNamespace {
    try ServiceNamespace(
      issuer: "https://acs.example/", relyingParties: parties,
      providers: [ACSIdentityProvider(id: "up", name: "Up", .testPeople([]))],
      ruleGroups: [RuleGroup("all", rules: [ClaimRule(ClaimCondition(.provider("up")))])],
      keys: NamespaceKeys(
        signing: try SiteFixture().signing,
        identifiers: SymmetricKey(bytes: SiteFixture.identifiers)))
  }

  // MARK: Requests

  /// What the metadata of the site says of its side of SAML.
  func identityProvider() async throws -> IdentityProvider {
    let response = try await get("/v2/saml/metadata")
    var reader = try MetadataReader()
    let entities = try reader.consume(response.body) + reader.finish()
    let entity = try #require(entities.first)
    return try #require(try IdentityProvider(entity))
  }

  func get(_ target: String, cookies: String? = nil) async throws -> HTTPExchange.HTTPResponse {
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    var request = WebRequest(
      method: "GET", path: String(parts[0]), query: parts.count == 2 ? String(parts[1]) : nil)
    if let cookies { try request.fields.append("Cookie", cookies) }
    return await site.respond(to: request)
  }

  func post(
    _ path: String, _ fields: [(String, String)], cookies: String? = nil, method: String = "POST",
    peer: String? = nil, authorization: String? = nil
  ) async throws -> HTTPExchange.HTTPResponse {
    let body = fields.map { FormEncoding.encode($0.0) + "=" + FormEncoding.encode($0.1) }
      .joined(separator: "&")
    var request = WebRequest(method: method, path: path, body: Array(body.utf8))
    try request.fields.append("Content-Type", "application/x-www-form-urlencoded")
    if let cookies { try request.fields.append("Cookie", cookies) }
    if let authorization { try request.fields.append("Authorization", authorization) }
    request.peer = peer
    return await site.respond(to: request)
  }

  /// The status that a program gets for a token by WRAP.
  func wrap(
    _ password: String = "pass word", from peer: String, name: String = "uploader"
  ) async throws -> Int {
    try await post(
      "/WRAPv0.9",
      [("wrap_name", name), ("wrap_password", password), ("wrap_scope", "uri:talks.example.org")],
      peer: peer
    ).status
  }

  /// A link that begins a sign-in, as the feed of identity providers has it.
  func link(_ context: SignInContext) -> String {
    var context = context
    context.begun = clock.now
    return "/v2/sign-in?cx=" + site.seal(context, for: nil)
  }

  /// The page of a provider, and the cookies of the browser.
  func providerPage(
    _ target: String, cookies: String? = nil
  ) async throws -> (page: String, cookies: String) {
    let response = try await get(target, cookies: cookies)
    let all = [cookies ?? "", response.cookies].filter { !$0.isEmpty }
    return (response.text, all.joined(separator: "; "))
  }

  /// Presses a person, or one of the other ends, in a sign-in of a new browser.
  func press(
    _ choice: String, _ context: SignInContext
  ) async throws -> HTTPExchange.HTTPResponse {
    try await press(choice, at: link(context))
  }

  /// Follows a redirect to the page of a provider, and presses there.
  func press(
    _ choice: String, after response: HTTPExchange.HTTPResponse
  ) async throws -> HTTPExchange.HTTPResponse {
    let location = try #require(response.fields["Location"], "\(response.text)")
    return try await press(choice, at: HTTPURL(location).target, cookies: response.cookies)
  }

  /// Presses on the page of a provider.
  func press(
    _ choice: String, at target: String, cookies: String? = nil
  ) async throws -> HTTPExchange.HTTPResponse {
    let (page, cookies) = try await providerPage(target, cookies: cookies)
    return try await post(
      "/v2/sign-in",
      ["cx", "token"].map { ($0, PlainPages.field($0, in: page)) } + [("person", choice)],
      cookies: cookies)
  }

  /// Signs a browser out: presses on the page that asks.
  @discardableResult
  func signOut(
    _ cookies: String, at target: String = "/v2/openid/logout", answer: String = "out"
  ) async throws -> HTTPExchange.HTTPResponse {
    let (page, cookies) = try await providerPage(target, cookies: cookies)
    #expect(page.contains("heading Sign out?"), "\(page)")
    return try await post(
      "/v2/sign-out", [("token", PlainPages.field("token", in: page)), ("answer", answer)],
      cookies: cookies)
  }

  func trust(_ audience: String, _ issuer: String = "https://acs.example/") throws -> Trust {
    Trust(
      issuers: [
        TrustedIssuer(issuer, keys: [.secret(try SymmetricKey(bytes: secret))], formats: [.swt]),
        TrustedIssuer(issuer, keys: [.publicKey(signing.publicKey)], formats: [.saml20, .jwt]),
      ], audiences: .oneOf([audience]))
  }
}

/// Pages as lines: `field name=value`.
struct PlainPages: PageRenderer {
  func html(_ page: SitePage) -> (html: String, policy: String) {
    (lines(page).joined(separator: "\n"), "default-src 'none'")
  }

  private func lines(_ page: SitePage) -> [String] {
    switch page {
    case .form(let address, let fields):
      ["form \(address.text)"] + fields.map { "field \($0.name)=\($0.value)" }
    case .providers(let choice):
      choice.providers.map { "link \($0.name) \($0.address)" }
        + (choice.application.map { ["application \($0)"] } ?? [])
    case .content(let content):
      ["heading \(content.heading)"] + content.notes.map { "note \($0)" }
        + (content.forms.first?.fields.map { "field \($0.name)=\($0.value)" } ?? [])
        + content.tables.flatMap { table in
          ["table \(table.caption)"] + table.rows.map { "row \($0.joined(separator: " | "))" }
        }
        + content.forms.map { "button \($0.button)" } + content.signOutImages.map { "ping \($0)" }
        + content.links.map { "link \($0.text) \($0.address)" }
        + (content.details.map { ["code \($0.code)"] } ?? [])
        + (content.nextLink.map { ["nextLink \($0.address)"] } ?? [])
    default: []
    }
  }

  static func field(_ name: String, in page: String) -> String {
    let prefix = "field \(name)="
    let line = page.split(separator: "\n").first { $0.hasPrefix(prefix) }
    return line.map { String($0.dropFirst(prefix.count)) } ?? ""
  }
}

extension HTTPExchange.HTTPResponse {
  var text: String { String(decoding: body, as: UTF8.self) }

  /// What a browser sends back.
  var cookies: String {
    fields.values("Set-Cookie").map { String($0.prefix { $0 != ";" }) }.joined(separator: "; ")
  }
}
