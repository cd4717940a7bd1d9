public import HTTPExchange
public import Instants
public import TokenErrors

/// The session of one account: in memory, in the store, and renewed by one flight at a time.
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
  // Counts sign-ins and log-outs: what a flight brings for an older one is thrown away.
  private var signIns = 0
  // The generation that is being renewed.
  private var flight: Int?
  private var waiters: [Int: CheckedContinuation<Result<Lease, TokenError>, Never>] = [:]
  private var nextWaiter = 0
  private var hasUnsavedChange = false
  private var lastSavedUse: Instant?

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
    guard let stored = try await store.read().sessions[account] else { return nil }
    guard stored.state(at: time.now) != .ended || renewal.signIn != nil else {
      try await logOut()
      return nil
    }
    install(stored)
    signIns += 1
    return stored
  }

  /// Begins a session. It is kept in the store before it is used.
  /// - Throws: `session.store-*`.
  public func signIn(_ session: Session) async throws(TokenError) {
    let account = account
    signIns += 1
    try await store.update { $0.sessions[account] = session }
    install(session)
  }

  /// Forgets the session here: in memory and in the store. Neither the provider nor the service hears
  /// of it (``ProviderSignOut``, ``ServiceSignOut``).
  /// - Throws: `session.store-*`; the memory is empty nevertheless.
  public func logOut() async throws(TokenError) {
    let account = account
    signIns += 1
    generation += 1
    session = nil
    hasUnsavedChange = false
    try await store.update { $0.sessions[account] = nil }
  }

  private func install(_ session: Session) {
    self.session = session
    generation += 1
    hasUnsavedChange = false
    lastSavedUse = session.lastUsedAt
  }

  // MARK: For requests

  /// The session to use for a request, renewed where the clock says that it must be.
  /// - Throws: `session.none`, and what ``renewed(after:)`` throws.
  func lease() async throws(TokenError) -> Lease {
    guard let session else { throw TokenError(.sessionNone) }
    let lease = Lease(session: session, generation: generation)
    guard session.state(at: time.now) == .usable else {
      var renewed = try await renewed(after: lease)
      renewed.isRenewed = true
      return renewed
    }
    await use(session)
    return lease
  }

  /// A session newer than `lease`, which the service refused. However many ask at once, one renewal
  /// runs; all get what comes of it. It goes on when those who wait for it give up, because a refresh
  /// token that was sent may be used up. A renewal never uses a transport that waits for it.
  /// - Throws: `session.none`, `.timed-out`, `.over`, `.cancelled`, `.other-principal`,
  ///   `.renewal-refused`, `transport.cancelled`, and what the renewal throws.
  func renewed(after lease: Lease) async throws(TokenError) -> Lease {
    while true {
      guard let session else { throw TokenError(.sessionNone) }
      if generation != lease.generation {
        guard session.principal == lease.session.principal else {
          throw TokenError(.sessionOtherPrincipal)
        }
        return Lease(session: session, generation: generation)
      }
      let joined = flight ?? takeOff(session)
      let result = await landing()
      // A flight of an older session says nothing about this one.
      if joined == lease.generation { return try result.get() }
      if Task.isCancelled { throw TokenError(.transportCancelled) }
    }
  }

  private func takeOff(_ session: Session) -> Int {
    flight = generation
    Task { await self.fly(session) }
    return generation
  }

  /// What comes of the flight under way, or the word that this waiter was cancelled.
  private func landing() async -> Result<Lease, TokenError> {
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
  private func fly(_ refused: Session) async {
    let began = signIns
    let result = await outcome(of: refused)
    let answer: Result<Lease, TokenError>
    if began != signIns {
      // Somebody signed in or out meanwhile, and that counts.
      answer = lease(after: refused)
    } else {
      answer = await land(result, refused)
    }
    flight = nil
    let waiting = waiters
    waiters = [:]
    for waiter in waiting.values { waiter.resume(returning: answer) }
  }

  private func outcome(of refused: Session) async -> Renewal.Result {
    let isEnded = refused.state(at: time.now) == .ended
    // Another process may have renewed it: then there is nothing to do, and doing it again with a
    // refresh token that is used up would end the session for both.
    if !isEnded, let stored = try? await store.read().sessions[account],
      stored.principal == refused.principal, !stored.hasSameCredential(as: refused),
      stored.state(at: time.now) == .usable
    {
      return .renewed(stored)
    }
    let renewal = renewal
    let activity = Activity("session.renew", [("account", account)])
    let result = try? await observer.during(activity) {
      await renewal.run(refused, isEnded: isEnded)
    }
    return result ?? .failed(TokenError(.transportCancelled))
  }

  private func land(
    _ result: Renewal.Result, _ refused: Session
  ) async -> Result<Lease, TokenError> {
    switch result {
    case .renewed(let renewed):
      install(renewed)
      let generation = generation
      await save()
      guard renewed.principal == refused.principal else {
        return .failure(TokenError(.sessionOtherPrincipal))
      }
      guard generation == self.generation else { return lease(after: refused) }
      return .success(Lease(session: renewed, generation: generation))
    case .ended(let error):
      observer.happened(
        Activity("session.ended", [("account", account), ("code", error.code.rawValue)]))
      do throws(TokenError) {
        try await logOut()
      } catch {
        noteUnsaved(error)
      }
      return .failure(error)
    case .failed(let error):
      return .failure(error)
    }
  }

  private func lease(after refused: Session) -> Result<Lease, TokenError> {
    guard let session else { return .failure(TokenError(.sessionNone)) }
    guard session.principal == refused.principal else {
      return .failure(TokenError(.sessionOtherPrincipal))
    }
    return .success(Lease(session: session, generation: generation))
  }

  // MARK: The store

  /// Notes the use. It is written at most once a minute: sliding expiry needs no more.
  private func use(_ session: Session) async {
    let now = time.now
    guard now > session.lastUsedAt else { return }
    self.session?.lastUsedAt = now
    guard session.lifetime.idle != nil || hasUnsavedChange else { return }
    let last = lastSavedUse ?? session.lastUsedAt
    if hasUnsavedChange || now.milliseconds(since: last) >= 60_000 { await save() }
  }

  /// A store that fails does not stop requests whose credential is good; the next use tries again.
  private func save() async {
    guard let session else { return }
    let account = account
    let began = signIns
    lastSavedUse = session.lastUsedAt
    do throws(TokenError) {
      // A log-out that comes while this one waits is not undone: it waits behind it.
      guard began == signIns else { return }
      try await store.update { content in
        guard let stored = content.sessions[account], !stored.hasSameCredential(as: session),
          stored.principal == session.principal, stored.lastUsedAt > session.lastUsedAt
        else {
          content.sessions[account] = session
          return
        }
      }
      hasUnsavedChange = false
    } catch {
      noteUnsaved(error)
    }
  }

  private func noteUnsaved(_ error: TokenError) {
    hasUnsavedChange = true
    observer.happened(
      Activity("session.unsaved", [("account", account), ("code", error.code.rawValue)]))
  }
}
