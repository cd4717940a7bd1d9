import Instants

/// What one process knows of an account in a store.
struct AccountRecord: Sendable {
  /// How often the account was signed in, renewed or signed out. It outlives the session, so that no
  /// sign-out with a sign-in behind it is taken for the old session.
  var generation = 0
  var session: Session?
}

/// The right of one process to spend the refresh token of an account, for a while.
struct RenewalTurn: Sendable, Equatable {
  /// A random name for one `CurrentSession`.
  let owner: String
  /// The right ends here, also when its owner was killed.
  let until: Instant

  /// Seconds: longer than a request may take.
  static let length: Int64 = 60
}

// Changes of the store come from here, so that each leaves a trace that other processes see.
extension StoredCredentials {
  func record(of account: String) -> AccountRecord {
    AccountRecord(generation: generations[account] ?? 0, session: sessions[account])
  }

  /// Whether the account is as it was known; a use that another process noted changes nothing.
  ///
  /// Both count: the generation, and the session for what was written by a program that knows none. Such
  /// a program may lose them, too: a lower generation says nothing.
  func holds(_ known: AccountRecord, as account: String) -> Bool {
    let record = record(of: account)
    guard record.generation <= known.generation else { return false }
    switch (record.session, known.session) {
    case (nil, nil): return true
    case (let stored?, let session?): return stored.isSame(as: session)
    default: return false
    }
  }

  /// A sign-in or a renewal.
  mutating func begin(_ session: Session, as account: String) {
    sessions[account] = session
    raise(account)
  }

  /// A sign-out.
  package mutating func end(_ account: String) {
    guard sessions[account] != nil else { return }
    sessions[account] = nil
    raise(account)
  }

  private mutating func raise(_ account: String) {
    generations[account] = (generations[account] ?? 0) &+ 1
    renewals[account] = nil
  }

  mutating func noteUse(of account: String, at now: Instant) {
    guard let last = sessions[account]?.lastUsedAt, last < now else { return }
    sessions[account]?.lastUsedAt = now
  }

  /// Whether `owner` may take the turn.
  func isTurnFree(of account: String, for owner: String, at now: Instant) -> Bool {
    guard let turn = renewals[account], turn.owner != owner else { return true }
    // `now` is from before the wait for the store's lock, so that a turn may end somewhat later than one
    // that is given now. One that ends much later was noted by a clock that was wrong.
    return now >= turn.until || turn.until > now.advanced(bySeconds: 2 * RenewalTurn.length)
  }

  /// Gives the turn to `owner` unless another has it.
  mutating func takeTurn(of account: String, _ owner: String, at now: Instant) {
    guard isTurnFree(of: account, for: owner, at: now) else { return }
    renewals[account] = RenewalTurn(
      owner: owner, until: now.advanced(bySeconds: RenewalTurn.length))
  }

  mutating func endTurn(of account: String, _ owner: String) {
    if renewals[account]?.owner == owner { renewals[account] = nil }
  }
}
