import AccessControl
import HTTPExchange
import SecurityKeys
import TestSupport
import Testing

/// What a real provider does wrong reaches the relying party, with the number of Access Control Service.
@Suite("Refusals of a provider above the local token service")
struct UpstreamRefusalTests {
  private let fixture: OpenIDFixture
  private let site: AccessControlSite

  init() throws { (fixture, site) = try Self.make(.openID) }

  private static func make(
    _ kind: ACSRefusal.ProviderProtocol
  ) throws -> (OpenIDFixture, AccessControlSite) {
    let fixture = try OpenIDFixture()
    let callback = "https://app.example/v2/upstream/openid/callback"
    fixture.provider.change { $0.redirectURI = callback }
    let party = try fixture.party { $0.redirectURI = try HTTPURL(callback) }
    let upstream = try SignInSite(
      SiteSettings(origin: try HTTPURL(callback).origin, prefix: "/v2/upstream/"),
      providers: [SignInProvider(id: "op", name: "OP", openID: party)], pages: CodePages(),
      clock: fixture.time)
    var offered = ACSIdentityProvider(id: "OP", name: "OP", .upstream("op"))
    offered.errors = kind
    var group = RuleGroup("default")
    group.generate(for: ClaimOffer(id: "OP", types: [.nameIdentifier]))
    var talks = RelyingParty(realm: "urn:talks", format: .jwt, ruleGroups: ["default"])
    talks.returnAddresses = [try HTTPURL("https://talks.example/in")]
    talks.errorAddress = try HTTPURL("https://talks.example/error")
    talks.key = try SymmetricKey(bytes: [UInt8](repeating: 7, count: 32))
    let namespace = try ServiceNamespace(
      issuer: "https://app.example/", relyingParties: [talks], providers: [offered],
      ruleGroups: [group], keys: NamespaceKeys())
    return (
      fixture,
      try AccessControlSite(
        NamespaceStore(namespace), pages: CodePages(), upstream: upstream, clock: fixture.time)
    )
  }

  /// What a provider of a kind does, and the number that it is.
  private struct Fault: Sendable {
    let kind: ACSRefusal.ProviderProtocol
    let number: String
    /// What comes back instead of a code.
    let query: String?
    let change: @Sendable (inout ScriptedProvider.State) -> Void

    init(
      _ kind: ACSRefusal.ProviderProtocol, _ number: String, _ query: String? = nil,
      _ change: @escaping @Sendable (inout ScriptedProvider.State) -> Void = { _ in }
    ) {
      self.kind = kind
      self.number = number
      self.query = query
      self.change = change
    }
  }

  private struct CodePages: PageRenderer {
    func html(_ page: SitePage) -> (html: String, policy: String) {
      switch page {
      case .form(let address, let fields):
        (
          "form \(address.text) " + fields.map { "\($0.name)=\($0.value)" }.joined(separator: " "),
          ""
        )
      case .content(let content): (content.notes.joined(separator: " "), "")
      case .refusal(let refusal): ("refusal \(refusal.code)", "")
      default: ("page", "")
      }
    }
  }

  /// A sign-in at the provider; `change` edits what that does before it answers.
  private func signIn(
    _ fixture: OpenIDFixture, _ site: AccessControlSite, query: String? = nil,
    _ change: @Sendable (inout ScriptedProvider.State) -> Void = { _ in }
  ) async throws -> String {
    func get(_ target: String, _ cookies: [String] = []) async throws -> HTTPResponse {
      let parts = target.split(separator: "?", maxSplits: 1).map(String.init)
      let cookie = cookies.map { String($0.prefix { $0 != ";" }) }.joined(separator: "; ")
      return await site.respond(
        to: WebRequest(
          method: "GET", path: parts[0], query: parts.count > 1 ? parts[1] : nil,
          fields: try HTTPFields(cookie.isEmpty ? [] : [("Cookie", cookie)])))
    }
    let chosen = try await get("/v2/wsfederation?wa=wsignin1.0&wtrealm=urn%3Atalks&wctx=c")
    let context = try HTTPURL(try #require(chosen.fields["Location"]))
    let browser = chosen.fields.values("Set-Cookie")
    let begun = try await get(context.target, browser)
    let cookies = browser + begun.fields.values("Set-Cookie")
    guard begun.status < 400, let location = begun.fields["Location"] else {
      return String(decoding: begun.body, as: UTF8.self)
    }
    let answer = try fixture.provider.authorize(.redirect(HTTPURL(location)))
    fixture.provider.change(change)
    let state = try FormReader((answer.query ?? "").utf8).require("state")
    let back = query.map { "state=\(state)&" + $0 } ?? answer.query ?? ""
    let response = try await get("/v2/upstream/openid/callback?" + back, cookies)
    guard response.status == 303, let nextLink = response.fields["Location"] else {
      return String(decoding: response.body, as: UTF8.self)
    }
    let session = cookies + response.fields.values("Set-Cookie")
    return String(decoding: try await get(nextLink, session).body, as: UTF8.self)
  }

  @Test("A person signs in, and the token is posted")
  func signsIn() async throws {
    let page = try await signIn(fixture, site)
    #expect(page.hasPrefix("form https://talks.example/in wa=wsignin1.0"))
  }

  @Test(
    "Cancelled, a wrong signature, a refused code, an odd answer: each its number at the error address"
  )
  func refusals() async throws {
    let issuer = "iss=https%3A%2F%2Fidp.example%2Ftenant&"
    let bad = HTTPResponse(status: 500)
    let stranger = try ProviderKey.second
    for fault in [
      Fault(.openID, "ACS50019", issuer + "error=access_denied"),
      Fault(.openID, "ACS30000", issuer + "error=server_error"),
      Fault(.openID, "ACS30001") { $0.signer = stranger },
      Fault(.openID, "ACS30000") { $0.payload = { $0["nonce"] = quoted("another") } },
      Fault(.facebook, "ACS40001") { $0.replaced["/token"] = bad },
      Fault(.facebook, "ACS40000", issuer + "error=server_error"),
      Fault(.federation, "ACS20001", issuer + "error=server_error"),
    ] {
      let number = fault.number
      let (fixture, site) = try Self.make(fault.kind)
      let page = try await signIn(fixture, site, query: fault.query, fault.change)
      #expect(
        page.hasPrefix("form https://talks.example/error ErrorDetails="), "\(number): \(page)")
      #expect(page.contains("\"errorCode\":\"\(number)\""), "\(number): \(page)")
      #expect(page.contains("\"context\":\"c\"") && page.contains("\"identityProvider\":\"OP\""))
    }
  }

  @Test("A provider that is away is a time-out of the other side")
  func away() async throws {
    fixture.provider.change {
      $0.replaced["/.well-known/openid-configuration"] = HTTPResponse(status: 503)
    }
    let page = try await signIn(fixture, site)
    #expect(page.contains("\"errorCode\":\"ACS90005\""), "\(page)")
  }

  @Test("An answer without a pending sign-in stays here, and so does one that comes twice")
  func stranger() async throws {
    let page = await site.respond(
      to: WebRequest(
        method: "GET", path: "/v2/upstream/openid/callback", query: "code=a&state=x"))
    #expect(String(decoding: page.body, as: UTF8.self).hasPrefix("refusal signin."))
  }
}
