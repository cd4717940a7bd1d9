import Synchronization

/// Fetches what an address publishes on first use, then whenever it is due, by one task at a time, and keeps the
/// trust that it gives: the one loop of registries that fetch.
///
/// In the meantime calls return what was accepted before. After a failed fetch that stays in use until it expires.
final class RefreshLoop<Fetched: FetchedTrust>: Sendable {
  /// Fetches, and checks the answer. It gets what is in use and the clock; nil says that this is confirmed.
  typealias Fetch = @Sendable (_ current: Fetched?) async throws(TokenError) -> Fetched?

  private struct State {
    var refresh: RefreshState<Fetched>
    /// The relying party's own data, and the issuers.
    var trust: Trust
    var fetchTask: Task<Void, Never>?
    /// When an unknown key last caused a fetch, by the monotonic clock.
    var unknownKey: Duration?
    /// The requests that wait for the running fetch.
    var waiting = 0
    /// Whether what an earlier run accepted was restored but the first fetch may still finish in time.
    var isHeld = false
    /// Ends the time limit of the first fetch.
    var timer: Task<Void, Never>?
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private let source: String
  private let schedule: RefreshSchedule
  private let relyingParty: Trust
  private let clock: any TimeSource
  private let observer: any ActivityObserver
  private let jitter: @Sendable () -> Double
  private let fetch: Fetch
  private let state: Mutex<State>

  init(
    source: String, schedule: RefreshSchedule, relyingParty: Trust, clock: any TimeSource,
    observer: any ActivityObserver, jitter: @escaping @Sendable () -> Double,
    fetch: @escaping Fetch
  ) {
    self.source = source
    self.schedule = schedule
    self.relyingParty = relyingParty
    self.clock = clock
    self.observer = observer
    self.jitter = jitter
    self.fetch = fetch
    state = Mutex(
      State(refresh: RefreshState(source: source, schedule: schedule), trust: relyingParty))
  }

  // MARK: Use

  /// The accepted trust with what was fetched; nil before the first success and after its expiry. Starts a fetch that
  /// is due.
  func ready(at now: Instant) -> (trust: Trust, fetched: Fetched)? {
    let uptime = clock.uptime
    return state.withLock { state in
      guard !state.isHeld, case .ready(let isDue) = state.refresh.standing(at: now, uptime),
        let fetched = state.refresh.accepted
      else { return nil }
      if isDue { _ = startOrJoinFetch(&state) }
      return (state.trust, fetched)
    }
  }

  /// The same; waits for a fetch if there is none. Whoever waits causes an attempt, at most one in each
  /// ``RefreshSchedule/pauseOnDemand``.
  ///
  /// - Throws: `registry.unavailable`, `registry.trust-expired`, with the error of the last fetch.
  func accepted(at now: Instant) async throws(TokenError) -> (trust: Trust, fetched: Fetched) {
    if let ready = ready(at: now) { return ready }
    await firstAnswer()
    if let ready = ready(at: now) { return ready }
    await waitForMissing(at: now)
    let uptime = clock.uptime
    return try state.withLock { state throws(TokenError) in
      switch state.refresh.standing(at: now, uptime) {
      case .ready:
        guard let fetched = state.refresh.accepted else { throw TokenError(.registryUnavailable) }
        return (state.trust, fetched)
      case .missing(let error, _): throw error
      }
    }
  }

  func health(at now: Instant) -> RegistryHealth {
    let uptime = clock.uptime
    return state.withLock { $0.refresh.health(at: now, uptime) }
  }

  // MARK: Fetches

  /// Fetches now, due or not, or joins the running fetch.
  func refresh() async { await state.withLock { startOrJoinFetch(&$0) }.value }

