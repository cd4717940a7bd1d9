/// Keeps sign-ins to so many a second and so many in all.
package struct SignInPace: Sendable {
  private let clock: any TimeSource
  private let interval: Int64
  private let most: Int
  private var last: Instant?
  /// How many were begun.
  package private(set) var count = 0

  package init(_ configuration: AttackConfiguration, _ clock: any TimeSource) {
    self.clock = clock
    interval = Int64(1_000 / max(1, configuration.perSecond))
    most = configuration.mostSignIns
  }

  /// Returns when the next sign-in may begin.
  ///
  /// - Throws: `attack.limit` when all were begun.
  package mutating func admit() async throws(TokenError) {
    guard count < most else { throw TokenError(.attackLimit, expected: "at most \(most)") }
    count += 1
    if let last {
      // A clock that is set back delays nothing for longer than that.
      let rest = min(interval - clock.now.milliseconds(since: last), interval)
      if rest > 0 { await clock.wait(.milliseconds(rest)) }
    }
    last = clock.now
  }
}
