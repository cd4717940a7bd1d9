import AccessControl
import HTTPExchange
import JSONWebTokens
import SecurityKeys
import TestSupport
import Testing
import TokenBasics

/// A service whose clients exchange the tokens of three real providers: `campus` (SAML), `adfs` (WS-Federation) and `op`
/// (OpenID Connect), all of which sign with one key.
struct ExchangeFixture {
  static let issuer = "https://acs.example/"
  static let endpoint = "/v2/openid/token"
  static let type = "urn:ietf:params:oauth:token-type:"
  static let swt = "http://schemas.xmlsoap.org/ws/2009/11/swt-token-profile-1.0"
  static let grant = "urn:ietf:params:oauth:grant-type:"
  static let entity = "https://acs.example/v2/upstream"

  let site: AccessControlSite
  let clock = ManualTime(SiteFixture.now)
  /// The key of the providers.
  let upstream: SigningKey
  /// The key of the service.
  let signing: SigningKey
  let secret = [UInt8](repeating: 7, count: 32)
  let values = MemoryValueStore()
  let used = MemoryReplayStore(capacity: 10_000)

  /// - Parameters:
  ///   - grants: Whether assertions of the providers are grants; nil for no.
  ///   - serverClients: Who may ask for grants for `https://as.example`.
  ///   - rules: Beside those of the service.
  ///   - more: Providers beside the usual ones.
  ///   - isKeyed: Whether the service has a symmetric key.
  ///   - transport: To op, where it is another one.
  init(
    used: (any ReplayStore)? = nil, values: (any ValueStore)? = nil,
    _ edit: (inout [RelyingParty]) -> Void = { _ in }, grants: GrantUse? = .once,
    serverClients: [String] = ["agent"], rules: [ClaimRule] = [],
    more: [ACSIdentityProvider] = [], isKeyed: Bool = true, transport: (any HTTPTransport)? = nil
  ) throws {
    let (upstream, signing) = try (Self.pair("upstream"), Self.pair("acs"))
    (self.upstream, self.signing) = (upstream, signing)
    var parties = Self.parties()
    edit(&parties)
    var server = ResourceAuthorizationServer(
      issuer: "https://as.example",
      clients: serverClients.map { .init($0, theirs: $0 + "-there") })
    server.scopes = ["orders"]
    server.resources = ["https://api.as.example/mcp"]
    let namespace = try ServiceNamespace(
      issuer: Self.issuer, relyingParties: parties, providers: Self.providers(grants) + more,
      identities: Self.identities(), authorizationServers: [server],
      ruleGroups: [RuleGroup("all", rules: Self.rules + rules)],
      keys: NamespaceKeys(
        signing: signing, symmetric: isKeyed ? SymmetricKey(bytes: secret) : nil,
        identifiers: SymmetricKey(bytes: [UInt8](repeating: 9, count: 32))))
    site = try AccessControlSite(
      NamespaceStore(namespace), pages: PlainPages(),
      upstream: Self.upstream(upstream, clock, transport), used: used ?? self.used,
      values: values ?? self.values, key: [UInt8](repeating: 6, count: 32), clock: clock)
  }

  /// A service of another namespace, with the same providers above it.
  ///
  /// - Parameter registration: How clients that no file names may describe themselves; nil for none.
  init(_ store: NamespaceStore, registration: ClientRegistration? = nil) throws {
    (upstream, signing) = try (Self.pair("upstream"), Self.pair("acs"))
    site = try AccessControlSite(
      store, pages: PlainPages(), upstream: Self.upstream(upstream, clock, nil), used: used,
      values: values, key: [UInt8](repeating: 6, count: 32), registration: registration,
      clock: clock)
  }

  static func pair(_ name: String) throws -> SigningKey { try KeyPairs.pair(name).signing }

  // MARK: The service

  private static func parties() -> [RelyingParty] {
    var api = RelyingParty(realm: "urn:api", name: "API", format: .jwt, ruleGroups: ["all"])
    api.exchange.clients = ["agent", "client"]
    api.exchange.actingClients = ["agent"]
    api.exchange.scopes = ["read", "write"]
    var narrow = RelyingParty(realm: "urn:narrow", format: .jwt, ruleGroups: ["all"])
    narrow.exchange.clients = ["agent"]
    narrow.providers = ["campus"]
    var client = RelyingParty(realm: "client", name: "Client", format: .jwt, ruleGroups: ["all"])
    client.clientSecret = Secret("secret of client")
    client.exchange.clients = ["agent"]
    client.exchange.scopes = ["read"]
    var open = RelyingParty(realm: "open", format: .jwt, ruleGroups: ["all"])
    open.exchange.clients = ["open"]
    var other = RelyingParty(realm: "urn:other", format: .jwt, ruleGroups: ["all"])
    other.clientSecret = Secret("secret of other")
    return [api, narrow, client, open, other]
  }

