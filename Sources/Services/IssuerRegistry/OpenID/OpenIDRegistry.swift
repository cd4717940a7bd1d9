package import Claims

/// The keys and endpoints of an OpenID provider, found by discovery and refreshed on schedule.
///
/// The discovery document and the key set at its `jwks_uri` are fetched together on first use, then
/// whenever they are due, by one task at a time; in the meantime calls return what was accepted before.
/// After a failed fetch that stays in use for ``RefreshSchedule/longestUse``. ``run()`` also refreshes
/// without calls. No key comes from anywhere else, and none of them is a secret.
public final class OpenIDRegistry: IssuerRegistry {
  /// The issuer, as its tokens name it.
  public var issuer: String { source.issuer }

  /// Seconds between two fetches that unknown keys cause: 60.
  public static let unknownKeyInterval: Int64 = 60

  private let source: OpenIDSource
  /// The address of the configuration.
  package var address: HTTPURL { source.url }
  private let loop: RefreshLoop<AcceptedProvider>

  /// A registry for the provider of `source`.
  ///
  /// - Parameters:
  ///   - source: Where it is published, and what proves it.
  ///   - relyingParty: Audiences, skew, limits; its issuers are trusted as well. By default no audience, which
  ///     is right for sign-in, where the relying party has an audience of its own, and inside a
  ///     ``CompositeRegistry``.
  ///   - transport: Fetches the discovery document and the keys.
  ///   - clock: The clock; another one in tests.
  ///   - observer: Hears of what happens, for logs, metrics and traces.
  ///   - jitter: Returns 0 to 1, random except in tests.
  public init(
    _ source: OpenIDSource, relyingParty: Trust = Trust(issuers: [], audiences: .oneOf([])),
    transport: any HTTPTransport, clock: any TimeSource = SystemTime(),
    observer: any ActivityObserver = NoObserver(),
    jitter: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
  ) {
    self.source = source
    loop = RefreshLoop(
      source: source.url.description, schedule: source.schedule, relyingParty: relyingParty,
      clock: clock, observer: observer, jitter: jitter
    ) { (_) async throws(TokenError) -> AcceptedProvider? in
      let answer = OpenIDAnswer(source: source)
      let discovery = try await transport.response(to: answer.discoveryRequest())
      let configuration = try answer.configuration(from: discovery)
      let keys = try await transport.response(to: answer.keysRequest(configuration))
      return try answer.provider(configuration, from: discovery, keys: keys)
    }
  }

  /// The accepted trust; nil before the first success and after its end. Starts a fetch that is due.
  public func readyTrust(at now: Instant) -> Trust? { loop.ready(at: now)?.trust }

  /// The accepted trust; waits for a fetch if there is none.
  /// - Throws: `registry.unavailable`, `registry.trust-expired`, with the error of the last fetch.
  public func trust(at now: Instant) async throws(TokenError) -> Trust {
    try await loop.accepted(at: now).trust
  }

  /// The accepted discovery document; waits for a fetch if there is none.
  /// - Throws: `registry.unavailable`, `registry.trust-expired`, with the error of the last fetch.
  public func configuration(at now: Instant) async throws(TokenError) -> OpenIDConfiguration {
    try await provider(at: now).configuration
  }

  /// The accepted discovery document; nil before the first success and after its end. Starts a fetch that is due.
  public func readyConfiguration(at now: Instant) -> OpenIDConfiguration? {
    loop.ready(at: now)?.fetched.configuration
  }

  /// The accepted provider; waits for a fetch if there is none.
  package func provider(at now: Instant) async throws(TokenError) -> AcceptedProvider {
    try await loop.accepted(at: now).fetched
  }

  /// One entry, named by the address of the discovery document.
  public func health(at now: Instant) -> [RegistryHealth] { [loop.health(at: now)] }

  /// Fetches now, due or not, or joins the running fetch. ``health(at:)`` shows its error.
  public func refresh() async { await loop.refresh() }

  /// Fetches because a token names a key that is not known, or joins the running fetch; nothing if a fetch
  /// was made for that reason in the last minute, so that tokens with invented keys cannot cause more
  /// (GATE-28).
  ///
  /// Call it for a token whose verification threw `key.unknown-id`, then verify once more.
  public func refreshForUnknownKey(at now: Instant) async {
    await loop.refreshForUnknownKey(interval: Self.unknownKeyInterval)
  }

  /// Starts the fetch that is due where no trust is accepted, and waits for nothing.
  func startMissing(at now: Instant) { loop.startMissing(at: now) }

  /// Fetches whenever it is due, until the task is cancelled.
  public func run() async { await loop.run() }
}

/// An OpenID provider: its issuer, where its configuration is, and when it is fetched.
///
/// The issuer comes from configuration, never from a token or a request.
public struct OpenIDSource: Sendable {
  /// The issuer's identifier, as its tokens name it; compared byte for byte.
  public let issuer: String
  /// The address of the configuration: the issuer with `/.well-known/openid-configuration` added
  /// (OpenID Connect Discovery 1.0, 4).
  public let url: HTTPURL
  /// Which claims of the issuer are returned; all by default.
  public var projection = ClaimProjection.all
  /// The maximum size of either document in bytes; 1 MiB by default.
  public var maximumBytes = 1 << 20
  /// The time limit for fetching either document; 30 seconds by default.
  public var timeout = Duration.seconds(30)
  /// The times of refreshes.
  public var schedule = RefreshSchedule()

  /// The provider with that issuer.
  /// - Throws: `transport.malformed-address`, `transport.insecure-address` for an issuer that is no https
  ///   address (http on loopback), or has a query.
  public init(issuer: String) throws(TokenError) {
    try self.init(issuer: issuer, configuration: nil)
  }

  /// The provider with that issuer, whose configuration is at another address: Azure AD B2C, or a provider that has an inner and
  /// an outer address. The configuration names the issuer all the same, and so do its tokens.
  ///
  /// - Parameters:
  ///   - issuer: The issuer.
  ///   - configuration: The address of the configuration; nil for the one below the issuer.
  /// - Throws: As ``init(issuer:)``.
  public init(issuer: String, configuration: String?) throws(TokenError) {
    let address = try HTTPURL(issuer)
    guard address.query == nil else {
      throw TokenError(.transportMalformedAddress, expected: "an issuer without a query")
    }
    let path = address.path.hasSuffix("/") ? String(address.path.dropLast()) : address.path
    self.issuer = issuer
    if let configuration {
      url = try HTTPURL(configuration)
    } else {
      url = try address.at(path: path + Self.wellKnown)
    }
  }

  /// What stands behind an issuer in the usual address of its configuration.
  package static let wellKnown = "/.well-known/openid-configuration"
}
