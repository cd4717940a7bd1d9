import Octets
import Synchronization

/// The issuers in metadata at an address, which is refreshed on schedule.
///
/// Metadata is fetched on first use, then whenever it is due, by one task at a time; in the meantime calls
/// return what was accepted before. After a failed fetch that stays in use until it expires. ``run()``
/// also refreshes without calls.
public final class MetadataRegistry: IssuerRegistry {
  private struct State {
    var refresh: MetadataRefresh
    /// The relying party's own data, and the issuers.
    var trust: Trust
    var fetchTask: Task<Void, Never>?
    /// Whether the copy of an earlier run has been read.
    var isOpen: Bool
    /// Whether a copy was read but the first fetch may still finish in time.
    var isHeld = false
    /// Ends the time limit of the first fetch.
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
  /// Held while the copy is read, so that the first fetch is checked for rollback against it.
  private let opening = Mutex(())

  /// A registry for the metadata of `source`.
  ///
  /// - Parameters:
  ///   - source: Where it is published, and what proves it.
  ///   - relyingParty: Audiences, skew, limits and decryption keys; its issuers are trusted as well. By default
  ///     no audience, which is right inside a ``CompositeRegistry`` and rejects every token elsewhere.
  ///   - transport: Fetches the metadata.
  ///   - copy: Stores accepted metadata for the next start, so that a service can start while the server is
  ///     down; nil stores nothing. A start fetches first, and uses the copy if that fails or takes too long
  ///     (``RefreshSchedule/firstAnswer``).
  ///   - clock: The clock; another one in tests.
  ///   - observer: Hears of what happens, for logs, metrics and traces.
  ///   - jitter: Returns 0 to 1, random except in tests.
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

  /// The accepted trust; nil before the first success and after its expiry. Starts a fetch that is due.
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

  /// The accepted trust; waits for a fetch if there is none.
  /// - Throws: `registry.unavailable`, `registry.trust-expired`, with the error of the last fetch.
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

  /// The entity as accepted metadata describes it, with its endpoints; nil for one that the source does not name.
  /// Waits for a fetch if there is no metadata.
  ///
  /// - Throws: `registry.unavailable`, `registry.trust-expired`.
  public func entity(
    _ entityID: String, at now: Instant
  ) async throws(TokenError) -> EntityDescriptor? {
    _ = try await trust(at: now)
    return state.withLock { state in
      state.refresh.accepted?.entities.first { $0.entityID.hasSameBytes(as: entityID) }
    }
  }

  /// One entry, named by the address without its query.
  public func health(at now: Instant) -> [RegistryHealth] {
    [state.withLock { $0.refresh.health(at: now) }]
  }

  /// Fetches now, due or not, or joins the running fetch. ``health(at:)`` shows its error.
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

  /// Waits for the end or the time limit of the first fetch.
  private func firstAnswer() async {
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        if state.isHeld { state.waiters.append(continuation) }
        return !state.isHeld
      }
      if isOver { continuation.resume() }
    }
  }

  /// Ends the wait for the first fetch.
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

  /// The fetch to wait for if there is no valid metadata; nil while backing off.
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

  /// Restores the copy of an earlier run, once, after the same checks as for a fetch.
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

  /// Writes the copy. A failure is only reported: it matters for the next start alone.
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
        if let metadata {
          state.trust.issuers = relyingParty.issuers + metadata.issuers
          state.trust.passedOver = relyingParty.passedOver + metadata.passedOver
        }
      case .failure(let error):
        state.refresh.fail(error, at: now, jitter: jitter())
      }
      state.fetchTask = nil
      return state.refresh.health(at: now)
    }
    release()
    switch result {
    case .success(nil): observer.happened(activity("registry.unchanged"))
    case .success(let metadata?):
      observer.happened(activity("registry.accepted"))
      let source = state.withLock { $0.refresh.source.url.description }
      for error in metadata.passedOver { observer.happened(.passedOver(error, of: source)) }
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