  private static func identities() throws -> [ServiceIdentity] {
    var agent = ServiceIdentity(name: "agent", password: Secret("secret of agent"))
    agent.clientNames.audiences = ["https://agent.example/saml"]
    agent.clientNames.recipients = [try HTTPURL("https://agent.example/acs")]
    return [
      agent,
      ServiceIdentity(
        name: "stranger", password: Secret("secret of stranger"),
        key: try SymmetricKey(bytes: [UInt8](repeating: 8, count: 32))),
    ]
  }

  private static func providers(_ grants: GrantUse?) -> [ACSIdentityProvider] {
    ["campus", "adfs", "op"].map { id in
      var provider = ACSIdentityProvider(id: id, name: id, .upstream("at-" + id))
      provider.grants = grants
      provider.contexts = [ContextName("urn:mfa", theirs: "https://refeds.org/profile/mfa")]
      return provider
    } + [
      ACSIdentityProvider(
        id: "test", name: "Test",
        .testPeople([
          TestPerson(name: "Tom", claims: ClaimSet([Claim(.nameIdentifier, "tom")]))
        ]))
    ]
  }

  private static let rules =
    ["campus", "adfs", "op", "test"].map {
      ClaimRule(ClaimCondition(.provider($0), type: .emailAddress))
    }
    + ["campus", "adfs", "op", "test"].map {
      ClaimRule(
        ClaimCondition(.provider($0), type: .nameIdentifier),
        outputType: "http://acs.example/claims/name")
    } + [
      ClaimRule(
        ClaimCondition(.service, type: .nameIdentifier),
        outputType: "http://acs.example/claims/program")
    ]

  private static func upstream(
    _ key: SigningKey, _ clock: ManualTime, _ given: (any HTTPTransport)?
  ) throws -> SignInSite {
    let settings = try SiteSettings(
      origin: HTTPURL(issuer).origin, prefix: "/v2/upstream/")
    let service = try ServiceProvider(entityID: entity, consumer: settings.address("saml/acs"))
    let address = try HTTPURL("https://idp.example/sso")
    func registry(_ name: String, _ formats: Set<TokenFormat>) -> StaticRegistry {
      StaticRegistry(
        Trust(
          issuers: [
            TrustedIssuer(
              .exactly(name), keys: [TrustedKey(.publicKey(key.publicKey))], formats: formats)
          ], audiences: .oneOf([])))
    }
    let source = try OpenIDSource(issuer: "https://op.example")
    let transport = given ?? OpenIDDocuments(key: key.publicKey)
    let client = OpenIDClient(
      clientID: "acs-at-op", authentication: .none,
      redirectURI: try settings.openIDCallback("at-op"))
    return try SignInSite(
      settings,
      providers: [
        SignInProvider(
          id: "at-campus", name: "Campus",
          .saml(
            service,
            .fixed(
              IdentityProvider(
                entityID: "https://idp.example/", signOn: [.init(.redirect, address)],
                scopes: ["idp.example"]))),
          registry: registry("https://idp.example/", [.saml20])),
        SignInProvider(
          id: "at-adfs", name: "ADFS",
          .wsFederation(
            try PassiveRelyingParty(realm: "urn:acs", reply: settings.address("wsfed")),
            .fixed(PassiveIssuer(entityID: "https://adfs.example/", endpoint: address))),
          registry: registry("https://adfs.example/", [.saml11, .jwt])),
        SignInProvider(
          id: "at-op", name: "OP",
          openID: try OpenIDRelyingParty(
            client,
            provider: OpenIDRegistry(source, transport: transport, clock: clock),
            transport: transport)),
      ], pages: PlainPages(), clock: clock)
  }

  // MARK: Tokens of providers

  /// What a provider says of Ada.
  func draft(
    _ issuer: String, for audience: String, _ more: [Claim] = [], subject: String? = "ada",
    lifetime: Int = 300, id: String = TokenDraft.unpredictableID()
  ) -> TokenDraft {
    TokenDraft(
      issuer: issuer, audiences: [audience], subject: subject,
      claims: ClaimSet(
        [Claim(issuer.contains("op.") ? "email" : .emailAddress, "ada@idp.example")] + more),
      issuedAt: clock.now, lifetime: lifetime, id: id)
  }

  /// An assertion of campus, as it travels.
  func assertion(
    for audience: String = "https://agent.example/saml", recipient: String? = nil,
    subject: String? = "ada", lifetime: Int = 300, key: SigningKey? = nil,
    issuer: String = "https://idp.example/", nameFormat: String? = nil, context: String? = nil,
    isForOneUse: Bool = false
  ) throws -> String {
    var delivery = SAMLDelivery(recipient: recipient, nameFormat: nameFormat)
    delivery.authenticatedAt = clock.now.advanced(bySeconds: -100)
    delivery.authenticationMethod = context
    delivery.isForOneUse = isForOneUse
    return Base64.encode(
      try SAMLIssuer(.v2, key: key ?? upstream).assertion(
        draft(issuer, for: audience, subject: subject, lifetime: lifetime), delivery: delivery),
      .url)
  }

