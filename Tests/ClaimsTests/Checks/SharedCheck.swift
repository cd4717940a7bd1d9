import Claims
import TokenBasics

/// A context in which a check that formats share runs by itself.
enum SharedCheck {
  static func context(
    _ audiences: Trust.Audiences = .any, issuers: [TrustedIssuer] = [],
    at now: Instant = Instant(secondsSinceEpoch: 1_000)
  ) -> VerificationContext {
    VerificationContext(
      Trust(issuers: issuers, audiences: audiences), Expectations(), at: now, isDetailed: true)
  }
}