  /// Fetches because a token names a key that is not known, or joins the running fetch; nothing if a fetch was made
  /// for that reason less than `interval` seconds ago. A fetch that failed may be repeated after
  /// ``RefreshSchedule/pauseOnDemand``: the key may be a new one.
  func refreshForUnknownKey(interval: Int64) async {
    let uptime = clock.uptime
    let task = state.withLock { state -> Task<Void, Never>? in
      if let fetchTask = state.fetchTask { return fetchTask }
      if let last = state.unknownKey, uptime < last + .seconds(interval),
        !state.refresh.mayRetry(uptime)
      {
        return nil
      }
      state.unknownKey = uptime
      return startOrJoinFetch(&state)
    }
    await wait(for: task)
  }

  /// Starts the fetch that is due where nothing valid is there, and waits for nothing.
  func startMissing(at now: Instant) { _ = fetchForMissing(at: now) }

  /// Fetches whenever it is due, until the task is cancelled.
  func run() async {
    while !Task.isCancelled {
      let uptime = clock.uptime
      let (due, next) = state.withLock { state -> (Task<Void, Never>?, Duration?) in
        let next = state.refresh.nextAttempt
        let isDue = next.map { $0 <= uptime } ?? true
        return (isDue ? startOrJoinFetch(&state) : nil, next)
      }
      if let due {
        await due.value
      } else if let next {
        await clock.wait(max(.milliseconds(1), next - uptime))
      }
    }
  }

  /// The fetch to wait for if nothing valid is there; nil within the pause after the last one.
  private func fetchForMissing(at now: Instant) -> Task<Void, Never>? {
    let uptime = clock.uptime
    return state.withLock { state in
      if let fetchTask = state.fetchTask { return fetchTask }
      guard case .missing(_, true) = state.refresh.standing(at: now, uptime) else { return nil }
      return startOrJoinFetch(&state)
    }
  }

  /// The most requests that wait for one fetch; the others are refused at once, so that a server that does not answer does not take
  /// memory without end.
  static var mostWaiting: Int { 4_096 }

  private func waitForMissing(at now: Instant) async { await wait(for: fetchForMissing(at: now)) }

  private func wait(for task: Task<Void, Never>?) async {
    guard let task else { return }
    let mayWait = state.withLock { state in
      guard state.waiting < Self.mostWaiting else { return false }
      state.waiting += 1
      return true
    }
    guard mayWait else { return }
    await task.value
    state.withLock { $0.waiting -= 1 }
  }

  /// The running fetch; starts one if there is none.
  private func startOrJoinFetch(_ state: inout State) -> Task<Void, Never> {
    if let fetchTask = state.fetchTask { return fetchTask }
    let fetchTask = Task { await fetchOnce() }
    state.fetchTask = fetchTask
    return fetchTask
  }

  private func fetchOnce() async {
    let current = state.withLock { $0.refresh.current(at: clock.now) }
    let result: Result<Fetched?, TokenError>
    do throws(TokenError) {
      result = .success(
        try await observer.during(activity("registry.refresh")) {
          [fetch] () throws(TokenError) -> Fetched? in try await fetch(current)
        })
    } catch {
      result = .failure(error)
    }
    note(result)
  }

  // MARK: Restored trust

