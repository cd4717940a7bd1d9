public import HTTPExchange
public import Instants
public import TokenErrors

/// The session of one account: in memory, in the store, and renewed by one renewal at a time.
///
/// Several processes may have one account in one store. What one of them ended or replaced stays so: each
/// change that another makes for a session that is no longer there is thrown away, and that process takes
/// over what the store holds. A refresh token is spent by one process: it notes in the store that it
/// renews, and the others wait for what comes of it. After a process that was killed meanwhile the next
/// one tries when a minute is over; where the dead one had spent the token, the service refuses it and the
/// session ends.
public actor CurrentSession {
  /// A session as it was handed to one request.
  struct Lease: Sendable {
    let session: Session
    let generation: Int
    /// Whether it was renewed for this very request, which then has no second try.
    var isRenewed = false
  }

  private let account: String
  private let store: any CredentialStore
  private let renewal: Renewal
  private let time: any TimeSource
  private let observer: any ActivityObserver
  /// Who is signed in now.
  public private(set) var session: Session?
  // Counts every change of the session, so that nobody renews what somebody else has renewed.
  private var generation = 0
  // Counts sign-ins and log-outs: the result of a renewal for an older one is discarded.
  private var signIns = 0
  // The generation that is being renewed.
  private var renewing: Int?
  private var waiters: [Int: CheckedContinuation<Result<Lease, TokenError>, Never>] = [:]
  private var nextWaiter = 0
  // What the store held when it was last seen.
  private var known = AccountRecord()
  // Why the store does not hold what is in memory.
  private var unsaved: TokenError?
  private var lastSavedUse: Instant?
  // Who this is among all that have the store.
  private let owner = RandomOctets().hex(16)

  /// - Parameter account: The name in the store, such as `acs` or `talks-service`.
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

  /// Takes up the session of the last run. One that has ended meanwhile is forgotten.
  /// - Returns: The session; nil when nobody was signed in.
  /// - Throws: `session.store-*`.
  @discardableResult
  public func restore() async throws(TokenError) -> Session? {
    if unsaved != nil { await save() }
    if let unsaved { throw unsaved }
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

  /// Begins a session. It is kept in the store before it is used.
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

  /// Forgets the session here: in memory and in the store, whoever put it there. Neither the provider nor
  /// the service hears of it (``ProviderSignOut``, ``ServiceSignOut``).
  /// - Throws: `session.store-*`; the memory is empty nevertheless.
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

  /// The session to use for a request, renewed where the clock says that it must be.
  /// - Throws: `session.none`; `session.other-principal` where this call finds that another process has
  ///   signed another person in; and what ``renewed(after:)`` throws.
  func lease() async throws(TokenError) -> Lease {
    // A log-out that the store did not take is tried again.
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

  /// A session newer than `lease`, which the service refused. However many ask at once, one renewal
  /// runs; all get what comes of it. It goes on when those who wait for it give up, because a refresh
  /// token that was sent may be used up. A renewal never uses a transport that waits for it.
  /// - Throws: `session.none`, `.timed-out`, `.over`, `.cancelled`, `.other-principal`,
  ///   `.renewal-refused`, `.renewal-elsewhere`, `.store-*`, `transport.cancelled`, and what the
  ///   renewal throws.
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

  /// The result of the renewal under way, or that this waiter was cancelled.
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

  /// The one renewal.
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

  /// What a renewal begins with.
  private struct PreparedRenewal {
    let session: Session
    let isEnded: Bool
    /// What the store held then: what comes of the renewal replaces that and nothing else.
    let base: AccountRecord
  }

  /// Waits for the right to renew; nil where there is nothing to renew any more.
  private func prepareRenewal(
    _ refused: Session, _ began: Int
  ) async throws(TokenError) -> PreparedRenewal? {
    let wasUsable = refused.state(at: time.now) == .usable
    let end = time.now.advanced(bySeconds: 2 * RenewalTurn.length)
    while true {
      if unsaved != nil { await save() }
      if let unsaved { throw unsaved }
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
      guard time.now < end else { throw TokenError(.sessionRenewalElsewhere, node: account) }
      await time.wait(.milliseconds(100))
    }
  }

  /// What the store holds now, and who has the turn to renew it.
  private func askForTurn() async throws(TokenError) -> StoredCredentials {
    let (account, known, owner, now) = (account, known, owner, time.now)
    let content = try await store.read()
    // Who only waits keeps no other from writing.
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
    // A sign-in or log-out here meanwhile counts.
    case _ where began != signIns: return lease(after: refused)
    case .renewed(let renewed):
      do throws(TokenError) {
        let content = try await store.update { content in
          if content.holds(base, as: account) { content.begin(renewed, as: account) }
        }
        guard began == signIns else { return lease(after: refused) }
        let former = generation
        adopt(content)
        // What was renewed to the same is new, too.
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

  /// Forgets a session that cannot go on; false where another one has taken its place.
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

  /// Takes over what the store holds. The session here goes on where it is the same.
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

  /// Ends what was known of the account, unless it was replaced, or used after all.
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

  /// Notes the use. It is written at most once a minute: sliding expiry needs no more.
  private func use(_ session: Session) async {
    let now = time.now
    guard now > session.lastUsedAt else { return }
    self.session?.lastUsedAt = now
    guard session.lifetime.idle != nil || unsaved != nil else { return }
    let last = lastSavedUse ?? session.lastUsedAt
    if unsaved != nil || now.milliseconds(since: last) >= 60_000 { await save() }
  }

  /// Brings the store what it lacks: the use, or a change that it did not take. A store that fails does
  /// not stop requests whose credential is good; the next use tries again.
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
