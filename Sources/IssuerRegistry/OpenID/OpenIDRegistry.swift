package import Claims
import Synchronization

/// The keys and endpoints of an OpenID provider, found by discovery and refreshed on schedule.
///
/// The discovery document and the key set at its `jwks_uri` are fetched together on first use, then
/// whenever they are due, by one task at a time; in the meantime calls return what was accepted before.
/// After a failed fetch that stays in use for ``RefreshSchedule/longestUse``. ``run()`` also refreshes
/// without calls. No key comes from anywhere else, and none of them is a secret.
public final class OpenIDRegistry: IssuerRegistry {
  private struct State {
    var refresh: MetadataRefresh
    /// The relying party's own data, and the issuer.
    var trust: Trust
    var provider: AcceptedProvider?
    var fetchTask: Task<Void, Never>?
    /// The last fetch that an unknown key caused.
    var unknownKey: Instant?
  }

  /// The issuer, as its tokens name it.
  public var issuer: String { source.issuer }

  /// Seconds between two fetches that unknown keys cause: 60.
  public static let unknownKeyInterval: Int64 = 60

  private let source: OpenIDSource
  private let relyingParty: Trust
  private let transport: any HTTPTransport
  private let clock: any TimeSource
  private let observer: any ActivityObserver
  private let jitter: @Sendable () -> Double
  private let state: Mutex<State>

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
    self.relyingParty = relyingParty
    self.transport = transport
    self.clock = clock
    self.observer = observer
    self.jitter = jitter
    var document = MetadataSource(source.url, entityID: source.issuer, proof: .server)
    document.schedule = source.schedule
    state = Mutex(State(refresh: MetadataRefresh(document), trust: relyingParty))
  }

  /// The accepted trust; nil before the first success and after its end. Starts a fetch that is due.
  public func readyTrust(at now: Instant) -> Trust? { ready(at: now)?.trust }

  /// The accepted trust; waits for a fetch if there is none.
  /// - Throws: `registry.unavailable`, `registry.trust-expired`, with the error of the last fetch.
  public func trust(at now: Instant) async throws(TokenError) -> Trust {
    try await accepted(at: now).trust
  }

  /// The accepted discovery document; waits for a fetch if there is none.
  /// - Throws: `registry.unavailable`, `registry.trust-expired`, with the error of the last fetch.
  public func configuration(at now: Instant) async throws(TokenError) -> OpenIDConfiguration {
    try await provider(at: now).configuration
  }

  /// The accepted provider; waits for a fetch if there is none.
  package func provider(at now: Instant) async throws(TokenError) -> AcceptedProvider {
    try await accepted(at: now).provider
  }

  /// One entry, named by the address of the discovery document.
  public func health(at now: Instant) -> [RegistryHealth] {
    [state.withLock { $0.refresh.health(at: now) }]
  }

  /// Fetches now, due or not, or joins the running fetch. ``health(at:)`` shows its error.
  public func refresh() async { await state.withLock { startOrJoinFetch(&$0) }.value }

  /// Fetches because a token names a key that is not known, or joins the running fetch; nothing if a fetch
  /// was made for that reason in the last minute, so that tokens with invented keys cannot cause more
  /// (GATE-28).
  ///
  /// Call it for a token whose verification threw `key.unknown-id`, then verify once more.
  public func refreshForUnknownKey(at now: Instant) async {
    let task = state.withLock { state -> Task<Void, Never>? in
      if let fetchTask = state.fetchTask { return fetchTask }
      if let last = state.unknownKey, now < last.advanced(bySeconds: Self.unknownKeyInterval) {
        return nil
      }
      state.unknownKey = now
      return startOrJoinFetch(&state)
    }
    await task?.value
  }

  /// Fetches whenever it is due, until the task is cancelled.
  public func run() async {
    while !Task.isCancelled {
      let now = clock.now
      let (due, next) = state.withLock { state -> (Task<Void, Never>?, Instant?) in
        let next = state.refresh.nextAttempt
        let isDue = next.map { $0 <= now } ?? true
        return (isDue ? startOrJoinFetch(&state) : nil, next)
      }
      if let due {
        await due.value
      } else if let next {
        await clock.wait(.milliseconds(max(1, next.milliseconds(since: now))))
      }
    }
  }

  private typealias Accepted = (trust: Trust, provider: AcceptedProvider)

  private func ready(at now: Instant) -> Accepted? {
    state.withLock { state in
      guard case .ready(let isDue) = state.refresh.standing(at: now), let provider = state.provider
      else { return nil }
      if isDue { _ = startOrJoinFetch(&state) }
      return (state.trust, provider)
    }
  }

  private func accepted(at now: Instant) async throws(TokenError) -> Accepted {
    if let accepted = ready(at: now) { return accepted }
    await fetchForMissing(at: now)?.value
    return try state.withLock { state throws(TokenError) in
      switch state.refresh.standing(at: now) {
      case .ready:
        guard let provider = state.provider else { throw TokenError(.registryUnavailable) }
        return (state.trust, provider)
      case .missing(let error, _): throw error
      }
    }
  }

  /// The fetch to wait for if there is no valid configuration; nil while backing off.
  private func fetchForMissing(at now: Instant) -> Task<Void, Never>? {
    state.withLock { state in
      if let fetchTask = state.fetchTask { return fetchTask }
      guard case .missing(_, true) = state.refresh.standing(at: now) else { return nil }
      return startOrJoinFetch(&state)
    }
  }

  /// The running fetch; starts one if there is none.
  private func startOrJoinFetch(_ state: inout State) -> Task<Void, Never> {
    if let fetchTask = state.fetchTask { return fetchTask }
    let fetchTask = Task { await fetch() }
    state.fetchTask = fetchTask
    return fetchTask
  }

  private func fetch() async {
    let result: Result<AcceptedProvider, TokenError>
    do throws(TokenError) {
      result = .success(
        try await observer.during(activity("registry.refresh")) {
          [transport, source] () throws(TokenError) -> AcceptedProvider in
          let answer = OpenIDAnswer(source: source)
          let discovery = try await transport.response(to: answer.discoveryRequest())
          let configuration = try answer.configuration(from: discovery)
          let keys = try await transport.response(to: answer.keysRequest(configuration))
          return try answer.provider(configuration, from: discovery, keys: keys)
        })
    } catch {
      result = .failure(error)
    }
    note(result)
  }

  private func note(_ result: Result<AcceptedProvider, TokenError>) {
    let now = clock.now
    let health = state.withLock { state in
      switch result {
      case .success(let provider):
        // `max-age` only shortens: a provider must not keep a withdrawn key for longer than usual.
        let cacheSeconds = provider.cacheSeconds.map { min($0, source.schedule.usual) }
        let metadata = AcceptedMetadata(
          issuers: [provider.issuer], validUntil: nil, created: nil, cacheSeconds: cacheSeconds,
          passedOver: provider.passedOver, entityTag: nil)
        state.refresh.succeed(metadata, at: now, jitter: jitter())
        state.provider = provider
        state.trust.issuers = relyingParty.issuers + [provider.issuer]
        state.trust.passedOver = relyingParty.passedOver + provider.passedOver
      case .failure(let error):
        state.refresh.fail(error, at: now, jitter: jitter())
      }
      state.fetchTask = nil
      return state.refresh.health(at: now)
    }
    switch result {
    case .success(let provider):
      observer.happened(activity("registry.accepted"))
      for error in provider.passedOver {
        observer.happened(.passedOver(error, of: source.url.description))
      }
    case .failure(let error):
      observer.happened(activity("registry.refused", [("code", error.code.rawValue)]))
    }
    observer.measured(
      activity("registry.consecutive-failures"), value: Double(health.consecutiveFailures))
    if let age = health.age(at: now) {
      observer.measured(activity("registry.age"), value: Double(age))
    }
  }

  private func activity(
    _ name: StaticString, _ more: [(name: StaticString, value: String)] = []
  ) -> Activity {
    Activity(name, [("source", source.url.description)] + more)
  }
}
