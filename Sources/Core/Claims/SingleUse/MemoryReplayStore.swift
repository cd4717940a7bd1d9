public import Instants
public import TokenErrors

/// The used tokens of one process, forgotten when it ends.
public actor MemoryReplayStore: ReplayStore {
  private let capacity: Int
  private var ends: [TokenIdentity: Instant] = [:]
  /// The earliest instant at which a token expires.
  private var earliestEnd: Instant?
  private var sweepCount = sweepFloor

  /// - Parameter capacity: How many tokens it remembers at once, about 150 bytes each. When all of them
  ///   are still valid, it refuses further ones: to forget one would be to accept it again.
  public init(capacity: Int = 100_000) { self.capacity = capacity }

  /// - Throws: `replay.store-full`.
  public func remember(
    _ identity: TokenIdentity, until end: Instant, at now: Instant
  ) throws(TokenError) -> Bool {
    if let known = ends[identity], known > now { return false }
    if ends.count >= min(sweepCount, capacity) { sweep(now) }
    guard ends.count < capacity else {
      throw TokenError(.replayStoreFull, expected: "fewer than \(capacity) valid tokens")
    }
    ends[identity] = end
    earliestEnd = min(earliestEnd ?? end, end)
    return true
  }

  /// Removes expired tokens. The cost is amortised over as many calls as there are tokens left.
  private func sweep(_ now: Instant) {
    if let earliestEnd, earliestEnd <= now {
      ends = ends.filter { $0.value > now }
      self.earliestEnd = ends.values.min()
    }
    sweepCount = max(Self.sweepFloor, 2 * ends.count)
  }

  private static let sweepFloor = 1_024
}
