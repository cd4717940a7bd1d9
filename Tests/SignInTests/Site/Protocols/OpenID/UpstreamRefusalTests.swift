import AccessControl
import HTTPExchange
import RedisStores
import SecurityKeys
import TestSupport
import Testing

/// What a real provider does wrong reaches the relying party, with the number of Access Control Service.
@Suite("Refusals of a provider above the local token service")
struct UpstreamRefusalTests {
  private let upstream: UpstreamFixture

  init() throws { upstream = try Self.made() }

  private static func made(
    _ kind: ACSRefusal.ProviderProtocol = .openID,
    sessions: any SessionStore = MemorySessionStore(),
    used: any ReplayStore = MemoryReplayStore()
  ) throws -> UpstreamFixture {
    try UpstreamFixture(
      errors: kind, errorAddress: "https://talks.example/error", sessions: sessions, used: used)
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

  /// A sign-in at the provider; `change` edits what that does before it answers.
  private func signIn(
    _ upstream: UpstreamFixture, query: String? = nil, answers: Int = 1,
    _ change: @Sendable (inout ScriptedProvider.State) -> Void = { _ in }
  ) async throws -> String {
    var browser = UpstreamFixture.Browser(site: upstream.site)
    let chosen = try await browser.get(
      "/v2/wsfederation?wa=wsignin1.0&wtrealm=urn%3Atalks&wctx=c")
    let begun = try await browser.get(
      HTTPURL(try #require(chosen.fields["Location"])).target)
    guard begun.status < 400, let location = begun.fields["Location"] else { return begun.text }
    let provider = upstream.provider.provider
    let answer = try provider.authorize(.redirect(HTTPURL(location)))
    provider.change(change)
    let state = try FormReader((answer.query ?? "").utf8).require("state")
    let back = query.map { "state=\(state)&" + $0 } ?? answer.query ?? ""
    let callback = "/v2/upstream/openid/callback?" + back
    for _ in 1..<answers {
      var same = browser
      _ = try await same.get(callback)
    }
    let response = try await browser.get(callback)
    guard response.status == 303, let next = response.fields["Location"] else {
      return response.text
    }
    return try await browser.get(next).text
  }

  @Test("A person signs in, and the token is posted")
  func signsIn() async throws {
    let page = try await signIn(upstream)
    #expect(page.hasPrefix("form https://talks.example/in\nfield wa=wsignin1.0"))
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
      Fault(.openID, "ACS30000", "iss=https%3A%2F%2Fx%2Faccess_denied&error=server_error"),
      Fault(.openID, "ACS30001") { $0.signer = stranger },
      Fault(.openID, "ACS30000") { $0.payload = { $0["nonce"] = quoted("another") } },
      Fault(.facebook, "ACS40001") { $0.replaced["/token"] = bad },
      Fault(.facebook, "ACS40000", issuer + "error=server_error"),
      Fault(.federation, "ACS20001", issuer + "error=server_error"),
    ] {
      let number = fault.number
      let page = try await signIn(
        Self.made(fault.kind), query: fault.query, fault.change)
      #expect(
        page.hasPrefix("form https://talks.example/error\nfield ErrorDetails="),
        "\(number): \(page)")
      #expect(page.contains("\"errorCode\":\"\(number)\""), "\(number): \(page)")
      #expect(page.contains("\"context\":\"c\"") && page.contains("\"identityProvider\":\"OP\""))
    }
  }

  /// A store that cannot be reached.
  private struct AwayStore: ReplayStore {
    func remember(
      _ identity: TokenIdentity, until end: Instant, at now: Instant
    ) async throws(TokenError) -> Bool { throw TokenError(.storeUnavailable) }
  }

  @Test("What this service cannot keep is no fault of the provider and stays here")
  func ownFaults() async throws {
    for (sessions, used, code) in [
      (MemorySessionStore(capacity: 0), MemoryReplayStore(), TokenError.Code.signInSessionsFull),
      (MemorySessionStore(), MemoryReplayStore(capacity: 0), .replayStoreFull),
      (MemorySessionStore(), AwayStore(), .storeUnavailable),
    ] as [(MemorySessionStore, any ReplayStore, TokenError.Code)] {
      let page = try await signIn(Self.made(sessions: sessions, used: used))
      #expect(page == "refusal \(code.rawValue)")
    }
    let twice = try await signIn(Self.made(), answers: 2)
    #expect(twice.hasPrefix("refusal signin."), "\(twice)")
  }

  @Test("A request above the limit stays here, whatever sign-in it names")
  func tooLarge() async throws {
    var browser = UpstreamFixture.Browser(site: upstream.site)
    let chosen = try await browser.get("/v2/wsfederation?wa=wsignin1.0&wtrealm=urn%3Atalks")
    let begun = try await browser.get(HTTPURL(try #require(chosen.fields["Location"])).target)
    let location = try HTTPURL(try #require(begun.fields["Location"]))
    let state = try FormReader((location.query ?? "").utf8).require("state")
    let cookies = browser.jar.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
    for (octets, page) in [
      ((4 << 20) + 1, "refusal input.too-large"), (4 << 20, "form https://talks.example/error"),
    ] {
      let response = await upstream.site.respond(
        to: WebRequest(
          method: "GET", path: "/v2/upstream/openid/callback",
          query: "iss=https%3A%2F%2Fidp.example%2Ftenant&error=server_error&state=" + state,
          fields: try HTTPFields([("Cookie", cookies)]),
          body: [UInt8](repeating: 0x61, count: octets)))
      #expect(response.text.hasPrefix(page), "\(response.text)")
    }
  }

  @Test("A provider that is away is a time-out of the other side")
  func away() async throws {
    upstream.provider.provider.change {
      $0.replaced["/.well-known/openid-configuration"] = HTTPResponse(status: 503)
    }
    let page = try await signIn(upstream)
    #expect(page.contains("\"errorCode\":\"ACS90005\""), "\(page)")
  }

  @Test("An answer without a pending sign-in stays here, and so does one that comes twice")
  func stranger() async throws {
    let page = await upstream.site.respond(
      to: WebRequest(
        method: "GET", path: "/v2/upstream/openid/callback", query: "code=a&state=x"))
    #expect(page.text.hasPrefix("refusal signin."))
  }
}
