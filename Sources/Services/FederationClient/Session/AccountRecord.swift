import TokenBasics

/// The state of an account in a store as one process last read it.
struct AccountRecord: Sendable {
  /// Counts sign-ins, renewals and sign-outs of the account. It outlives the session, so that a sign-out
  /// followed by a sign-in is not mistaken for the old session.
  var generation = 0
  var session: Session?
}

/// The temporary right of one process to use the refresh token of an account.
struct RenewalTurn: Sendable, Equatable {
  /// A random name for one `CurrentSession`.
  let owner: String
  /// The end of the right, even if its owner was killed.
  let until: Instant

  /// Seconds: longer than a request may take.
  static let length: Int64 = 60
}

// All changes of the store are made here, so that each raises the generation that other processes read.
extension StoredCredentials {
  func record(of account: String) -> AccountRecord {
    AccountRecord(generation: generations[account] ?? 0, session: sessions[account])
  }

  /// Whether the account is unchanged since `known`; a use that another process recorded is no change.
  ///
  /// Compares the generation and, for changes by a program that writes no generations, the session. Such a
  /// program may also drop them, so a lower generation is no change.
  func holds(_ known: AccountRecord, as account: String) -> Bool {
    let record = record(of: account)
    guard record.generation <= known.generation else { return false }
    switch (record.session, known.session) {
    case (nil, nil): return true
    case (let stored?, let session?): return stored.isSame(as: session)
    default: return false
    }
  }

  /// Stores the session of a sign-in or a renewal.
  mutating func begin(_ session: Session, as account: String) {
    sessions[account] = session
    raise(account)
  }

  /// Removes the session.
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
    // `now` was read before the wait for the store's lock, so a turn may end somewhat later than one given
    // now. One that ends much later was written with a wrong clock.
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

/// The wait of one process for the renewal of another.
struct RenewalWait {
  let begun: Instant
  private var isTold = false

  init(begun: Instant) { self.begun = begun }

  /// Whether to tell of the wait now: once, after a second.
  /// - Throws: `session.renewal-elsewhere` after two turns.
  mutating func isToTell(at now: Instant, _ account: String) throws(TokenError) -> Bool {
    guard now < begun.advanced(bySeconds: 2 * RenewalTurn.length) else {
      throw TokenError(.sessionRenewalElsewhere, node: account)
    }
    guard !isTold, now >= begun.advanced(bySeconds: 1) else { return false }
    isTold = true
    return true
  }
}
