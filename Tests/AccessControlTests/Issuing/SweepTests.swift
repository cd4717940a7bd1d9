import AccessControl
import HTTPExchange
import SecurityKeys
import SignIn
import Synchronization
import TestSupport
import Testing

/// What is over is given out no more, but it is memory until it is dropped.
@Suite("What is over is dropped at the local Access Control Service")
struct SweepTests {
  /// A store that counts how often it is swept.
  private final class CountingStore: ValueStore {
    private let values = MemoryValueStore()
    private let swept = Mutex(0)

    var sweeps: Int { swept.withLock { $0 } }

    func keep(
      _ value: [UInt8], under name: ValueName, until end: Instant, at now: Instant
    ) async throws(TokenError) { try await values.keep(value, under: name, until: end, at: now) }

    func value(under name: ValueName, at now: Instant) async throws(TokenError) -> [UInt8]? {
      try await values.value(under: name, at: now)
    }

    func take(_ name: ValueName, at now: Instant) async throws(TokenError) -> [UInt8]? {
      try await values.take(name, at: now)
    }

    func remove(_ name: ValueName) async throws(TokenError) { try await values.remove(name) }

    func sweep(at now: Instant) async throws(TokenError) {
      swept.withLock { $0 += 1 }
      try await values.sweep(at: now)
    }
  }

  @Test("Every ten minutes at most, when something is kept, with the sessions at providers")
  func sweeps() async throws {
    let (values, sessions, clock) = (CountingStore(), MemorySessionStore(), ManualTime())
    let begun = clock.now
    let address = try HTTPURL("https://acs.example/v2/upstream/saml/acs")
    let upstream = try SignInSite(
      SiteSettings(origin: address.origin, prefix: "/v2/upstream/"),
      providers: [
        SignInProvider(
          id: "idp", name: "IdP",
          .saml(
            ServiceProvider(entityID: "urn:acs", consumer: address),
            .fixed(IdentityProvider(entityID: "https://idp.example/", signOn: []))),
          registry: StaticRegistry(Trust(issuers: [], audiences: .oneOf([]))))
      ], pages: PlainPages(), sessions: sessions, clock: clock)
    var client = RelyingParty(realm: "client", format: .jwt)
    client.returnAddresses = [try HTTPURL("https://client.example/in")]
    client.clientSecret = Secret("secret of client")
    let site = try AccessControlSite(
      NamespaceStore(
        ServiceNamespace(
          issuer: "https://acs.example/", relyingParties: [client], providers: [], ruleGroups: [],
          keys: NamespaceKeys(signing: SiteFixture().signing))),
      pages: PlainPages(), upstream: upstream, used: MemoryReplayStore(), values: values, key: nil,
      rates: RequestRates(), adminPassword: nil, rules: nil, clock: clock,
      uptime: Uptime { .milliseconds(clock.now.milliseconds(since: begun)) },
      observer: NoObserver(), random: RandomSource())
    try await sessions.insert(
      SignedInSession(
        principal: FederatedPrincipal(
          issuer: "https://idp.example/", subject: "ada", claims: ClaimSet(), format: .saml20,
          issuerSession: IssuerSession(), warnings: []),
        provider: "idp", begun: begun, end: begun.advanced(bySeconds: 60), lastUse: begun),
      SessionID.make().id)
    for (seconds, sweeps, left) in [(599, 0, 1), (1, 1, 0), (599, 1, 0), (1, 2, 0)] {
      clock.advance(bySeconds: Int64(seconds))
      for _ in 0..<2 {
        let pushed = try await Self.push(to: site)
        #expect(pushed.status == 201, "\(pushed.text)")
      }
      #expect(values.sweeps == sweeps && sessions.count == left, "after \(seconds) s more")
    }
  }

  /// A request that keeps something.
  private static func push(to site: AccessControlSite) async throws -> HTTPExchange.HTTPResponse {
    let body =
      "client_id=client&client_secret=secret+of+client&response_type=code&scope=openid"
      + "&redirect_uri=https%3A%2F%2Fclient.example%2Fin"
    return await site.respond(
      to: WebRequest(
        method: "POST", path: "/v2/openid/par",
        contentType: "application/x-www-form-urlencoded", body: Array(body.utf8)))
  }
}
