import Synchronization

/// Trusts the issuers that metadata at an address describes, and keeps up with it.
///
/// Metadata is fetched when somebody first asks, then whenever it is due, by one task at a time; who
/// asks meanwhile is served from what was accepted before. A fetch that fails in any way leaves that
/// in use until it expires. ``run()`` keeps it fresh also when nobody asks.
public final class MetadataRegistry: IssuerRegistry {
  private struct State {
    var refresh: MetadataRefresh
    /// Who we are, and the issuers.
    var trust: Trust
    var fetchTask: Task<Void, Never>?
    /// Whether the copy of an earlier run has been looked for.
    var isOpen: Bool
    /// Whether a copy is at hand but the server, which is asked first, may still answer in time.
    var isHeld = false
    /// Ends the time that the server has for that.
    var timer: Task<Void, Never>?
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private let relyingParty: Trust
  private let transport: any HTTPTransport
  private let copy: (any MetadataCopy)?
  private let clock: any TimeSource
  private let observer: any ActivityObserver
  private let jitter: @Sendable () -> Double
  private let state: Mutex<State>
  /// Held while the copy is read: nothing is fetched before it is known what it must not go behind.
  private let opening = Mutex(())

  /// - Parameters:
  ///   - relyingParty: Who we are: audiences, skew, limits, decryption keys; issuers of its own are
  ///     trusted as well. By default no audience, which is right inside a ``CompositeRegistry`` and
  ///     refuses every token elsewhere.
  ///   - copy: Where accepted metadata is kept for the next start, so that a service can start while
  ///     the server is down; nil for nowhere. A start asks the server first, and serves the copy when
  ///     it fails or does not answer in time (``RefreshSchedule/firstAnswer``).
  ///   - jitter: Answers 0 to 1; tests own theirs.
  public init(
    _ source: MetadataSource, relyingParty: Trust = Trust(issuers: [], audiences: .oneOf([])),
    transport: any HTTPTransport, copy: (any MetadataCopy)? = nil,
    clock: any TimeSource = SystemTime(),
    observer: any ActivityObserver = NoObserver(),
    jitter: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
  ) {
    self.relyingParty = relyingParty
    self.transport = transport
    self.copy = copy
    self.clock = clock
    self.observer = observer
    self.jitter = jitter
    state = Mutex(State(refresh: MetadataRefresh(source), trust: relyingParty, isOpen: copy == nil))
  }

  /// The trust of the last good document, without waiting; starts a fetch where one is due.
  public func readyTrust(at now: Instant) -> Trust? {
    open()
    return state.withLock { state in
      guard !state.isHeld, case .ready(let isDue) = state.refresh.standing(at: now) else {
        return nil
      }
      if isDue { _ = startOrJoinFetch(&state) }
      return state.trust
    }
  }

  /// The trust of the last good document; waits for a fetch where there is none.
  /// // - Throws: `registry.unavailable` and why, `registry.trust-expired`.
  public func trust(at now: Instant) async throws(TokenError) -> Trust {
    if let trust = readyTrust(at: now) { return trust }
    await firstAnswer()
    if let trust = readyTrust(at: now) { return trust }
    await fetchForMissing(at: now)?.value
    return try state.withLock { state throws(TokenError) in
      switch state.refresh.standing(at: now) {
      case .ready: return state.trust
      case .missing(let error, _): throw error
      }
    }
  }

  /// When the document was last fetched, and why not since.
  public func health(at now: Instant) -> [RegistryHealth] {
    [state.withLock { $0.refresh.health(at: now) }]
  }

  /// Fetches now, due or not, or joins the fetch that is under way. What went wrong is in
  /// ``health(at:)``.
  public func refresh() async {
    open()
    await state.withLock { startOrJoinFetch(&$0) }.value
  }

  /// Fetches whenever it is due, until the task is cancelled.
  public func run() async {
    open()
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

  /// Waits until the server has answered for the first time or has had its time to.
  private func firstAnswer() async {
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        if state.isHeld { state.waiters.append(continuation) }
        return !state.isHeld
      }
      if isOver { continuation.resume() }
    }
  }

