import JSONWebTokens

/// The keys of one issuer, fetched as a JWK set from an address and refreshed on schedule. None of them is a secret.
public final class KeySetRegistry: IssuerRegistry {
  private struct Fetched: FetchedTrust {
    let issuers: [TrustedIssuer]
    let passedOver: [TokenError]
    let cacheSeconds: Int64?
    var validUntil: Instant? { nil }
  }

  private let loop: RefreshLoop<Fetched>

  /// A registry for the keys at `address`.
  ///
  /// - Parameters:
  ///   - issuer: The name of the issuer; the set itself names none.
  ///   - address: Where the set is.
  ///   - transport: Fetches it.
  ///   - clock: The clock; another one in tests.
  ///   - observer: Hears of what happens, for logs, metrics and traces.
  ///   - jitter: Returns 0 to 1, random except in tests.
  public init(
    issuer: String, address: HTTPURL, transport: any HTTPTransport,
    clock: any TimeSource = SystemTime(), observer: any ActivityObserver = NoObserver(),
    jitter: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
  ) {
    let schedule = RefreshSchedule()
    loop = RefreshLoop(
      source: address.description, schedule: schedule,
      relyingParty: Trust(issuers: [], audiences: .oneOf([])), clock: clock, observer: observer,
      jitter: jitter
    ) { (_) async throws(TokenError) -> Fetched? in
      let (response, octets) = try await FetchedDocument.keySetDocument(
        at: address, over: transport)
      let set = try FetchedDocument.keySet(octets, from: address.description)
      return Fetched(
        issuers: [
          TrustedIssuer(.exactly(issuer), keys: set.keys, formats: [.jwt], source: .metadata)
        ],
        passedOver: set.passedOver(allowing: []).map { $0.within(address.description) },
        cacheSeconds: FetchedDocument.maxAge(response).map { min($0, schedule.usual) })
    }
  }

  /// The accepted trust; nil before the first success and after its end. Starts a fetch that is due.
  public func readyTrust(at now: Instant) -> Trust? { loop.ready(at: now)?.trust }

  /// The accepted trust; waits for a fetch if there is none.
  /// - Throws: `registry.unavailable`, `registry.trust-expired`, with the error of the last fetch.
  public func trust(at now: Instant) async throws(TokenError) -> Trust {
    try await loop.accepted(at: now).trust
  }

  /// One entry, named by the address.
  public func health(at now: Instant) -> [RegistryHealth] { [loop.health(at: now)] }

  /// Starts the fetch that is due where no trust is accepted, and waits for nothing.
  func startMissing(at now: Instant) { loop.startMissing(at: now) }

  /// Fetches because a token names a key that is not known, as ``OpenIDRegistry/refreshForUnknownKey(at:)``.
  public func refreshForUnknownKey(at now: Instant) async {
    await loop.refreshForUnknownKey(interval: OpenIDRegistry.unknownKeyInterval)
  }
}