  /// An assertion of SAML 1.1 of adfs, as it travels.
  func oldAssertion(
    for audience: String = "https://agent.example/saml", isForOneUse: Bool = false
  ) throws -> String {
    var delivery = SAMLDelivery()
    delivery.isForOneUse = isForOneUse
    return Base64.encode(
      try SAMLIssuer(.v1, key: upstream).assertion(
        draft("https://adfs.example/", for: audience), delivery: delivery),
      .url)
  }

  /// A JSON Web Token of op.
  func token(
    for audience: String = "agent", _ more: [Claim] = [], type: String = "JWT",
    subject: String? = "ada", lifetime: Int = 300, id: String = TokenDraft.unpredictableID()
  ) throws -> String {
    String(
      decoding: try JSONWebToken.mint(
        draft(
          "https://op.example", for: audience, more, subject: subject, lifetime: lifetime, id: id),
        key: upstream, keyID: "k1", type: type), as: UTF8.self)
  }

  // MARK: Requests

  func post(
    _ fields: [(String, String?)], as client: String? = "agent", to path: String = endpoint
  ) async throws -> (status: Int, json: JSONValue, response: HTTPExchange.HTTPResponse) {
    let body = fields.compactMap { name, value in
      value.map { FormEncoding.encode(name) + "=" + FormEncoding.encode($0) }
    }.joined(separator: "&")
    var request = WebRequest(method: "POST", path: path, body: Array(body.utf8))
    try request.fields.append("Content-Type", "application/x-www-form-urlencoded")
    if let client {
      let pair = HTTPURL.percentEncoded(client) + ":secret+of+" + HTTPURL.percentEncoded(client)
      try request.fields.append("Authorization", "Basic " + Base64.encode(Array(pair.utf8)))
    }
    let response = await site.respond(to: request)
    return (response.status, try JSONParser.parse(response.body), response)
  }

  /// Exchanges a token of Ada for one of the API.
  func exchange(
    _ token: String, _ type: String, _ changes: [String: String?] = [:], as client: String = "agent"
  ) async throws -> (status: Int, json: JSONValue, response: HTTPExchange.HTTPResponse) {
    var fields: [String: String?] = [
      "grant_type": Self.grant + "token-exchange", "subject_token": token,
      "subject_token_type": type, "audience": "urn:api",
    ]
    fields.merge(changes) { $1 }
    return try await post(fields.map { ($0.key, $0.value) }, as: client)
  }

  /// What a relying party makes of a token.
  func verified(_ text: String, _ type: String, for audience: String = "urn:api") throws -> (
    claims: ClaimSet, facts: TokenFacts
  ) {
    let isAssertion = type.hasSuffix("saml2") || type.hasSuffix("saml1")
    let octets = isAssertion ? try Base64.decode(Array(text.utf8), .url) : Array(text.utf8)
    let key = TrustedKey(.secret(try SymmetricKey(bytes: secret)))
    let trust = Trust(
      issuers: [
        TrustedIssuer(
          .exactly(Self.issuer), keys: [TrustedKey(.publicKey(signing.publicKey))],
          formats: [.saml11, .saml20, .jwt]),
        TrustedIssuer(.exactly(Self.issuer), keys: [key], formats: [.swt]),
      ], audiences: .oneOf([audience]))
    let verified = try TokenValidator(trust).validate(AnyToken(reading: octets), at: clock.now)
    return (verified.claims, verified.facts)
  }

  /// The payload of a JSON Web Token, and its header.
  static func parts(_ token: String) throws -> (header: JSONValue, payload: JSONValue) {
    let parts = token.split(separator: ".")
    try #require(parts.count == 3)
    return (
      try JSONParser.parse(Base64.decode(Array(parts[0].utf8), .url)),
      try JSONParser.parse(Base64.decode(Array(parts[1].utf8), .url))
    )
  }
}

/// What an OpenID provider publishes.
private struct OpenIDDocuments: HTTPTransport {
  let key: PublicKey

  func response(to request: HTTPRequest) async throws(TokenError) -> HTTPExchange.HTTPResponse {
    let base = "https://op.example"
    let components = key.rsaComponents
    let body =
      request.url.path.hasSuffix("/keys")
      ? """
      {"keys": [{"kty": "RSA", "use": "sig", "alg": "RS256", "kid": "k1",
        "n": "\(Base64.encode(components?.modulus ?? [], .url))",
        "e": "\(Base64.encode(components?.exponent ?? [], .url))"}]}
      """
      : """
      {"issuer": "\(base)", "authorization_endpoint": "\(base)/authorize", "token_endpoint": "\(base)/token",
       "jwks_uri": "\(base)/keys", "response_types_supported": ["code"], "subject_types_supported": ["public"],
       "id_token_signing_alg_values_supported": ["RS256"]}
      """
    return HTTPResponse(
      status: 200, fields: try HTTPFields([("Content-Type", "application/json")]),
      body: Array(body.utf8))
  }
}