  /// From here on the copy serves, or what came in its place.
  private func release() {
    let waiters = state.withLock { state in
      let waiters = state.waiters
      state.isHeld = false
      state.timer?.cancel()
      state.timer = nil
      state.waiters = []
      return waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  /// The fetch to wait for when there is nothing to serve; nil while backing off.
  private func fetchForMissing(at now: Instant) -> Task<Void, Never>? {
    state.withLock { state in
      if let fetchTask = state.fetchTask { return fetchTask }
      guard case .missing(_, true) = state.refresh.standing(at: now) else { return nil }
      return startOrJoinFetch(&state)
    }
  }

  /// The one fetch that is under way, begun now if there is none.
  private func startOrJoinFetch(_ state: inout State) -> Task<Void, Never> {
    if let fetchTask = state.fetchTask { return fetchTask }
    let fetchTask = Task { await fetch() }
    state.fetchTask = fetchTask
    return fetchTask
  }

  private func fetch() async {
    let question = state.withLock { $0.refresh.question(at: clock.now) }
    let result: Result<AcceptedMetadata?, TokenError>
    do throws(TokenError) {
      let (metadata, document) = try await observer.during(activity("registry.refresh")) {
        [transport, clock] () throws(TokenError) -> (AcceptedMetadata?, [UInt8]) in
        let response = try await transport.response(to: question.request())
        return (try question.accepted(from: response, at: clock.now), response.body)
      }
      result = .success(metadata)
      if metadata != nil { keep(document) }
    } catch {
      result = .failure(error)
    }
    note(result)
  }

  /// Takes up what an earlier run kept, once, judged as if it had just been fetched.
  private func open() {
    guard let copy, !state.withLock({ $0.isOpen }) else { return }
    opening.withLock { _ in
      guard !state.withLock({ $0.isOpen }) else { return }
      takeUp(copy)
      state.withLock { $0.isOpen = true }
    }
  }

  private func takeUp(_ copy: any MetadataCopy) {
    do throws(TokenError) {
      guard let kept = try copy.read() else { return }
      let now = clock.now
      let answer = MetadataAnswer(source: state.withLock { $0.refresh.source }, current: nil)
      let response = HTTPResponse(status: 200, body: kept.document)
      guard let metadata = try answer.accepted(from: response, at: now) else { return }
      state.withLock { state in
        state.refresh.restore(metadata, confirmedAt: min(kept.fetchedAt, now))
        state.trust.issuers = relyingParty.issuers + metadata.issuers
        let patience = state.refresh.source.schedule.firstAnswer
        guard patience > 0 else { return }
        state.isHeld = true
        _ = startOrJoinFetch(&state)
        state.timer = Task { [clock] in
          await clock.wait(.seconds(patience))
          release()
        }
      }
      observer.happened(activity("registry.restored"))
    } catch {
      observer.happened(activity("registry.copy-unusable", [("code", error.code.rawValue)]))
    }
  }

  /// A copy that cannot be written costs the next start its head start, and nothing now.
  private func keep(_ document: [UInt8]) {
    guard let copy else { return }
    do throws(TokenError) {
      try copy.write(document, fetchedAt: clock.now)
    } catch {
      observer.happened(activity("registry.copy-failed", [("code", error.code.rawValue)]))
    }
  }

  private func note(_ result: Result<AcceptedMetadata?, TokenError>) {
    let now = clock.now
    let health = state.withLock { state in
      switch result {
      case .success(let metadata):
        state.refresh.succeed(metadata, at: now, jitter: jitter())
        if let metadata { state.trust.issuers = relyingParty.issuers + metadata.issuers }
      case .failure(let error):
        state.refresh.fail(error, at: now, jitter: jitter())
      }
      state.fetchTask = nil
      return state.refresh.health(at: now)
    }
    release()
    switch result {
    case .success(nil): observer.happened(activity("registry.unchanged"))
    case .success: observer.happened(activity("registry.accepted"))
    case .failure(let error):
      observer.happened(activity("registry.refused", [("code", error.code.rawValue)]))
    }
    observer.measured(
      activity("registry.consecutive-failures"), value: Double(health.consecutiveFailures))
    observer.measured(activity("registry.issuers"), value: Double(health.issuers))
    if let age = health.age(at: now) {
      observer.measured(activity("registry.age"), value: Double(age))
    }
    if let end = health.validUntil {
      observer.measured(
        activity("registry.remaining-validity"), value: Double(end.seconds - now.seconds))
    }
  }

  private func activity(
    _ name: StaticString, _ more: [(name: StaticString, value: String)] = []
  ) -> Activity {
    let source = state.withLock { $0.refresh.source.url.description }
    return Activity(name, [("source", source)] + more)
  }
}
