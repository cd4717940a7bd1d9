public import HTTPExchange
public import TokenBasics

/// The session of one account, in memory and in the store, with at most one renewal at a time.
///
/// Several processes may share an account in one store. When one of them ends or replaces the session,
/// changes that another makes to the old session are discarded, and that process adopts the content of the
/// store. One process at a time uses the refresh token: it records its renewal in the store, and the others
/// wait for the result. If that process is killed, the next one tries after a minute; if the refresh token
/// was used up by then, the service rejects it and the session ends.
public actor CurrentSession {
  /// The session that one request uses.
  struct Lease: Sendable {
    let session: Session
    let generation: Int
    /// Whether it was renewed for this request, which then gets no second attempt.
    var isRenewed = false
  }

  private let account: String
  private let store: any CredentialStore
  private let renewal: Renewal
  private let time: any TimeSource
  private let observer: any ActivityObserver
  /// The current session; nil while signed out.
  public private(set) var session: Session?
  // Counts changes of the session, so that a renewed session is not renewed again for an older request.
  private var generation = 0
  // Counts sign-ins and log-outs: a renewal that began before the latest one is discarded.
  private var signIns = 0
  // The generation that is being renewed.
  private var renewing: Int?
  private var waiters: [Int: CheckedContinuation<Result<Lease, TokenError>, Never>] = [:]
  private var nextWaiter = 0
  // The account's record in the store when last read.
  private var known = AccountRecord()
  // The error because of which the store lacks what is in memory.
  private var unsaved: TokenError?
  private var lastSavedUse: Instant?
  // Identifies this instance among all users of the store.
  private let owner = RandomSource().hex(16)

  /// The session of an account, signed out until ``restore()`` or ``signIn(_:)``.
  ///
  /// - Parameters:
  ///   - account: The key of the session in the store, such as `acs` or `talks-service`.
  ///   - store: Where the session is stored between runs.
  ///   - renewal: What follows a 401 or the end of the credential.
  ///   - time: The clock; another one in tests.
  ///   - observer: Hears of what happens, for logs, metrics and traces.
  public init(
    account: String, store: any CredentialStore, renewal: Renewal, time: any TimeSource,
    observer: any ActivityObserver = NoObserver()
  ) {
    self.account = account
    self.store = store
    self.renewal = renewal
    self.time = time
    self.observer = observer
  }

  // MARK: Sign-in and log-out

  /// Restores the stored session. One that has ended is removed, unless the renewal can sign in again.
  /// - Returns: The session; nil if the store has none.
  /// - Throws: `session.store-*`.
  @discardableResult
  public func restore() async throws(TokenError) -> Session? {
    try await saveUnsaved()
    var content = try await store.read()
    if let stored = content.sessions[account], stored.state(at: time.now) == .ended,
      renewal.signIn == nil
    {
      content = try await forget(content.record(of: account), endedAt: time.now)
    }
    let former = generation
    adopt(content)
    if generation != former { signIns += 1 }
    return session
  }

  /// Begins a session. It is stored before it is used.
  /// - Throws: `session.store-*`.
  public func signIn(_ session: Session) async throws(TokenError) {
    let account = account
    signIns += 1
    let began = signIns
    let content = try await store.update { $0.begin(session, as: account) }
    guard began == signIns else { return }
    known = content.record(of: account)
    install(session)
  }

  /// Removes the session from memory and from the store, also one that another process stored. Neither the
  /// provider nor the service is notified (``ProviderSignOut``, ``MobileService/endSession(_:over:)``).
  /// - Throws: `session.store-*`; the session is removed from memory nevertheless.
  public func logOut() async throws(TokenError) {
    let account = account
    signIns += 1
    let began = signIns
    install(nil)
    let content = try await store.update { $0.end(account) }
    if began == signIns { known = content.record(of: account) }
  }

  private func install(_ session: Session?) {
    self.session = session
    generation += 1
    unsaved = nil
    lastSavedUse = session?.lastUsedAt
  }

  // MARK: For requests

  /// The session for a request, renewed first if it has expired.
  /// - Throws: `session.none`; `session.other-principal` if another process signed another person in; and
  ///   what ``renewed(after:)`` throws.
  func lease() async throws(TokenError) -> Lease {
    // Retries a log-out that the store failed to save.
    if session == nil, unsaved != nil { await save() }
    guard let session else { throw TokenError(.sessionNone) }
    let lease = Lease(session: session, generation: generation)
    guard session.state(at: time.now) == .usable else {
      var renewed = try await renewed(after: lease)
      renewed.isRenewed = true
      return renewed
    }
    await use(session)
    return generation == lease.generation ? lease : try self.lease(after: session).get()
  }

  /// A session newer than `lease`, which the service rejected. Concurrent callers share one renewal and its
  /// result. It continues when the waiting tasks are cancelled, because a refresh token once sent may be
  /// used up. A renewal must not use a transport that waits for it.
  /// - Throws: `session.none`, `.timed-out`, `.over`, `.cancelled`, `.other-principal`,
  ///   `.renewal-refused`, `.renewal-elsewhere`, `.store-*`, `transport.cancelled`, and errors of
  ///   the renewal.
  func renewed(after lease: Lease) async throws(TokenError) -> Lease {
    while true {
      guard let session else { throw TokenError(.sessionNone) }
      if generation != lease.generation {
        guard session.principal == lease.session.principal else {
          throw TokenError(.sessionOtherPrincipal)
        }
        return Lease(session: session, generation: generation)
      }
      let joined = renewing ?? startRenewal(session)
      let result = await renewalResult()
      // A renewal of an older session has no bearing on this one.
      if joined == lease.generation { return try result.get() }
      if Task.isCancelled { throw TokenError(.transportCancelled) }
    }
  }

  private func startRenewal(_ session: Session) -> Int {
    renewing = generation
    Task { await self.runRenewal(session) }
    return generation
  }

  /// The result of the running renewal; `transport.cancelled` if this task is cancelled.
  private func renewalResult() async -> Result<Lease, TokenError> {
    let number = nextWaiter
    nextWaiter += 1
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if Task.isCancelled {
          continuation.resume(returning: .failure(TokenError(.transportCancelled)))
        } else {
          waiters[number] = continuation
        }
      }
    } onCancel: {
      Task { await self.giveUp(number) }
    }
  }

  private func giveUp(_ number: Int) {
    waiters.removeValue(forKey: number)?.resume(
      returning: .failure(TokenError(.transportCancelled)))
  }

  /// Runs the renewal and resumes all waiting tasks with its result.
  private func runRenewal(_ refused: Session) async {
    let began = signIns
    let answer: Result<Lease, TokenError>
    do throws(TokenError) {
      if let prepared = try await prepareRenewal(refused, began) {
        answer = await finishRenewal(await outcome(of: prepared), prepared, refused, began)
      } else {
        answer = lease(after: refused)
      }
    } catch {
      answer = .failure(error)
    }
    renewing = nil
    let waiting = waiters
    waiters = [:]
    for waiter in waiting.values { waiter.resume(returning: answer) }
  }

  /// The state at the start of a renewal.
  private struct PreparedRenewal {
    let session: Session
    let isEnded: Bool
    /// The record in the store at that time: the result of the renewal replaces no other.
    let base: AccountRecord
  }

  /// Waits for the turn to renew; nil if a renewal is no longer needed.
  private func prepareRenewal(
    _ refused: Session, _ began: Int
  ) async throws(TokenError) -> PreparedRenewal? {
    let wasUsable = refused.state(at: time.now) == .usable
    var wait = RenewalWait(begun: time.now)
    while true {
      try await saveUnsaved()
      guard began == signIns, let session else { return nil }
      let isSpending = renewal.refresh != nil && session.state(at: time.now) != .ended
      let content = isSpending ? try await askForTurn() : try? await store.read()
      guard began == signIns else { return nil }
      let former = generation
      if let content { adopt(content) }
      guard let current = self.session, current.principal == refused.principal else { return nil }
      let state = current.state(at: time.now)
      if state == .usable, generation != former || !wasUsable { return nil }
      if generation != former || isSpending != (renewal.refresh != nil && state != .ended) {
        continue
      }
      guard isSpending, content?.renewals[account]?.owner != owner else {
        return PreparedRenewal(session: current, isEnded: state == .ended, base: known)
      }
      if try wait.isToTell(at: time.now, account) {
        observer.happened(
          Activity(
            "session.waiting", [("account", account), ("seconds", "\(RenewalTurn.length)")]))
      }
      await time.wait(.milliseconds(100))
    }
  }

  /// Saves what the store lacks, if anything.
  /// - Throws: The error because of which the store still lacks it.
  private func saveUnsaved() async throws(TokenError) {
    if unsaved != nil { await save() }
    if let unsaved { throw unsaved }
  }

  /// Takes the turn to renew if it is free, and returns the content of the store.
  private func askForTurn() async throws(TokenError) -> StoredCredentials {
    let (account, known, owner, now) = (account, known, owner, time.now)
    let content = try await store.read()
    // Waiting takes no lock, so that others can write.
    guard content.holds(known, as: account), content.isTurnFree(of: account, for: owner, at: now)
    else { return content }
    return try await store.update { content in
      if content.holds(known, as: account) { content.takeTurn(of: account, owner, at: now) }
    }
  }

  private func outcome(of prepared: PreparedRenewal) async -> Renewal.Result {
    let renewal = renewal
    let activity = Activity("session.renew", [("account", account)])
    let result = try? await observer.during(activity) {
      await renewal.run(prepared.session, isEnded: prepared.isEnded)
    }
    return result ?? .failed(TokenError(.transportCancelled))
  }

  private func finishRenewal(
    _ result: Renewal.Result, _ prepared: PreparedRenewal, _ refused: Session, _ began: Int
  ) async -> Result<Lease, TokenError> {
    let (account, base, owner) = (account, prepared.base, owner)
    switch result {
    // A sign-in or log-out in the meantime takes precedence.
    case _ where began != signIns: return lease(after: refused)
    case .renewed(let renewed):
      do throws(TokenError) {
        let content = try await store.update { content in
          if content.holds(base, as: account) { content.begin(renewed, as: account) }
        }
        guard began == signIns else { return lease(after: refused) }
        let former = generation
        adopt(content)
        // A renewal counts even if it returned the same session.
        if generation == former { generation += 1 }
      } catch {
        guard began == signIns else { return lease(after: refused) }
        install(renewed)
        noteUnsaved(error)
      }
      return lease(after: refused)
    case .ended(let error):
      return await ended(prepared, error, began) ? .failure(error) : lease(after: refused)
    case .failed(let error):
      _ = try? await store.update { $0.endTurn(of: account, owner) }
      return .failure(error)
    }
  }

  /// Removes a session that cannot be renewed; false if another one has replaced it.
  private func ended(_ prepared: PreparedRenewal, _ error: TokenError, _ began: Int) async -> Bool {
    do throws(TokenError) {
      let content = try await forget(prepared.base, endedAt: prepared.isEnded ? time.now : nil)
      guard began == signIns else { return session == nil }
      adopt(content)
    } catch {
      guard began == signIns else { return session == nil }
      install(nil)
      noteUnsaved(error)
    }
    guard session == nil else { return false }
    observer.happened(
      Activity("session.ended", [("account", account), ("code", error.code.rawValue)]))
    return true
  }

  private func lease(after refused: Session) -> Result<Lease, TokenError> {
    guard let session else { return .failure(TokenError(.sessionNone)) }
    guard session.principal == refused.principal else {
      return .failure(TokenError(.sessionOtherPrincipal))
    }
    return .success(Lease(session: session, generation: generation))
  }

  // MARK: The store

  /// Adopts the content of the store, but keeps the later `lastUsedAt` of the same session.
  private func adopt(_ content: StoredCredentials) {
    known = content.record(of: account)
    guard let stored = known.session, let session, stored.isSame(as: session) else {
      if known.session != nil || session != nil { install(known.session) }
      return
    }
    unsaved = nil
    self.session = stored
    self.session?.lastUsedAt = max(stored.lastUsedAt, session.lastUsedAt)
  }

  /// Removes the account's session from the store unless it was replaced, or used in the meantime.
  private func forget(
    _ known: AccountRecord, endedAt now: Instant?
  ) async throws(TokenError) -> StoredCredentials {
    let account = account
    return try await store.update { content in
      guard content.holds(known, as: account) else { return }
      if let now, content.sessions[account]?.state(at: now) != .ended { return }
      content.end(account)
    }
  }

  /// Records the use. It is stored at most once a minute, which is enough for sliding expiry.
  private func use(_ session: Session) async {
    let now = time.now
    guard now > session.lastUsedAt else { return }
    self.session?.lastUsedAt = now
    guard session.lifetime.idle != nil || unsaved != nil else { return }
    let last = lastSavedUse ?? session.lastUsedAt
    if unsaved != nil || now.milliseconds(since: last) >= 60_000 { await save() }
  }

  /// Stores the use, or a change that failed to be stored before. A failing store does not stop requests
  /// whose credential is valid; the next use tries again.
  private func save() async {
    let (account, known, session) = (account, known, session)
    let began = (signIns, generation)
    lastSavedUse = session?.lastUsedAt
    do throws(TokenError) {
      let content = try await store.update { content in
        guard content.holds(known, as: account) else { return }
        guard let session else { return content.end(account) }
        if let stored = content.sessions[account], stored.isSame(as: session) {
          content.noteUse(of: account, at: session.lastUsedAt)
        } else {
          content.begin(session, as: account)
        }
      }
      if began == (signIns, generation) { adopt(content) }
    } catch {
      if began == (signIns, generation) { noteUnsaved(error) }
    }
  }

  private func noteUnsaved(_ error: TokenError) {
    unsaved = error
    observer.happened(
      Activity("session.unsaved", [("account", account), ("code", error.code.rawValue)]))
  }
}