  /// Takes up what an earlier run accepted. The first use waits for a fetch all the same, for as long as
  /// ``RefreshSchedule/firstAnswer``.
  func restore(_ fetched: Fetched, confirmedAt instant: Instant) {
    state.withLock { state in
      state.refresh.restore(fetched, confirmedAt: instant)
      takeUp(fetched, &state)
      guard schedule.firstAnswer > 0 else { return }
      state.isHeld = true
      _ = startOrJoinFetch(&state)
      state.timer = Task { [clock, schedule] in
        await clock.wait(.seconds(schedule.firstAnswer))
        release()
      }
    }
    observer.happened(activity("registry.restored"))
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

  // MARK: Results

  private func takeUp(_ fetched: Fetched, _ state: inout State) {
    state.trust.issuers = relyingParty.issuers + fetched.issuers
    state.trust.passedOver = relyingParty.passedOver + fetched.passedOver
  }

  private func note(_ result: Result<Fetched?, TokenError>) {
    let (now, uptime) = (clock.now, clock.uptime)
    let health = state.withLock { state in
      switch result {
      case .success(let fetched):
        state.refresh.succeed(fetched, at: now, uptime, jitter: jitter())
        if let fetched { takeUp(fetched, &state) }
      case .failure(let error):
        state.refresh.fail(error, at: now, uptime, jitter: jitter())
      }
      state.fetchTask = nil
      return state.refresh.health(at: now, uptime)
    }
    release()
    switch result {
    case .success(nil): observer.happened(activity("registry.unchanged"))
    case .success(let fetched?):
      observer.happened(activity("registry.accepted"))
      for error in fetched.passedOver { observer.happened(.passedOver(error, of: source)) }
    case .failure(let error):
      observer.happened(
        activity(
          "registry.refused", [("code", error.code.rawValue), ("error", error.description)]))
    }
    measure(health, at: now)
  }

  private func measure(_ health: RegistryHealth, at now: Instant) {
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

  func activity(
    _ name: StaticString, _ more: [(name: StaticString, value: String)] = []
  ) -> Activity {
    Activity(name, [("source", source)] + more)
  }
}

/// The times of metadata refreshes, in seconds.
///
/// The publisher's `cacheDuration` and `validUntil` apply within these bounds, so that a publisher can
/// neither cause constant fetches nor prevent them.
public struct RefreshSchedule: Hashable, Sendable {
  /// The minimum time between two successful fetches; 300 by default.
  public var shortest: Int64 = 300
  /// The time between two fetches without a `cacheDuration`; 3600 by default.
  public var usual: Int64 = 3600
  /// The maximum time between two fetches; 86,400 by default.
  public var longest: Int64 = 86_400
  /// The time from a first failure to the next attempt; 2 by default. Each further failure doubles it, up
  /// to ``shortest``.
  public var retry: Int64 = 2
  /// The maximum time for which metadata is used after the server last confirmed it, whatever its
  /// `validUntil`; 2,678,400 (31 days) by default.
  public var longestUse: Int64 = 2_678_400
  /// The time that the first use waits for a fetch if there is a copy of an earlier run; 3 by default. After
  /// that, or if the fetch fails, the copy is used. 0 uses the copy immediately.
  public var firstAnswer: Int64 = 3

  /// The default times.
  public init() {}

  /// The pause between two attempts that requests cause while there are no keys: ``retry``, from 1 to 5 seconds. It does not
  /// grow with the number of failures, so that people wait no longer than that once the server answers again.
  var pauseOnDemand: Duration { .seconds(min(max(1, retry), 5)) }

  /// The next fetch after a success at `now`: after `cacheDuration`, but at the latest after three quarters
  /// of the remaining validity, and up to a tenth earlier, so that many services do not fetch at once. The
  /// interval is at least a tenth of ``shortest``, however short the validity.
  ///
  /// - Parameter jitter: 0 to 1.
  func next(
    after now: Instant, cacheSeconds: Int64?, end: Instant, jitter: Double
  ) -> Instant {
    let nearEnd = max(0, end.seconds - now.seconds) / 4 * 3
    let wish = min(max(cacheSeconds ?? usual, shortest), longest)
    let interval = max(min(wish, nearEnd), shortest / 10, 1)
    return now.advanced(bySeconds: interval - share(interval / 10, jitter))
  }

  /// The next attempt after a number of failures in a row, the last of them at `now`: the back-off,
  /// minus up to half of it.
  func next(after now: Instant, failures: Int, jitter: Double) -> Instant {
    var delay = max(1, retry)
    for _ in 1..<max(1, min(failures, 40)) where delay < shortest { delay *= 2 }
    delay = max(1, min(delay, shortest))
    return now.advanced(bySeconds: delay - share(delay / 2, jitter))
  }

  private func share(_ seconds: Int64, _ jitter: Double) -> Int64 {
    jitter > 0 ? Int64(Double(seconds) * min(jitter, 1)) : 0
  }
}
