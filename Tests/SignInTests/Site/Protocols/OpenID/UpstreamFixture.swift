import AccessControl
import HTTPExchange
import SecurityKeys
import TestSupport
import Testing

/// A real provider above the local token service, and what a relying party and a browser have to do with it.
struct UpstreamFixture {
  let provider: OpenIDFixture
  let site: AccessControlSite
  /// The key of Simple Web Tokens.
  static let key = [UInt8](repeating: 7, count: 32)

  /// - Parameters:
  ///   - errors: What kind of provider it counts as.
  ///   - errorAddress: Where `urn:talks` hears of refusals; nil for nowhere.
  init(
    errors: ACSRefusal.ProviderProtocol = .openID, errorAddress: String? = nil,
    rules: [ClaimRule] = [ClaimRule(ClaimCondition(.provider("OP")))],
    sessions: any SessionStore = MemorySessionStore(),
    used: any ReplayStore = MemoryReplayStore(), transport: (any HTTPTransport)? = nil,
    _ edit: (inout ACSIdentityProvider) -> Void = { _ in }
  ) throws {
    let fixture = try OpenIDFixture()
    let callback = "https://app.example/v2/upstream/openid/callback"
    fixture.provider.change { $0.redirectURI = callback }
    let party = try fixture.party { $0.redirectURI = try HTTPURL(callback) }
    let upstream = try SignInSite(
      SiteSettings(origin: try HTTPURL(callback).origin, prefix: "/v2/upstream/"),
      providers: [SignInProvider(id: "op", name: "OP", openID: party)], pages: Pages(),
      sessions: sessions, used: used, clock: fixture.time)
    var offered = ACSIdentityProvider(id: "OP", name: "OP", .upstream("op"))
    offered.errors = errors
    edit(&offered)
    var talks = RelyingParty(realm: "urn:talks", format: .swt, ruleGroups: ["all"])
    talks.returnAddresses = [try HTTPURL("https://talks.example/in")]
    talks.errorAddress = try errorAddress.map(HTTPURL.init)
    talks.key = try SymmetricKey(bytes: Self.key)
    var client = RelyingParty(realm: "client", format: .jwt, ruleGroups: ["all"])
    client.returnAddresses = [try HTTPURL("https://client.example/in")]
    client.clientSecret = Secret("client secret")
    if transport != nil { client.backChannelLogout = try HTTPURL("https://client.example/logout") }
    let signing = try SigningKey(
      PrivateKey(pemOrDER: TestVector.bytes("keys/idp-rsa.key")),
      certificate: Certificate(
        der: try #require(try PEM.onlyBlock(of: TestVector.bytes("keys/idp-rsa.crt"))).bytes))
    let namespace = try ServiceNamespace(
      issuer: "https://app.example/", relyingParties: [talks, client], providers: [offered],
      ruleGroups: [RuleGroup("all", rules: rules)],
      keys: NamespaceKeys(
        signing: signing, identifiers: SymmetricKey(bytes: [UInt8](repeating: 9, count: 32))))
    provider = fixture
    site = try AccessControlSite(
      NamespaceStore(namespace), pages: Pages(), upstream: upstream, transport: transport,
      clock: fixture.time)
  }

  private struct Pages: PageRenderer {
    func html(_ page: SitePage) -> (html: String, policy: String) {
      switch page {
      case .form(let address, let fields):
        (
          "form \(address.text)\n"
            + fields.map { "field \($0.name)=\($0.value)" }.joined(separator: "\n"), ""
        )
      case .content(let content): (content.notes.joined(separator: " "), "")
      case .refusal(let refusal): ("refusal \(refusal.code)", "")
      default: ("page", "")
      }
    }
  }

  /// A browser: what it was told to keep.
  struct Browser {
    let site: AccessControlSite
    var jar: [String: String] = [:]
    /// What it says that its requests are for (`Sec-Fetch-Mode`); nil for a browser that does not say it.
    var mode: String?
    /// The page that its requests come from (`Referer`).
    var referrer: String?

    mutating func get(_ target: String) async throws -> HTTPExchange.HTTPResponse {
      try await send("GET", target)
    }

    mutating func post(
      _ target: String, _ message: WebRequest
    ) async throws -> HTTPExchange.HTTPResponse {
      try await send("POST", target, message)
    }

    private mutating func send(
      _ method: String, _ target: String, _ message: WebRequest? = nil
    ) async throws -> HTTPExchange.HTTPResponse {
      let parts = target.split(separator: "?", maxSplits: 1).map(String.init)
      let cookies = jar.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
      var pairs = cookies.isEmpty ? [] : [("Cookie", cookies)]
      if let type = message?.contentType { pairs.append(("Content-Type", type)) }
      if let mode { pairs.append(("Sec-Fetch-Mode", mode)) }
      if let referrer { pairs.append(("Referer", referrer)) }
      let response = await site.respond(
        to: WebRequest(
          method: method, path: parts[0], query: parts.count > 1 ? parts[1] : nil,
          fields: try HTTPFields(pairs), body: message?.body ?? []))
      for text in response.fields.values("Set-Cookie") {
        let pair = text.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1).map(String.init)
        jar[pair[0]] = text.contains("Max-Age=0") ? nil : pair.count > 1 ? pair[1] : ""
      }
      return response
    }
  }
}
